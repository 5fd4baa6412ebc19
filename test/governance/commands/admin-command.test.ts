import { describe, expect, it } from 'vitest';
import {
  COMMAND_WORDS,
  findNearWord,
  parseAdminCommand,
  registerAdminCommand,
} from '../../../src/governance/commands/admin-command.ts';
import type { AdminShell, CommandWork } from '../../../src/governance/shell/admin-shell.ts';
import type { Content } from '../../../src/slack/views/content.ts';

/** What is said to a command that needs nothing else. */
async function say(text: string, services: object = {}): Promise<string> {
  let choose: ((text: string, place: string) => CommandWork) | undefined;
  const shell = {
    onCommand: (_: string, given: typeof choose) => {
      choose = given;
    },
  };
  registerAdminCommand(shell as unknown as AdminShell, { hasInterface: true, ...services } as never);
  const work = choose?.(text, 'C1');
  const said: string[] = [];
  if (work === undefined || !('run' in work)) throw new Error('it opens a window');
  await work.run({ say: async (content: Content) => said.push(content.text) > 0 } as never);
  return said.join('');
}

describe('the commands', () => {
  it('are ten, and five that the home tab has as well', () => {
    expect(COMMAND_WORDS).toEqual([
      ...['agents', 'environments', 'limit', 'stop', 'run', 'credits', 'review', 'policy', 'log', 'sign-in'],
      ...['rules', 'pause', 'resume', 'insights', 'doctor'],
    ]);
  });

  it('are all in the help, which fits on one screen', async () => {
    const help = await say('help');

    for (const word of COMMAND_WORDS) expect(help).toContain(`\`${word}`);
    expect(help.split(/\s+/).length).toBeLessThanOrEqual(90);
    expect(await say('')).toBe(help);
  });

  it.each([
    ['frobnicate', 'Unknown. Try `review`, `limit`, `help`.'],
    ['limts', 'Unknown. Did you mean `limit`? Or try `help`.'],
    ['agent', 'Unknown. Did you mean `agents`? Or try `help`.'],
    ['sign_in', 'Unknown. Did you mean `sign-in`? Or try `help`.'],
    [
      'rules #unknown',
      'I do not know that channel. Write `/assistant-admin rules #` and choose it from the list that Slack shows.',
    ],
  ])('that are unknown are answered in one line: %s', async (typed, answer) => {
    expect(await say(typed)).toBe(answer);
  });

  it.each(['constructor', 'toString', '__proto__'])('are no names of objects: %s', async (typed) => {
    expect(await say(typed)).toMatch(/^Unknown\./);
  });

  it.each(['agents', 'environments', 'limit', 'stop', 'run', 'credits', 'review', 'sign-in'])(
    'that need the interface say so where there is none, and how it is configured: %s',
    async (word) => {
      const said = await say(word, { hasInterface: false });

      expect(said).toMatch(
        /^The administrative interface is not configured in this app, [^.]*ADMIN_API_BASE_URL[^.]*\.$/,
      );
    },
  );

  it.each([
    ['an escaped sign', 'limit Sales &amp; Co', 'Sales & Co'],
    ['an address in a name', 'limit <http://a.example|a.example>', 'a.example'],
    ['quotes around a name', 'limit “Travel Planner”', 'Travel Planner'],
    ['an owner', 'agents owner:<@U0KIM|kim>', 'owner:<@U0KIM>'],
    ['somebody in the log', 'log <@U0KIM|kim> 2026-03', 'U0KIM 2026-03'],
    ['a channel in the log', 'log <#C0TRAVEL|travel> 2026-03', 'C0TRAVEL 2026-03'],
  ])('are read as typed: %s', (_, text, rest) => {
    expect(parseAdminCommand(text).rest).toBe(rest);
  });

  it('forgive a typing error, and no long text', () => {
    expect(findNearWord('enviroments')).toBe('environments');
    expect(findNearWord('x'.repeat(10_000))).toBeUndefined();
  });
});

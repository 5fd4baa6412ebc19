import { beforeEach, describe, expect, it } from 'vitest';
import { checkKinds } from '../../../scripts/check-slack/check-kinds.ts';
import { toTextContent } from '../../../src/slack/views/content.ts';
import { runScript } from '../../run-script.ts';
import { useSandboxSlack } from '../a-slack.ts';
import { listEveryKind } from './every-kind.ts';
import type { Kind } from './kind.ts';

const world = useSandboxSlack();
let lines: string[];

beforeEach(() => {
  lines = [];
});

const check = (kinds: Kind[], apiUrl = world.slack.apiUrl) =>
  checkKinds(kinds, { http: world.http, apiUrl, pauseMs: 0, print: (line) => void lines.push(line) });

const GOOD: Kind = { kind: 'a sentence', message: toTextContent('Hello') };
const BAD: Kind = { kind: 'an empty sentence', message: toTextContent('') };

describe('the check of what is shown, against Slack', () => {
  // That Slack takes all of them: every-kind.test.ts.
  it('asks about each kind once, without a token', async () => {
    const kinds = (await listEveryKind()).filter((_, index) => index % 20 === 0);

    const refused = await check(kinds);

    expect(refused).toBe(0);
    expect(lines).toEqual(kinds.map(({ kind }) => `✓ ${kind}`));
    expect(world.slack.ledger.calls('blocks.validate')).toHaveLength(kinds.length);
  });

  it('says what Slack has against one, and goes on', async () => {
    const refused = await check([BAD, GOOD]);

    expect(refused).toBe(1);
    expect(lines[0]).toMatch(/^✗ an empty sentence\n {4}\/blocks\/0\/text\/text must be more than 0 characters$/);
    expect(lines[1]).toBe('✓ a sentence');
  });

  it('waits where Slack says so', async () => {
    world.slack.faults.next('blocks.validate', { kind: 'rateLimited', retryAfterSeconds: 1 });

    expect(await check([GOOD])).toBe(0);
    expect(world.slack.ledger.calls('blocks.validate')).toHaveLength(2);
  });

  it('stops with a sentence where Slack cannot be reached', async () => {
    await expect(check([GOOD], 'http://127.0.0.1:9/api/')).rejects.toThrow(/Slack cannot be reached at .*ECONNREFUSED/);
  });

  it('stops with a sentence where somebody else answers', async () => {
    world.slack.faults.next('blocks.validate', { kind: 'html' });

    await expect(check([GOOD])).rejects.toThrow(/did not answer the question: status 200/);
  });
});

describe('npm run check:slack -- --blocks', () => {
  const run = (...options: string[]) => runScript(['check-slack.ts', '--blocks', ...options], {});

  it('asks about what was named, and names every kind without asking anybody', async () => {
    const only = ['--only', 'the notice help', '--per-minute', '6000', '--url', world.slack.apiUrl];

    const taken = await run(...only);
    const listed = await run('--list', '--only', 'the notice');

    expect(taken).toEqual({
      status: 0,
      report: '✓ the notice help (en)\n✓ the notice help (de)\nSlack takes all 2.\n',
    });
    expect(listed.status).toBe(0);
    expect(listed.report.split('\n')).toContain('the notice stopped (de)');
  });
});

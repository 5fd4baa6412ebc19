import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createChannelAudience } from '../../src/slack/channel-audience.ts';
import { readQuotedThread } from '../../src/slack/quotes/read-quoted-thread.ts';
import { readPages } from '../../src/slack/read-pages.ts';
import { useSandboxSlack } from './a-slack.ts';

const CHANNEL = 'C0GENERAL';

const world = useSandboxSlack();

/** More than the app reads in one answer of Slack. */
async function say(count: number, text: string): Promise<string[]> {
  const said: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const [threadTs] = said;
    const { ts } = await world.slack.as('U0ANA').say(CHANNEL, `${number} ${text}`, {
      ...(threadTs && { threadTs }),
      await: 'none',
    });
    said.push(ts);
  }
  return said;
}

describe('what is more than the app reads in one answer of Slack', () => {
  it('is read from a thread, each message once, and quoted from its root to its end', async () => {
    const said = await say(120, 'word '.repeat(7_800));
    const [root = ''] = said;
    const range = { channel: CHANNEL, threadTs: root };

    const read = await readPages(world.call, world.slack.teamId, {
      ...range,
      oldest: root,
      inclusive: true,
      purpose: 'x',
    });
    const window = { ...range, before: said.at(-1) };
    const thread = await readQuotedThread(world.call, world.installation, window, 'notice');

    expect(read.map(({ ts }) => ts)).toEqual(said);
    expect(thread).toMatchObject({ root, isWhole: true });
    expect(thread.messages[0]?.text).toMatch(/^0 word/);
    expect(thread.messages.at(-1)?.ts).toBe(said.at(-2));
    expect(thread.messages.length + thread.skipped).toBe(119);
  });

  it('is read where people are listed', async () => {
    const { slack, call, installation } = world;
    for (let number = 0; number < 1_500; number += 1) {
      const status = number % 500 === 0 ? '😀' : 'long '.repeat(900);
      slack.workspace.addUser({ id: `U0MANY${number}`, name: `many${number}`, realName: status });
      slack.workspace.channel(CHANNEL).members.add(`U0MANY${number}`);
    }
    const audience = createChannelAudience({
      call,
      findInstallation: async () => installation,
      channels: { look: async () => ({ isShared: false, isMember: true, teams: [slack.teamId] }) },
      now: Date.now,
      log: createLog('silent'),
    });

    // It waits for no longer than five seconds, and goes on meanwhile.
    await expect.poll(() => audience.look(slack.teamId, CHANNEL)).toBe('members');
  });
});

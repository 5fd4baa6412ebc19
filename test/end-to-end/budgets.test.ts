import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ environment: { SLACK_BUDGETS: 'documented' } });

describe('within the limits that Slack documents', () => {
  it('a channel gets a few answers at once, the rest one a second, and all of them once', async () => {
    const questions = await Promise.all(Array.from({ length: 6 }, (_, index) => world.ask(`question ${index}`)));
    for (const question of questions) await world.waitForReplies(question);

    const posts = world.slack.ledger
      .calls('chat.postMessage')
      .filter(({ arguments: args }) => args.channel === CHANNEL);
    const sorted = posts.map(({ at }) => at).toSorted((a, b) => a - b);
    expect(sorted).toHaveLength(6);
    expect((sorted[5] ?? 0) - (sorted[0] ?? 0)).toBeGreaterThan(1_500);
    for (const question of questions) expect(world.repliesIn(question)).toHaveLength(1);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { askDoctor } from '../app/administer.ts';
import { ANA, KIM } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';
import { CHANNEL } from './live-world.ts';

const world = shareAdminWorld({ environment: { SLACK_BUDGETS: 'documented' } });

describe('/assistant-admin doctor', () => {
  beforeAll(async () => {
    await world.slack.verifyUrl();
    await world.ask('hello', { channel: world.slack.as(ANA).dm });
  });

  it('says in short that all is well, and what was looked at, without a token for the administrative interface', async () => {
    world.admin.ledger.clear();

    const text = await askDoctor(world, KIM);

    expect(text).toContain('*Doctor*: All is well.');
    expect(text).toMatch(
      /In order: Configuration \(2 checks\), This machine \(2 checks\), App \(2 checks\), Store \(3 checks\), .*Policy.*Sign-in/,
    );
    expect(text).not.toMatch(/:x:|:warning:/);
    expect(world.admin.ledger.requests.filter(({ status }) => status !== 401)).toEqual([]);
  });

  it('tells in full only what does not work, with what to do', async () => {
    const until = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
    await world.decide(await world.open('limit travel 2000'), { until });

    const text = await askDoctor(world, KIM);

    expect(text).toMatch(
      /^\*Doctor\*: 0 errors, 1 warning\.\n\*Policy\*\n:warning: 1 exception of the policy ends within a week\..*\nIn order: Configuration/,
    );
    expect(text).not.toContain('It can be reached at');
  });
});

describe('within the limits that Slack documents', () => {
  it('a channel gets a few answers at once, the rest one a second, and all of them once', async () => {
    await world.signIn('U0ANA');
    world.slack.ledger.clear();
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

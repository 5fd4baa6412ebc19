// That it shows no secret is in canary.test.ts.
import { beforeAll, describe, expect, it } from 'vitest';
import { askDoctor } from '../app/administer.ts';
import { ANA, KIM } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

describe('/assistant-admin doctor', () => {
  const world = shareAdminWorld({ environment: { SLACK_BUDGETS: 'documented' } });

  beforeAll(async () => {
    await world.slack.verifyUrl();
    await world.ask('hello', { channel: world.slack.as(ANA).dm });
  });

  it('says in short that all is well, and what was looked at', async () => {
    const text = await askDoctor(world, KIM);

    expect(text).toContain('*Doctor*: All is well.');
    expect(text).toMatch(
      /In order: Configuration \(2 checks\), This machine \(2 checks\), App \(2 checks\), Store \(3 checks\), .*Policy.*Sign-in/,
    );
    expect(text).not.toMatch(/:x:|:warning:/);
  });

  it('needs no sign-in to the administrative interface, and asks nobody there anything with a token', async () => {
    world.admin.ledger.clear();

    await askDoctor(world, KIM);

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

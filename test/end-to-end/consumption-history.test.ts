import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeModals, giveAdminCommand, signInAsAdmin } from '../app/administer.ts';
import { KIM, type ReviewWorld, startReviewWorld } from './scheduled-review-world.ts';

let world: ReviewWorld;

beforeAll(async () => {
  world = await startReviewWorld({ cron: '0 3 1 1 *' });
});
afterAll(() => world.stop());

const entitlements = () => world.admin.ledger.count('/entitlements');

async function tell(text: string): Promise<string> {
  const shown = world.slack.render(await giveAdminCommand(world, KIM, text));
  await closeModals(world, KIM);
  return shown;
}

describe('the consumption of days', () => {
  it('is recorded once a day with the sign-in of the reviewer, and told in usage', async () => {
    const first = await world.start();
    await signInAsAdmin(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
    const before = await tell('usage');
    await first.kill('SIGTERM');
    world.admin.ledger.clear();

    const second = await world.start();
    await world.slack.until(() => second.lines.some((line) => line.includes('consumption recorded')), {
      what: 'a record',
    });
    const recorded = entitlements();
    await second.kill('SIGTERM');
    await world.start();
    const after = await tell('usage');
    const ofOne = await tell('usage contoso production');

    expect(before).not.toContain('This month until');
    expect(recorded).toBe(3);
    expect(after).toMatch(/This month until \d+ \w+: 18,250 credits\. Of the month before nothing is recorded\./);
    expect(ofOne).toMatch(/This month until \d+ \w+: 18,250 credits/);
    // Each environment for the overview, and the one that was asked for: the third process recorded nothing more.
    expect(entitlements()).toBe(recorded + 3 + 1);
  });
});

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
  it('is recorded once a day with the sign-in of the reviewer, and said in the list', async () => {
    const first = await world.start();
    await signInAsAdmin(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
    const before = await tell('environments');
    await first.kill('SIGTERM');
    world.admin.ledger.clear();

    const second = await world.start();
    await world.slack.until(() => second.lines.some((line) => line.includes('consumption recorded')), {
      what: 'a record',
    });
    const recorded = entitlements();
    await second.kill('SIGTERM');
    await world.start();
    const month = await tell(`environments ${new Date().toISOString().slice(0, 7)} csv`);

    expect(before).toContain('used 18,250 (73 %)');
    expect(recorded).toBe(3);
    // The third process recorded nothing more, and a month is read from what was recorded.
    expect(month).toMatch(/I sent it to you in our direct messages: environments-/);
    expect(entitlements()).toBe(recorded);
  });
});

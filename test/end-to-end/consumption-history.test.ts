import { describe, expect, it } from 'vitest';
import { giveAdminCommand, signInAsAdmin } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { openReviewWorld } from './scheduled-review-world.ts';

describe('the consumption of days', () => {
  it('is recorded once a day with the sign-in of the reviewer, and said in the list', async () => {
    const world = await openReviewWorld({ environment: { REVIEW_CRON: '0 3 1 1 *' } });
    const entitlements = () => world.admin.ledger.count('/entitlements');
    await signInAsAdmin(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
    const before = await world.tell('environments');
    await world.app.kill('SIGTERM');
    world.admin.ledger.clear();

    await world.restart();
    await world.untilLogged('consumption recorded');
    const recorded = entitlements();
    await world.restart('SIGTERM');
    const month = await world.tell(`environments ${new Date().toISOString().slice(0, 7)} csv`);

    expect(before).toContain('used 18,250 (73 %)');
    expect(recorded).toBe(3);
    // The third process recorded nothing more, and a month is read from what was recorded.
    expect(month).toMatch(/I sent it to you in our direct messages: environments-/);
    expect(entitlements()).toBe(recorded);
  });
});

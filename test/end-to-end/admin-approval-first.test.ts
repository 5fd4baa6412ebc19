// Where the service does not show limits: only what allows more than what was set from here is put to a second admin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, openLimitModal } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

const RUNS = { stop_decision: 'It is not stopped' };

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({}, { ADMIN_USERS: 'U0KIM,U0BEN', REQUIRE_SECOND_APPROVER: 'yes' });
});
afterAll(() => world.stop());

async function openTravelPlanner() {
  await closeModals(world, KIM);
  return openLimitModal(world, KIM, 'Travel Planner');
}

describe('a limit on a service that does not show limits', () => {
  it('is set at once where it is the first one, and where it is lower; a higher one waits for another admin', async () => {
    const first = await world.set(await openTravelPlanner(), { limit: '100', ...RUNS });
    const lower = await world.set(await openTravelPlanner(), { limit: '50', ...RUNS });
    await world.slack.as(KIM).submit(await openTravelPlanner(), { limit: '51', ...RUNS });
    const higher = world.slack.render(await awaitModal(world, KIM, 'admin_limit_confirm'));

    expect(first).toContain('*Applied, not verified*: the service took the limit');
    expect(lower).toContain('Monthly limit: 100 credits → *50 credits*');
    expect(higher).toContain('Who approves?');
    expect([...world.admin.state.thresholds.values()].filter(({ resourceId }) => resourceId === 'bot-2')).toMatchObject(
      [{ limit: 50, stopResource: false }],
    );
  });
});

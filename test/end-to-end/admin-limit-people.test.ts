import { CURRENCY, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, nextPrivate, openLimitModal, readPrivate } from '../app/administer.ts';
import { type AdminWorld, KIM, signInWithKimsAccount, startAdminWorld, WHY } from './admin-world.ts';

const ANA = 'U0ANA';
const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } }, { ADMIN_USERS: `${ANA}, ${KIM}` });
  world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-2'), {
    ...{ entitlementId: CURRENCY, environmentId: PRODUCTION, resourceId: 'bot-2', limit: 1_000 },
    ...{ notificationThreshold: 80, notifyIfOverCapacity: true, stopIfOverCapacity: false, stopResource: false },
    ...{ resourceConsumption: 0, createdOn: '2026-01-15T08:00:00Z' },
  });
  await signInWithKimsAccount(world, ANA);
});
afterAll(() => world.stop());

/** Goes as far as the confirmation. */
async function review(user: string, limit: string): Promise<View> {
  const form = await openLimitModal(world, user, 'Travel Planner');
  await world.slack.as(user).submit(form, { limit });
  return awaitModal(world, user, 'admin_limit_confirm');
}

/** Returns the message about how it ended. */
async function confirm(user: string, confirmation: View): Promise<string> {
  const count = readPrivate(world, user).length;
  await world.slack.as(user).submit(confirmation, WHY);
  return world.slack.render(await nextPrivate(world, user, count));
}

describe('two admins', () => {
  it('who set the limit of the same agent at once: one succeeds, the other sees both values', async () => {
    const confirmations = { kim: await review(KIM, '2000'), ana: await review(ANA, '3000') };
    // Long enough for both to have looked before either writes, if nothing keeps them apart.
    world.admin.faults.always('delay', { on: 'list-thresholds', ms: 300 });

    const outcomes = await Promise.all([confirm(KIM, confirmations.kim), confirm(ANA, confirmations.ana)]);

    const [won, lost] = outcomes.sort(
      (one, other) => Number(other.includes('Verified')) - Number(one.includes('Verified')),
    );
    const limit = world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'))?.limit;
    expect(won).toContain('*Verified*');
    expect(lost).toContain('*Conflict*: somebody changed the limit of *Travel Planner*');
    expect(lost).toContain('Expected: *1,000* credits');
    expect(lost).toMatch(/Found: \*[23],000\* credits/);
    expect(limit).toBeOneOf([2_000, 3_000]);
    expect(lost).toContain(`Found: *${limit?.toLocaleString('en-US')}* credits`);
    expect(world.admin.ledger.count(({ method }) => method === 'PUT')).toBe(1);
  });
});

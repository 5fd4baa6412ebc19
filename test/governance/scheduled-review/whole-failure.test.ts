import { describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import { findWholeFailure } from '../../../src/governance/scheduled-review/review-news.ts';
import {
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  reviewWorld,
  type World,
} from '../review/review-world.ts';

const names = ['env-1', 'env-2', 'env-3', 'env-4'];

function aTenant(): World {
  return aWorld({
    environments: names.map((name) => anEnvironment({ name })),
    register: aRegister({ environments: names.map((id) => aRegisteredEnvironment({ id })) }),
  });
}

describe('a review', () => {
  it('counts where it read everything, and where some could not be read', async () => {
    const world = aTenant();
    expect(findWholeFailure(await reviewWorld(world))).toBeUndefined();
    for (const name of names.slice(0, 2)) world.allocations.set(name, new AdminUnreachableError('read'));

    expect(findWholeFailure(await reviewWorld(world))).toBeUndefined();
  });

  it('does not count where more than half could not be read for one reason', async () => {
    const world = aTenant();
    for (const name of names.slice(0, 3)) world.allocations.set(name, new AdminRefusedError('admin_forbidden', 'read'));

    expect(findWholeFailure(await reviewWorld(world))).toBe('admin_forbidden');
  });

  it('does not count where the sign-in ended on the way', async () => {
    const world = aTenant();
    world.allocations.set('env-4', new AdminRefusedError('admin_unauthorized', 'read'));

    expect(findWholeFailure(await reviewWorld(world))).toBe('admin_unauthorized');
  });

  it('does not count where a list could not be read, but does where it is not complete', async () => {
    const findAgents = async () => {
      throw new AdminRefusedError('admin_forbidden', 'query');
    };
    const unread = await reviewWorld(aTenant(), { ports: { findAgents } });
    const truncated = await reviewWorld({ ...aTenant(), truncated: { environments: true, agents: true } });

    expect(findWholeFailure(unread)).toBe('admin_forbidden');
    expect(findWholeFailure(truncated)).toBeUndefined();
  });

  it('does not count where the limits of agents could not be read', async () => {
    const openLimits = async () => {
      throw new AdminUnreachableError('read thresholds');
    };

    expect(findWholeFailure(await reviewWorld(aTenant(), { ports: { openLimits } }))).toBe('admin_unreachable');
  });
});

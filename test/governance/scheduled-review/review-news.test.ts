import { describe, expect, it } from 'vitest';
import { diffReviews } from '../../../src/governance/review/review-diff.ts';
import type { Review } from '../../../src/governance/review/review-summary.ts';
import { listOwners, toFindingItems } from '../../../src/governance/scheduled-review/owner-items.ts';
import { hasNews, toNews } from '../../../src/governance/scheduled-review/review-news.ts';
import {
  aCurrency,
  aDeployed,
  anAgent,
  anAllocation,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  reviewWorld,
  type World,
} from '../review/review-world.ts';

/** Five environments, of which the register names all but the last. */
function aTenant(): World {
  const names = ['env-1', 'env-2', 'env-3', 'env-4', 'env-5'];
  return aWorld({
    environments: names.map((name) => anEnvironment({ name, displayName: name.toUpperCase(), ownerId: `of-${name}` })),
    agents: [anAgent({ environmentId: 'env-4' })],
    register: aRegister({
      environments: names.slice(0, 4).map((id) => aRegisteredEnvironment({ id, owners: [`${id}@acme.example`] })),
    }),
  });
}

const drifting = (rules: object, allocated = 0) => anAllocation(aCurrency({ rules, allocated }));

async function lookTwice(change: (world: World) => void): Promise<{ before: Review; after: Review }> {
  const world = aTenant();
  world.allocations.set('env-5', anAllocation(aCurrency()));
  const before = await reviewWorld(world);
  change(world);
  return { before, after: await reviewWorld(world) };
}

async function changed(change: (world: World) => void) {
  const { before, after } = await lookTwice(change);
  const diff = diffReviews(diffReviews(undefined, before).snapshot, after);
  return { diff, after, news: toNews(diff, after) };
}

describe('news', () => {
  it('begin with what newly draws on the tenant pool, then what allows more, then the rest', async () => {
    const { news } = await changed((world) => {
      world.limits.set('agent-1', aDeployed({ limit: 10 }));
      world.allocations.set('env-1', drifting({ Alert: true }, 5));
      world.allocations.set('env-2', drifting({ TenantPool: true }));
      world.allocations.set('env-3', 'none');
      world.allocations.set('env-5', anAllocation(aCurrency({ rules: { TenantPool: 'absent' } })));
    });

    expect(news.items.map(({ finding, gravity, change }) => [finding.name, gravity, change])).toEqual([
      ['ENV-2', 'tenant_pool', 'new'],
      ['ENV-5', 'tenant_pool', 'changed'],
      ['ENV-1', 'looser', 'new'],
      ['The agent-1', 'drift', 'new'],
      ['ENV-3', 'unreadable', 'new'],
    ]);
    expect(news.items.map(({ environmentName }) => environmentName)).toEqual([
      undefined,
      undefined,
      undefined,
      'ENV-4',
      undefined,
    ]);
  });

  it('are none where nothing changed', async () => {
    const { news, diff, after } = await changed(() => {});

    expect(hasNews(news)).toBe(false);
    expect(toFindingItems(diff, after)).toEqual([]);
  });
});

describe('what owners are told', () => {
  it('is none of the first review, which would tell everybody of the holes in the register', async () => {
    const world = aTenant();
    world.allocations.set('env-1', drifting({ Deny: false }));
    const review = await reviewWorld(world);

    const diff = diffReviews(undefined, review);

    expect(hasNews(toNews(diff, review))).toBe(true);
    expect(toFindingItems(diff, review)).toEqual([]);
  });

  it('is drift and what nobody has approved, and not what only cannot be read or is gone', async () => {
    const { diff, after } = await changed((world) => {
      world.allocations.set('env-1', drifting({ Deny: false }));
      world.allocations.set('env-2', 'none');
      world.environments.splice(2, 1);
      world.environments.push(anEnvironment({ name: 'env-6' }));
    });

    const items = toFindingItems(diff, after);

    expect(items.map(({ finding, change }) => [finding.name, finding.status, change])).toEqual([
      ['ENV-1', 'drift', 'new'],
      ['env-6', 'unclassified', 'new'],
    ]);
    expect(items.map(({ finding }) => listOwners(finding))).toEqual([['env-1@acme.example', 'of-env-1'], ['owner-1']]);
  });

  it('is also that it is over', async () => {
    const world = aTenant();
    world.allocations.set('env-1', drifting({ Deny: false }));
    const { snapshot } = diffReviews(undefined, await reviewWorld(world));
    world.allocations.delete('env-1');
    const after = await reviewWorld(world);

    const items = toFindingItems(diffReviews(snapshot, after), after);

    expect(items.map(({ finding, change }) => [finding.name, change])).toEqual([['ENV-1', 'settled']]);
  });

  it('is of an agent with the owners of its environment at hand', async () => {
    const { diff, after } = await changed((world) => {
      world.limits.set('agent-1', aDeployed({ limit: 10_000 }));
    });

    const [item] = toFindingItems(diff, after);

    expect(item).toMatchObject({
      environmentName: 'ENV-4',
      environmentOwners: ['env-4@acme.example', 'of-env-4'],
    });
  });
});

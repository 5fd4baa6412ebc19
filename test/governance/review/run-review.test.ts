// How the sweep goes on, waits and stops; what it finds is told in environment-findings.test.ts and agent-findings.test.ts.
import { describe, expect, it, vi } from 'vitest';
import {
  AdminFailedError,
  AdminRefusedError,
  AdminThrottledError,
  AdminUnreachableError,
  AdminUnreadableError,
} from '../../../src/admin-api/admin-errors.ts';
import type { Review } from '../../../src/governance/review/review-summary.ts';
import {
  anAgent,
  anAllocation,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  reviewWorld,
  toPorts,
  type World,
} from './review-world.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `env-${index + 1}`);

/** Compliant, with one agent each. */
function aTenant(count: number) {
  return aWorld({
    register: aRegister({ environments: ids(count).map((id) => aRegisteredEnvironment({ id })) }),
    environments: ids(count).map((name) => anEnvironment({ name })),
    agents: ids(count).map((environmentId) => anAgent({ environmentId })),
  });
}

const statusesOf = ({ environments }: Review) => environments.map(({ environment }) => environment.status);

describe('a review', () => {
  it('is compliant and complete where everything is', async () => {
    const { summary, gaps } = await reviewWorld(aTenant(3));

    expect(summary).toMatchObject({
      environments: { compliant: 3 },
      agents: { compliant: 3 },
      unreadable: {},
      isComplete: true,
      isCompliant: true,
    });
    expect(gaps).toEqual({ environments: undefined, agents: undefined });
  });

  it.each<[string, (world: World) => void]>([
    ['drifts', ({ allocations }) => allocations.set('env-1', anAllocation())],
    ['is unclassified', ({ register }) => register.environments.shift()],
    ['has vanished', ({ environments, agents }) => [environments.shift(), agents.shift()]],
  ])('is complete, and not compliant, where one environment %s', async (_, change) => {
    const world = aTenant(3);
    change(world);

    expect((await reviewWorld(world)).summary).toMatchObject({ isComplete: true, isCompliant: false });
  });

  it.each([
    ['environments', { environments: true, agents: false }],
    ['agents', { environments: false, agents: true }],
  ])('is not compliant where the list of %s is truncated', async (_, truncated) => {
    const { summary } = await reviewWorld({ ...aTenant(2), truncated });

    expect(summary).toMatchObject({ environments: { compliant: 2 }, isComplete: false, isCompliant: false });
  });

  it('goes on where one environment fails', async () => {
    const world = aTenant(3);
    world.allocations.set('env-2', new AdminUnreadableError('read allocation'));

    const review = await reviewWorld(world);

    expect(statusesOf(review)).toEqual(['compliant', 'unreadable', 'compliant']);
    expect(review.summary).toMatchObject({ unreadable: { admin_unreadable: 1 }, isCompliant: false });
  });

  it('goes on where something fails that nobody thought of, and hands the error over', async () => {
    const world = aTenant(3);
    const bug = new TypeError('a bug');
    world.allocations.set('env-2', bug);
    const told: unknown[] = [];

    const review = await reviewWorld(world, { onUnexpected: (error) => told.push(error) });

    expect(statusesOf(review)).toEqual(['compliant', 'unreadable', 'compliant']);
    expect(review.environments[1]?.environment.reason).toBe('unexpected');
    expect(told).toEqual([bug]);
  });

  it('tells all agents unreadable, and the environments all the same, where limits fail', async () => {
    const openLimits = () => Promise.reject(new AdminUnreachableError('read thresholds'));

    const { summary } = await reviewWorld(aTenant(3), { ports: { openLimits } });

    expect(summary).toMatchObject({ environments: { compliant: 3 }, agents: { unreadable: 3 } });
  });

  it('tells what the register names where the inventory fails', async () => {
    const fail = () => Promise.reject(new AdminRefusedError('admin_forbidden', 'query inventory'));

    const review = await reviewWorld(aTenant(2), { ports: { findEnvironments: fail, findAgents: fail } });

    expect(statusesOf(review)).toEqual(['unreadable', 'unreadable']);
    expect(review.gaps).toEqual({ environments: 'admin_forbidden', agents: 'admin_forbidden' });
  });

  it('does not read the limits of agents for which nothing is approved', async () => {
    const world = aTenant(3);
    world.register = aRegister({ environments: [aRegisteredEnvironment({ unnamedAgents: undefined })] });
    const read: string[] = [];
    const openLimits = async () => async (agent: { name: string }) => {
      read.push(agent.name);
      throw new Error('not to be read');
    };

    await reviewWorld(world, { ports: { openLimits } });

    expect(read).toEqual([]);
  });

  it('is the same in whatever order the service lists and answers', async () => {
    const world = aTenant(12);
    const shuffled = { ...world, environments: world.environments.toReversed(), agents: world.agents.toReversed() };
    const ports = toPorts(shuffled);
    let turns = 0;
    const readAllocation = async (id: string) => {
      for (let left = (turns++ * 7) % 5; left > 0; left -= 1) await Promise.resolve();
      return ports.readAllocation(id);
    };

    const one = await reviewWorld(world);
    const other = await reviewWorld(shuffled, { ports: { readAllocation } });

    expect(other).toEqual(one);
    expect(one.environments.map(({ environment }) => environment.name).slice(0, 3)).toEqual([
      'env-1',
      'env-2',
      'env-3',
    ]);
  });
});

describe('its sweep', () => {
  it('reads a few environments at a time, and no more', async () => {
    const world = aTenant(20);
    const ports = toPorts(world);
    let reading = 0;
    let most = 0;
    const readAllocation = async (id: string) => {
      reading += 1;
      most = Math.max(most, reading);
      const allocation = await ports.readAllocation(id);
      reading -= 1;
      return allocation;
    };

    const review = await reviewWorld(world, { ports: { readAllocation }, concurrency: 3 });

    expect(most).toBe(3);
    expect(review.summary.environments.compliant).toBe(20);
  });

  it('tells how far it has come after each environment', async () => {
    const world = aTenant(3);
    world.allocations.set('env-1', { environmentId: 'env-1', currencyAllocations: [], others: {} });
    const told: unknown[] = [];

    await reviewWorld(world, { concurrency: 1, onProgress: (progress) => told.push(progress) });

    const drifting = [0, 1, 1, 1];
    expect(told).toEqual(drifting.map((count, done) => ({ environments: { done, total: 3 }, drifting: count })));
  });

  it('waits as long as the service says, once for all, and reads again', async () => {
    const world = aTenant(4);
    const ports = toPorts(world);
    const asked: string[] = [];
    const readAllocation = async (id: string) => {
      asked.push(id);
      if (asked.length <= 2) throw new AdminThrottledError('read allocation', 30_000);
      return ports.readAllocation(id);
    };
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
    };

    const review = await reviewWorld(world, { ports: { readAllocation }, concurrency: 2, wait });

    expect(statusesOf(review)).toEqual(Array(4).fill('compliant'));
    expect(waits).toEqual([30_000]);
  });

  it.each([
    ['429', new AdminThrottledError('read allocation', 30_000)],
    ['500', new AdminFailedError('read allocation', { retryAfterMs: 30_000 })],
    ['503', new AdminUnreachableError('read allocation', { status: 503, retryAfterMs: 30_000 })],
  ])('has one environment wait alone that answers %s, and names it with its cause', async (_, error) => {
    const world = aTenant(20);
    const asked: string[] = [];
    const readAllocation = async (id: string) => {
      asked.push(id);
      if (id === 'env-1') throw error;
      return anAllocation();
    };
    const waiting = Promise.withResolvers<void>();
    const wait = () => waiting.promise;
    const review = reviewWorld(world, { ports: { readAllocation }, wait });
    await vi.waitFor(() => expect(new Set(asked).size).toBe(20));
    const meanwhile = asked.filter((id) => id === 'env-1');
    waiting.resolve();

    const { environments } = await review;

    expect(meanwhile).toHaveLength(1);
    const unread = environments.filter(({ environment }) => environment.status === 'unreadable');
    expect(unread.map(({ environment }) => [environment.environmentId, environment.reason])).toEqual([
      ['env-1', error.code],
    ]);
  });

  it('waits longer from time to time where the service does not say, and gives one environment up', async () => {
    const world = aTenant(2);
    world.allocations.set('env-1', new AdminThrottledError('read allocation', undefined));
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
    };

    const review = await reviewWorld(world, { concurrency: 1, wait });

    expect(statusesOf(review)).toEqual(['unreadable', 'compliant']);
    expect(waits).toEqual([2000, 4000, 8000]);
  });

  it.each([
    ['has no answer for one environment', new AdminUnreachableError('read allocation'), [1000]],
    ['fails at one environment', new AdminFailedError('read allocation'), [1000]],
    [
      'answers nothing for now',
      new AdminUnreachableError('read allocation', { retryAfterMs: 10_000 }),
      [10_000, 10_000, 10_000, 1000, 10_000, 10_000, 10_000],
    ],
    ['says to come again at once', new AdminThrottledError('read allocation', 0), [1000, 1000, 1000]],
  ])('waits where the service %s', async (_, error, expected) => {
    const world = aTenant(2);
    world.allocations.set('env-1', error);
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
    };

    const review = await reviewWorld(world, { concurrency: 1, wait });

    expect(statusesOf(review)).toEqual(['unreadable', 'compliant']);
    expect(waits).toEqual(expected);
  });

  it('reads once more, together and at the end, what failed, and waits once for all of it', async () => {
    const world = aTenant(100);
    for (const id of ids(60)) world.allocations.set(id, new AdminFailedError('read allocation'));
    const { readAllocation } = toPorts(world);
    const read: string[] = [];
    const waits: unknown[] = [];

    const review = await reviewWorld(world, {
      ports: {
        readAllocation: (id) => {
          read.push(id);
          return readAllocation(id);
        },
      },
      wait: async (ms, _signal, cause) => {
        waits.push([ms, cause]);
        for (const id of ids(40)) world.allocations.delete(id);
      },
    });

    expect(review.summary).toMatchObject({
      environments: { unreadable: 20, compliant: 80 },
      unreadable: { admin_failed: 20 },
    });
    expect(waits).toEqual([[1000, 'some_failed']]);
    expect(read).toHaveLength(160);
    expect(new Set(read.slice(0, 100)).size).toBe(100);
  });

  it('waits for the inventory, on which everything rests', async () => {
    const world = aTenant(2);
    const { findEnvironments } = toPorts(world);
    const waits: unknown[] = [];
    const ports = {
      findEnvironments: async () => {
        if (waits.length < 2) throw new AdminFailedError('query');
        return findEnvironments();
      },
    };

    const review = await reviewWorld(world, {
      ports,
      wait: async (ms, _signal, cause) => void waits.push([ms, cause]),
    });

    expect(waits).toEqual([
      [2000, 'no_answer'],
      [4000, 'no_answer'],
    ]);
    expect(statusesOf(review)).toEqual(Array(2).fill('compliant'));
  });

  it('asks for nothing more where the service stays too busy for ten minutes', async () => {
    const world = aTenant(50);
    let calls = 0;
    const readAllocation = async () => {
      calls += 1;
      throw new AdminThrottledError('read allocation', 3_600_000);
    };
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
    };

    const review = await reviewWorld(world, { ports: { readAllocation }, concurrency: 1, wait });

    expect(waits).toEqual(Array(10).fill(60_000));
    expect(review.summary.environments).toMatchObject({ unreadable: 50 });
    expect(calls).toBeLessThan(20);
  });

  it('asks for nothing more where the sign-in has ended', async () => {
    const world = aTenant(50);
    let calls = 0;
    const readAllocation = async () => {
      calls += 1;
      throw new AdminRefusedError('admin_unauthorized', 'read allocation');
    };

    const review = await reviewWorld(world, { ports: { readAllocation }, concurrency: 1 });

    expect(calls).toBe(1);
    expect(review.summary).toMatchObject({ unreadable: { admin_unauthorized: 100 }, isCompliant: false });
  });

  it('ends with the reason of the signal, and reads nothing after it', async () => {
    const world = aTenant(50);
    const ports = toPorts(world);
    const stop = new AbortController();
    let calls = 0;
    const readAllocation = async (id: string) => {
      calls += 1;
      if (calls === 5) stop.abort(new Error('cancelled'));
      return ports.readAllocation(id);
    };

    const running = reviewWorld(world, { ports: { readAllocation }, concurrency: 2, signal: stop.signal });

    await expect(running).rejects.toThrow('cancelled');
    expect(calls).toBeLessThan(8);
  });

  it('ends while it waits as well', async () => {
    const world = aTenant(2);
    world.allocations.set('env-1', new AdminThrottledError('read allocation', 30_000));
    const stop = new AbortController();
    const wait = async () => {
      stop.abort(new Error('cancelled'));
      throw new DOMException('broken off', 'AbortError');
    };

    await expect(reviewWorld(world, { wait, signal: stop.signal })).rejects.toThrow('cancelled');
  });
});

import { describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { diffReviews, type ReviewDiff, type ReviewSnapshot } from '../../../src/governance/review/review-diff.ts';
import { anAgentLimit } from '../shell/samples.ts';
import {
  aCurrency,
  aDeployed,
  anAgent,
  anAllocation,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  CURRENCY,
  NOW,
  reviewWorld,
  STALE_MS,
  type World,
} from './review-world.ts';

const ON_POOL = new Map([['env-1', anAllocation(aCurrency({ rules: { TenantPool: true } }))]]);
const OVER_LIMIT = new Map([['agent-1', aDeployed({ limit: 900 })]]);

/** As it is kept from one time to the next. */
async function look(world: Partial<World>, previous?: ReviewSnapshot, now = NOW): Promise<ReviewDiff> {
  const kept = previous && (JSON.parse(JSON.stringify(previous)) as ReviewSnapshot);
  return diffReviews(kept, await reviewWorld(aWorld(world), { now: () => now }));
}

const told = ({ changes }: ReviewDiff) =>
  changes.map(({ key, kind, before, finding }) => [key, kind, before, finding?.status]);

async function lookTwice(first: Partial<World>, second: Partial<World>) {
  return told(await look(second, (await look(first)).snapshot));
}

describe('what changed', () => {
  it('is everything that is not in order, the first time', async () => {
    const diff = await look({ allocations: ON_POOL, limits: OVER_LIMIT });

    expect(diff).toMatchObject({ isFirst: true, isRegisterChanged: false });
    expect(told(diff)).toEqual([
      ['env-1', 'new', undefined, 'drift'],
      ['env-1\nagent-1', 'new', undefined, 'drift'],
    ]);
  });

  it('is nothing where all is as it was, in order or not', async () => {
    expect(await lookTwice({}, {})).toEqual([]);
    expect(
      await lookTwice({ allocations: ON_POOL, limits: OVER_LIMIT }, { allocations: ON_POOL, limits: OVER_LIMIT }),
    ).toEqual([]);
  });

  it('is what is in order again', async () => {
    expect(await lookTwice({ allocations: ON_POOL, limits: OVER_LIMIT }, {})).toEqual([
      ['env-1', 'resolved', 'drift', 'compliant'],
      ['env-1\nagent-1', 'resolved', 'drift', 'compliant'],
    ]);
  });

  it('is drift that has become another', async () => {
    const further = new Map([['env-1', anAllocation(aCurrency({ allocated: 5, rules: { TenantPool: true } }))]]);

    expect(await lookTwice({ allocations: ON_POOL }, { allocations: further })).toEqual([
      ['env-1', 'changed', 'drift', 'drift'],
    ]);
  });

  it('is an exception that has run out', async () => {
    const accepts = { setting: 'TenantPool', currency: CURRENCY, value: 'on' } as const;
    const exception = { agent: undefined, accepts, reason: 'r', approver: 'a', expiresOn: '2026-03-04' };
    const register = aRegister({ environments: [aRegisteredEnvironment({ exceptions: [exception] })] });
    const world = { register, allocations: ON_POOL };

    const first = await look(world);
    const second = await look(world, first.snapshot, NOW + 24 * 60 * 60 * 1000);

    expect(told(second)).toEqual([['env-1', 'changed', 'approved_exception', 'drift']]);
  });

  it('is one of several exceptions that has run out', async () => {
    const values = { agent: undefined, reason: 'r', approver: 'a', expiresOn: '2026-03-04' };
    const accepts = { setting: 'TenantPool', currency: CURRENCY, value: 'on' } as const;
    const register = aRegister({ environments: [aRegisteredEnvironment({ exceptions: [{ ...values, accepts }] })] });
    const allocation = anAllocation(aCurrency({ allocated: 5, rules: { TenantPool: true } }));
    const world = { register, allocations: new Map([['env-1', allocation]]) };

    const first = await look(world);
    const second = await look(world, first.snapshot, NOW + 24 * 60 * 60 * 1000);

    expect(told(second)).toEqual([['env-1', 'changed', 'drift', 'drift']]);
  });

  it('is a new environment that has begun to draw on the pool', async () => {
    const register = aRegister({ environments: [] });

    expect(await lookTwice({ register }, { register, allocations: ON_POOL })).toEqual([
      ['env-1', 'changed', 'unclassified', 'unclassified'],
    ]);
  });

  it('is what has gone, once', async () => {
    const register = aRegister({ environments: [] });
    const first = await look({ register });
    const nothing = { register, environments: [], agents: [] };

    const second = await look(nothing, first.snapshot);
    const third = await look(nothing, second.snapshot);

    expect(told(second)).toEqual([['env-1', 'gone', 'unclassified', undefined]]);
    expect(told(third)).toEqual([]);
  });

  it('says whether the register was changed in between', async () => {
    const { snapshot } = await look({});

    const diff = await look({}, { ...snapshot, registerHash: 'another' });

    expect(diff).toMatchObject({ isFirst: false, isRegisterChanged: true });
  });
});

describe('what is not known', () => {
  const unreadable = new Map([['env-1', new AdminUnreachableError('read allocation')]]);

  it('is news once, and the same drift is none when it can be read again', async () => {
    const first = await look({ allocations: ON_POOL });
    const second = await look({ allocations: unreadable }, first.snapshot);
    const third = await look({ allocations: unreadable }, second.snapshot);
    const fourth = await look({ allocations: ON_POOL }, third.snapshot);

    expect([second, third, fourth].map(told)).toEqual([[['env-1', 'changed', 'drift', 'unreadable']], [], []]);
  });

  it('is unreadable for whatever reason', async () => {
    const forbidden = new Map([['env-1', new AdminRefusedError('admin_forbidden', 'read allocation')]]);

    expect(await lookTwice({ allocations: unreadable }, { allocations: forbidden })).toEqual([]);
  });

  it('is not gone, and not resolved, where the inventory is truncated', async () => {
    const register = aRegister({ environments: [aRegisteredEnvironment({ id: 'env-1' })] });
    const agents = [anAgent(), anAgent({ name: 'agent-2' })];
    const truncated = { environments: true, agents: true };
    const first = await look({ register, agents, allocations: ON_POOL, limits: OVER_LIMIT });

    const second = await look({ register, environments: [], agents: [], truncated }, first.snapshot);
    const third = await look({ register, agents, allocations: ON_POOL, limits: OVER_LIMIT }, second.snapshot);

    expect([second, third].map(told)).toEqual([[], []]);
  });

  it('is kept back where no limit is told at all', async () => {
    const untold = new Map([['agent-1', { source: 'unknown' } as const]]);
    const first = await look({ limits: OVER_LIMIT });

    const second = await look({ limits: untold }, first.snapshot);
    const third = await look({ limits: OVER_LIMIT }, second.snapshot);

    expect([second, third].map(told)).toEqual([[], []]);
    expect(await lookTwice({}, { limits: untold })).toEqual([]);
  });

  const lastSet = (credits: number) => {
    const limit = anAgentLimit({ limit: credits, stopWhenReached: true });
    return new Map([['agent-1', { source: 'last_set', limit, setAt: NOW, setBy: 'U1' } as const]]);
  };

  it('counts as resolved where what was last set from here showed drift, and was set as approved since', async () => {
    expect(await lookTwice({ limits: lastSet(900) }, { limits: lastSet(500) })).toEqual([
      ['env-1\nagent-1', 'resolved', 'drift', 'as_far_as_told'],
    ]);
  });

  const stale = new Map([['agent-1', { ...lastSet(500).get('agent-1'), setAt: NOW - STALE_MS - 1 } as KnownLimit]]);

  it('is news where what was set from here gets stale, and is resolved once it is set again', async () => {
    const first = await look({ limits: lastSet(500) });
    const second = await look({ limits: stale }, first.snapshot);
    const third = await look({ limits: stale }, second.snapshot);
    const fourth = await look({ limits: lastSet(500) }, third.snapshot);

    expect([first, second, third, fourth].map(told)).toEqual([
      [],
      [['env-1\nagent-1', 'new', undefined, 'unreadable']],
      [],
      [['env-1\nagent-1', 'resolved', 'unreadable', 'as_far_as_told']],
    ]);
  });

  it('is news of each new agent where the service shows no limits', async () => {
    const untold = new Map(['agent-1', 'agent-2'].map((name) => [name, { source: 'unknown' } as const]));
    const first = await look({ limits: untold });
    const second = await look({ limits: untold, agents: [anAgent(), anAgent({ name: 'agent-2' })] }, first.snapshot);
    const third = await look({ limits: lastSet(500) }, second.snapshot);

    expect([first, second, third].map(told)).toEqual([
      [['env-1\nagent-1', 'new', undefined, 'unreadable']],
      [['env-1\nagent-2', 'new', undefined, 'unreadable']],
      [
        ['env-1\nagent-1', 'resolved', 'unreadable', 'as_far_as_told'],
        ['env-1\nagent-2', 'gone', 'unreadable', undefined],
      ],
    ]);
    expect([first, third].map(({ snapshot }) => snapshot.untold)).toEqual([0, 1]);
  });

  it('is kept back where the deployment showed drift, and now only what was set from here is known', async () => {
    const first = await look({ limits: OVER_LIMIT });
    const second = await look({ limits: lastSet(500) }, first.snapshot);
    const third = await look({ limits: OVER_LIMIT }, second.snapshot);
    const fourth = await look({}, third.snapshot);

    expect([second, third].map(told)).toEqual([[], []]);
    expect(told(fourth)).toEqual([['env-1\nagent-1', 'resolved', 'drift', 'compliant']]);
  });

  it('is no news where the same drift is known from elsewhere now', async () => {
    expect(await lookTwice({ limits: OVER_LIMIT }, { limits: lastSet(900) })).toEqual([]);
    expect(await lookTwice({ limits: lastSet(900) }, { limits: OVER_LIMIT })).toEqual([]);
  });

  it('does not hide what was there before it: what was drift, and is in order again', async () => {
    const first = await look({ allocations: ON_POOL });
    const second = await look({ allocations: unreadable }, first.snapshot);

    expect(told(await look({}, second.snapshot))).toEqual([['env-1', 'resolved', 'drift', 'compliant']]);
  });
});

describe('an agent with two ids', () => {
  const limit = { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' } as const;
  const named = (id: string) =>
    aRegister({ environments: [aRegisteredEnvironment({ agents: [{ id, name: undefined, owners: [], limit }] })] });

  it('changes where it vanishes, whichever the register names it by', async () => {
    const register = named('bot-of-agent-1');

    expect(await lookTwice({ register, limits: OVER_LIMIT }, { register, agents: [] })).toEqual([
      ['env-1\nbot-of-agent-1', 'changed', 'drift', 'vanished'],
    ]);
  });

  it('is the same where the register begins to name it, or names it no more', async () => {
    const register = named('bot-of-agent-1');

    expect(await lookTwice({ limits: OVER_LIMIT }, { register, limits: OVER_LIMIT })).toEqual([]);
    expect(await lookTwice({ register, limits: OVER_LIMIT }, {})).toEqual([
      ['env-1\nagent-1', 'resolved', 'drift', 'compliant'],
    ]);
  });
});

describe('what its environment says already', () => {
  it('is not said again of each agent', async () => {
    const register = aRegister({ environments: [] });

    expect(told(await look({ register }))).toEqual([['env-1', 'new', undefined, 'unclassified']]);
    expect(await lookTwice({ limits: OVER_LIMIT }, { register, limits: OVER_LIMIT })).toEqual([
      ['env-1', 'new', undefined, 'unclassified'],
    ]);
  });
});

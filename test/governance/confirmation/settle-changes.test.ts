import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { Change, LimitChange } from '../../../src/governance/changes/change.ts';
import {
  type SettledEnd,
  type SettlePorts,
  settleChanges,
} from '../../../src/governance/confirmation/settle-changes.ts';
import { buildSettledChange, createChangeSettler } from '../../../src/governance/confirmation/slack-settled-changes.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { createLog } from '../../../src/log.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aDeployedLimit, aLimitChange, anAgentLimit, aThreshold, NOW } from '../shell/samples.ts';

const DAY_MS = 86_400_000;
const CHANGE: Partial<LimitChange> = {
  before: aDeployedLimit({ limit: 1000 }),
  after: anAgentLimit({ limit: 2000 }),
  at: NOW - 120_000,
};

type Given = {
  change?: Partial<LimitChange>;
  /** What is read of its limit. */
  read?: Threshold[] | 'not_offered' | Error;
  /** Thrown where the session is opened. */
  refused?: Error;
  isAdmin?: boolean;
};

async function aWorld({ change, read = [aThreshold({ limit: 2000 })], refused, isAdmin = true }: Given = {}) {
  const { changes } = createMemoryStore();
  await changes.begin(aLimitChange({ ...CHANGE, ...change }));
  const clock = { at: NOW };
  const told: [Change, SettledEnd][] = [];
  const arrives = { value: true };
  const openSession = sinon.spy(async () => {
    if (refused) throw refused;
    const found = (rows: object[]) => async () => ({ rows, truncated: false });
    return {
      readThresholds: async (currencyType?: string) => {
        if (read instanceof Error) throw read;
        return currencyType === change?.currencyType ? read : [];
      },
      findAgents: found([{ name: 'agent-1', agentResourceId: 'bot-1', displayName: 'Travel Planner' }]),
      findEnvironments: found([{ name: 'ENV-1', displayName: 'Production' }]),
    } as unknown as AdminSession;
  });
  const ports: SettlePorts = {
    ...{ changes, exclusively: createExclusively(), openSession, now: () => clock.at, log: createLog('silent') },
    rules: isAdmin
      ? [
          { kind: 'user', user: 'U1' },
          { kind: 'user', user: 'U2' },
        ]
      : [],
    lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
    allowance: { spend: async () => undefined },
    homeTeam: async () => undefined,
    tell: async (whose, end) => {
      told.push([whose, end]);
      return arrives.value;
    },
  };
  return {
    ports,
    changes,
    clock,
    told,
    arrives,
    openSession,
    settle: (stopping = new AbortController().signal) => settleChanges(ports, stopping),
    ends: () => told.map(([, end]) => end),
    outcome: async () => (await changes.get('change-1'))?.outcome,
  };
}

describe('a change that broke off', () => {
  it('is ended by what is there now, and told once to whoever made it, with the names of the service', async () => {
    const { settle, told, outcome, openSession } = await aWorld();

    await settle();
    await settle();

    expect(await outcome()).toEqual({ kind: 'verified', written: 'yes', reason: 'interrupted' });
    expect(told).toMatchObject([
      [
        { id: 'change-1', user: 'U1' },
        {
          kind: 'settled',
          outcome: { kind: 'verified' },
          names: { agent: 'Travel Planner', environment: 'Production' },
        },
      ],
    ]);
    expect(openSession.args).toEqual([[{ team: 'T1', user: 'U1' }]]);
  });

  it('is left to the lane of bulk changes where it is one of those', async () => {
    const { settle, told, changes } = await aWorld({ change: { id: '0123456789ab-7' } });

    await settle();
    const waiting = await changes.untold();
    await changes.finish('0123456789ab-7', { kind: 'verified', written: 'yes', reason: 'interrupted' });
    await settle();

    expect([waiting.length, await changes.untold(), told]).toEqual([1, [], []]);
  });

  it('is looked up in its own currency', async () => {
    const { settle, outcome } = await aWorld({ change: { currencyType: 'AI' } });

    await settle();

    expect(await outcome()).toMatchObject({ kind: 'verified' });
  });

  it('is told as what it was: a stop is no change of a limit', async () => {
    const { settle, told } = await aWorld({ change: { action: 'stop', currencyType: 'AI' } });
    await settle();
    const [[change, end] = []] = told;
    if (!change || !end) throw new Error('nothing was told');

    const { text } = buildSettledChange(change, end, { timeZone: 'UTC', reader: 'U1' });

    expect(text).toContain('of the state of *Travel Planner* in Production (AI)');
  });

  it('is told to who approved it once whoever made it is reached, and not again and again before', async () => {
    const { ports } = await aWorld({ change: { approvedBy: 'U2' } });
    const reached: string[] = [];
    let isGone = true;
    const settle = createChangeSettler({
      ...ports,
      messenger: {
        async postDirect({ user }: { user: string }) {
          if (user === 'U1' && isGone) throw new Error('gone');
          reached.push(user);
        },
      },
      timeZone: async () => 'UTC',
    } as unknown as Parameters<typeof createChangeSettler>[0]);

    await settle(new AbortController().signal);
    const early = [...reached];
    isGone = false;
    await settle(new AbortController().signal);

    expect([early, reached]).toEqual([[], ['U1', 'U2']]);
  });

  it('is told once by two replicas that find it at the same time', async () => {
    const { settle, told } = await aWorld();

    await Promise.all([settle(), settle()]);

    expect(told).toHaveLength(1);
  });

  it.each<[string, Given['read'], object]>([
    ['was not made', [aThreshold({ limit: 1000 })], { kind: 'failed', written: 'no' }],
    ['was overtaken', [aThreshold({ limit: 7 })], { kind: 'conflict', written: 'perhaps' }],
  ])('says that it %s', async (_, read, ended) => {
    const { settle, outcome, ends } = await aWorld({ read });

    await settle();

    expect(await outcome()).toMatchObject({ ...ended, reason: 'interrupted' });
    expect(ends()).toMatchObject([{ kind: 'settled', outcome: ended }]);
  });

  it('cannot be told where the service shows no limits', async () => {
    const { settle, ends } = await aWorld({ change: { before: { source: 'unknown' } }, read: 'not_offered' });

    await settle();

    expect(ends()).toMatchObject([{ kind: 'settled', outcome: { kind: 'applied_not_verified', written: 'perhaps' } }]);
  });

  it('is looked up with the account that sent it: that of the second admin, where there was one', async () => {
    const { settle, openSession } = await aWorld({ change: { approvedBy: 'U2' } });

    await settle();

    expect(openSession.args).toEqual([[{ team: 'T1', user: 'U2' }]]);
  });

  it('is left alone while its process may be at work on it, and while this one stops', async () => {
    const young = await aWorld({ change: { at: NOW - 119_999 } });
    const stopped = await aWorld();

    await young.settle();
    await stopped.settle(AbortSignal.abort());

    expect([...young.told, ...stopped.told]).toEqual([]);
  });

  it('waits until the service can be read, and is given up after a day, with the reason', async () => {
    const { settle, clock, ends, changes, outcome } = await aWorld({ read: new AdminUnreachableError('read') });

    await settle();
    const meanwhile = ends();
    clock.at += DAY_MS;
    await settle();
    await settle();

    expect(meanwhile).toEqual([]);
    expect(ends()).toMatchObject([{ kind: 'unreadable', sentence: expect.stringContaining('does not answer') }]);
    expect(await outcome()).toBeUndefined();
    expect(await changes.untold()).toEqual([]);
  });

  it.each<[string, Given, SettledEnd['kind']]>([
    ['the sign-in is gone', { refused: new AccountNotLinkedError('ended') }, 'signed_out'],
    ['the sign-in is refused', { read: new AdminRefusedError('admin_unauthorized', 'read') }, 'signed_out'],
    ['the account may not read', { read: new AdminRefusedError('admin_forbidden', 'read') }, 'unreadable'],
  ])('is told to be open, and left to the next look, where %s', async (_, given, kind) => {
    const { settle, ends, outcome } = await aWorld(given);

    await settle();
    await settle();

    expect(ends()).toMatchObject([{ kind }]);
    expect(await outcome()).toBeUndefined();
  });

  it('is neither looked up nor told for somebody who is no admin any more', async () => {
    const { settle, told, openSession, outcome } = await aWorld({ isAdmin: false });

    await settle();
    await settle();

    expect([told, openSession.callCount, await outcome()]).toEqual([[], 0, undefined]);
  });

  it('is told again until it arrives, for a day', async () => {
    const { settle, arrives, told } = await aWorld();
    arrives.value = false;

    await settle();
    await settle();
    arrives.value = true;
    await settle();
    await settle();

    expect(told).toHaveLength(3);
  });

  it('is told to whoever made it also where somebody else who opened the same has found out', async () => {
    const { changes, settle, ends } = await aWorld({ refused: new AccountNotLinkedError('ended') });
    await changes.finish('change-1', { kind: 'verified', written: 'yes', reason: 'interrupted' });

    await settle();

    expect(ends()).toEqual([
      { kind: 'settled', outcome: { kind: 'verified', written: 'yes', reason: 'interrupted' }, names: {} },
    ]);
  });
});

describe('a change that has ended by itself', () => {
  it('is not told again', async () => {
    const { changes, settle, told } = await aWorld();
    await changes.finish('change-1', { kind: 'verified', written: 'yes' });

    await settle();

    expect(told).toEqual([]);
  });
});

// Bulk changes of agents' limits in a service in memory, and of classifications, by processes that can be killed at any of their steps.

import type { AdminSession, ThresholdChange } from '../../../src/admin-api/admin-session.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { Store } from '../../../src/backend/store.ts';
import { createAuditedChanges } from '../../../src/governance/audit/audited-changes.ts';
import type { ClassificationItem } from '../../../src/governance/bulk/bulk-item.ts';
import { type BulkChange, createBulkRecords } from '../../../src/governance/bulk/bulk-records.ts';
import { type BulkRunsPorts, createBulkRuns } from '../../../src/governance/bulk/slack-bulk-run.ts';
import type { PlannedChange } from '../../../src/governance/changes/change-kind.ts';
import { toDeploymentLimit } from '../../../src/governance/limits/known-limit.ts';
import type { ApprovedLimit } from '../../../src/governance/register/register.ts';
import { UNLIMITED } from '../../../src/governance/shell/allowance.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { aRegister } from '../review/review-world.ts';
import { AGENT, aPlan, NOW } from '../shell/samples.ts';

/** Of the register's file. */
const HASH = 'hash-1';

const APPROVED: ApprovedLimit = { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'off' };

export const KIM = { team: 'T1', workspace: 'T1', user: 'UKIM' };
export const LEE = { team: 'T1', workspace: 'T1', user: 'ULEE' };

/** Of the directory. */
export const ACCOUNTS = {
  UKIM: 'https://login.example.com/t/v2.0|oid|kim',
  ULEE: 'https://login.example.com/t/v2.0|oid|lee',
};

type Planning = { by?: BulkChange['by']; limit?: number };

/** Dies at its `at`-th step: before the step has an effect, or just after it. Nothing of it goes on then. */
export type Kill = { at: number; when: 'before' | 'after' };

/** The environment of AGENT with `count` agents that have no limit. */
export function aBulkWorld(count: number, openStore: (now: () => number) => Store) {
  let clock = NOW;
  const now = () => clock;
  const store = openStore(now);
  const thresholds = new Map<string, Threshold>();
  /** The ids of agents in the order of writes. */
  const puts: string[] = [];
  const posted: Content[] = [];
  /** Whose sessions were opened: Slack user ids. */
  const sessions: string[] = [];
  const accounts = { ...ACCOUNTS };
  const agents = Array.from({ length: count }, (_, index) => toAgent(index));

  const session: Partial<AdminSession> = {
    readThresholds: async () => [...thresholds.values()],
    async putThreshold(change) {
      puts.push(change.agentResourceId);
      thresholds.set(change.agentResourceId, toThreshold(change));
      return {};
    },
  };

  /** From the limit that the service has now, if it has one. */
  const plan = (index: number, limit: number): PlannedChange => {
    const threshold = thresholds.get(toAgent(index).agentResourceId);
    const made = aPlan(toDeploymentLimit(threshold, NOW), { limit }, 'not_stopped');
    return { kind: 'limit', plan: { ...made, ...retarget(index, limit) } };
  };

  function retarget(index: number, limit: number) {
    const agent = toAgent(index);
    const made = aPlan({ source: 'none', readAt: NOW }, { limit }, 'not_stopped');
    return { agent, change: { ...made.change, agentResourceId: agent.agentResourceId } };
  }

  /** A process of its own. `over`: other ports than usual. */
  function startProcess(kill?: Kill, over: Partial<BulkRunsPorts> = {}) {
    const step = createSteps(kill);
    const steps = <T extends object>(port: T) => step.all(port);
    const { once, changes, audit, overlay } = store;
    const exclusively = createExclusively();
    const ports = {
      approvals: steps(once),
      changes: createAuditedChanges(steps(changes), steps(audit), now),
      overlay: steps(overlay),
      audit: steps(audit),
      readRegister: async () => ({ text: '', read: { register: aRegister({ environments: [] }), hash: HASH } }),
      exclusively,
      now,
      wait: async (ms: number) => {
        clock += ms;
      },
      needsApproval: false,
      adminAccount: async ({ user }: { user: 'UKIM' | 'ULEE' }) => ({
        ...{ isSignedIn: true, name: undefined, account: accounts[user] },
      }),
      rules: [KIM, LEE].map(({ user }) => ({ kind: 'user', user })),
      lookups: {},
      allowance: UNLIMITED,
      homeTeam: async () => undefined,
      async openSession({ user }: { user: string }) {
        sessions.push(user);
        return steps(session);
      },
      messenger: steps({
        async post(_place: object, content: Content) {
          posted.push(content);
          return `ts-${posted.length}`;
        },
        update: async () => undefined,
      }),
      channels: { directMessage: async () => 'D1' },
      stopping: new AbortController().signal,
      timeZone: async () => 'utc',
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ...over,
    } as unknown as BulkRunsPorts;
    const runs = createBulkRuns(ports);
    return {
      ports,
      runs,
      died: step.died,
      /** Until there is nothing to do any more, or the process is killed. */
      async work(): Promise<void> {
        const finish = async () => {
          while ((await runs.run(() => true)) !== undefined) clock += 1;
        };
        await Promise.race([finish(), step.died]);
      },
      steps: step.count,
    };
  }

  // A test may put another store in place.
  const openRecords = () => createBulkRecords({ approvals: store.once, exclusively: createExclusively(), now });

  /** Not confirmed yet. `limit`: of all of them. */
  async function planAll(id: string, { by = KIM, limit = 1_000 }: Planning = {}): Promise<PlannedChange[]> {
    const items = agents.map((_, index) => plan(index, limit));
    await openRecords().plan({ schema: 1, id, by, plannedAt: clock, total: count, leftOut: [] }, items);
    return items;
  }

  return {
    now,
    store,
    thresholds,
    puts,
    session,
    posted,
    sessions,
    accounts,
    told: () => posted.map((content) => readTexts(content)),
    startProcess,
    records: openRecords(),
    pass(ms: number) {
      clock += ms;
    },
    agents,
    /** All of them have this limit. */
    setAll(limit: number) {
      for (const index of agents.keys()) {
        const { change } = retarget(index, limit);
        thresholds.set(change.agentResourceId, toThreshold(change));
      }
    },
    planAll,
    /** Confirmed, and not carried out: as many environments that no register names. */
    async confirmClassifications(id: string, { by = KIM, registerHash = HASH } = {}) {
      const records = openRecords();
      const items = Array.from({ length: count }, (_, index): ClassificationItem => {
        const what = { classification: 'funded-production', allocations: 'none', unnamedAgents: APPROVED } as const;
        return { kind: 'classification', environmentId: `env-${index}`, name: `Env ${index}`, ...what, registerHash };
      });
      await records.plan({ schema: 1, id, by, plannedAt: clock, total: count, leftOut: [] }, items);
      return records.confirm(id, 'agreed with finance');
    },
    /** Confirmed, and not carried out. */
    async confirm(id: string, planning?: Planning) {
      await planAll(id, planning);
      return openRecords().confirm(id, 'the first limits');
    },
  };
}

function toAgent(index: number) {
  return { ...AGENT, agentResourceId: `bot-${index}`, name: `bot-${index}`, displayName: `Agent ${index}` };
}

function toThreshold(change: ThresholdChange): Threshold {
  const { environmentId, agentResourceId: resourceId, ...body } = change;
  return { environmentId, resourceId, ...body } as Threshold;
}

function createSteps(kill: Kill | undefined) {
  let count = 0;
  let isDead = false;
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);

  function end(): Promise<never> {
    isDead = true;
    die();
    return never;
  }

  async function take<T>(work: () => Promise<T>): Promise<T> {
    if (isDead) return never;
    count += 1;
    const isLast = count === kill?.at;
    if (isLast && kill?.when === 'before') return end();
    const result = await work();
    if (isLast) return end();
    return isDead ? never : result;
  }

  return {
    died,
    count: () => count,
    all<T extends object>(port: T): T {
      const calls = Object.entries(port).map(([name, call]) => [
        name,
        typeof call === 'function' ? (...args: unknown[]) => take(async () => call.apply(port, args)) : call,
      ]);
      return Object.fromEntries(calls) as T;
    },
  };
}

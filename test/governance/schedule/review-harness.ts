// A scheduled review in one process without a world around it: time, Slack, the service and the store are in memory, each
// call can be the last of its process, and nothing that is waited for takes time.
import type { Allocation, Entitlement } from '../../../src/admin-api/licensing-wire.ts';
import type { LaneJob } from '../../../src/governance/schedule/lane-job.ts';
import { createReviewSchedule, readScheduleState } from '../../../src/governance/schedule/schedule-state.ts';
import { createScheduledReview } from '../../../src/governance/schedule/scheduled-review.ts';
import type { ScheduledServices } from '../../../src/governance/schedule/slack-delivery.ts';
import { createLog } from '../../../src/log.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/policy/policy.ts';
import { createMessenger } from '../../../src/slack/messenger.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { anAllocationOf, STALE_MS, toPolicy } from '../review/a-tenant.ts';
import { CURRENCY } from '../samples.ts';

export const CHANNEL = 'C1';
const DAY_MS = 24 * 3_600_000;
const LOG = createLog('silent');

type Posted = { ts: string; channel: string; text: string; metadata: unknown };

export type ReviewHarness = ReturnType<typeof createReviewHarness>;

type SlackArguments = { channel?: string; email?: string; blocks?: unknown; metadata?: unknown };

export function createReviewHarness() {
  const { once, audit } = createMemoryStore(() => harness.now);
  let calls = 0;
  let ids = 0;
  let crashed = () => {};
  let staysDown = false;

  const harness = {
    now: Date.parse('2026-11-18T12:00:00Z'),
    /** What the service has; an error is thrown by every read of it. */
    allocations: new Map<string, Allocation | Error>(),
    /** What is used; none where nothing is said. */
    entitlements: new Map<string, Entitlement[]>(),
    /** Whether people of other organisations read the channel. */
    isShared: false,
    environments: ['lab', 'shop'],
    inventoryError: undefined as Error | undefined,
    policy: approve(['lab', 'shop']),
    /** Anything that is to be another way. */
    services: {} as Partial<ScheduledServices>,
    posted: [] as Posted[],
    /** Called before each call of Slack; what it throws is thrown. */
    onCall(_method: string, _channel: string): void {},
    /** Called before each read of the inventory. */
    onRead(): void {},
    /** The process dies at its nth call from now on, before it is carried out or after. */
    crashAt: undefined as { call: number; when: 'before' | 'after'; staysDown?: boolean } | undefined,
    once,
    /** A new process. */
    start: () => createScheduledReview(toServices()),
    /** The first look of all, and a first review in which nothing differs. */
    async begin() {
      await harness.work();
      await harness.nextDay();
      if (harness.posted.length !== 1) throw new Error('the first review says one thing');
      harness.posted.length = 0;
    },
    /** Runs the lane until it wants to be woken later; every time it asks for within the hour comes at once. */
    async work(review: LaneJob = harness.start()): Promise<void> {
      const until = harness.now + 3_600_000;
      calls = 0;
      for (;;) {
        const death = new Promise<'dead'>((resolve) => {
          crashed = () => resolve('dead');
        });
        const at = await Promise.race([review.run(() => true), death]);
        if (at === 'dead' && staysDown) return;
        if (at === 'dead') review = harness.start();
        else if (at === undefined || at > until) return;
        else harness.now = Math.max(harness.now, at);
      }
    },
    /** The time of the next run, and work. */
    async nextDay(review?: LaneJob): Promise<void> {
      harness.now += DAY_MS - (harness.now % DAY_MS) + 7 * 3_600_000;
      await harness.work(review);
    },
    texts: (channel: string) => harness.posted.filter((one) => one.channel === channel).map(({ text }) => text),
    /** What is kept. */
    state: () => readScheduleState({ once, now: () => harness.now }),
  };

  /** One call, at which the process may die. */
  async function step<T>(work: () => Promise<T> | T): Promise<T> {
    calls += 1;
    const isLast = harness.crashAt?.call === calls;
    if (isLast && harness.crashAt?.when === 'before') return crash();
    const result = await work();
    return isLast ? crash() : result;
  }

  /** Resolves never: the process is gone. */
  function crash(): Promise<never> {
    staysDown = harness.crashAt?.staysDown ?? false;
    harness.crashAt = undefined;
    crashed();
    return new Promise(() => {});
  }

  /** The same store, with a step for each of its calls. */
  function inSteps<Target extends object>(target: Target): Target {
    const entries = Object.entries(target).map(([name, method]) => {
      return [name, (...args: unknown[]) => step(() => method.apply(target, args))];
    });
    return Object.fromEntries(entries);
  }

  const call = (async (method: string, _token: string, args: SlackArguments) =>
    step(() => {
      harness.onCall(method, args.channel ?? '');
      return { ok: true, ...answer(method, args) };
    })) as unknown as CallSlack;

  function answer(method: string, { channel = '', email = '', blocks, metadata }: SlackArguments): object {
    switch (method) {
      case 'chat.postMessage': {
        const ts = `${harness.posted.length + 1}.0`;
        harness.posted.push({ ts, channel, text: JSON.stringify(blocks), metadata });
        return { ts };
      }
      case 'conversations.history':
        return { messages: harness.posted.filter((message) => message.channel === channel) };
      default: {
        const user = /^(\w+)@acme\.example$/.exec(email)?.[1];
        if (user === undefined) throw new SlackRefusedError(method, 'users_not_found');
        return { user: { id: `U${user.toUpperCase()}` } };
      }
    }
  }

  const session = {
    findEnvironments: async () => {
      harness.onRead();
      if (harness.inventoryError) throw harness.inventoryError;
      const rows = harness.environments.map((name) => ({ name, displayName: name, ownerId: undefined }));
      return { rows, truncated: false };
    },
    findAgents: async () => ({ rows: [], truncated: false }),
    readAllocation: async (id: string) => {
      const allocation = harness.allocations.get(id) ?? anAllocationOf(id);
      if (allocation instanceof Error) throw allocation;
      return allocation;
    },
    readEntitlements: async (id: string) => harness.entitlements.get(id) ?? [],
  };

  function toServices(): ScheduledServices {
    const services = {
      rules: [{ kind: 'user', user: 'UKIM' }],
      lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
      openSession: async () => session,
      policy: { read: async () => ({ policy: harness.policy, version: 1 }) },
      sent: { readFor: async () => () => undefined },
      ...{ currency: CURRENCY, limitStaleMs: STALE_MS, readsLimits: false, call },
      findInstallation: async () => ({ workspace: 'T1', team: 'T1', botToken: 'xoxb', botId: 'B1', botUserId: 'UBOT' }),
      now: () => harness.now,
      log: LOG,
      createId: () => `review${++ids}`,
      schedule: createReviewSchedule('0 7 * * *', 'UTC'),
      channel: { team: 'T1', id: CHANNEL },
      reviewer: { team: 'T1', id: 'UKIM' },
      channelTimeZone: 'UTC',
      people: {
        profile: async (_workspace: string, user: string) => ({
          ...{ isMember: user !== 'UGUEST', isWorkspaceAdmin: false, hasLeft: false, name: user, handle: user },
        }),
      },
      channels: {
        look: async () => ({ isMember: true, isShared: harness.isShared }),
        directMessage: async (_workspace: string, user: string) => `D${user}`,
      },
      directory: {
        find: async (team: string, id: string) => (id === 'directory-ben' ? { team, user: 'UBEN' } : undefined),
      },
      owners: { findUser: async () => undefined, findId: async () => undefined },
      audit: inSteps({ append: audit.append }),
      levels: [100, 80],
      once: inSteps(once),
      wait: async (ms: number) => {
        harness.now += ms;
      },
      ...harness.services,
    } as unknown as ScheduledServices;
    return { ...services, messenger: createMessenger(services) };
  }

  return harness;
}

/** Environments of makers whose owners are `<id>@acme.example`, approved with what anAllocation gives. */
export function approve(ids: readonly string[], owners?: readonly string[]): Policy {
  const edits = ids.flatMap((environmentId): Edit[] => [
    setEdit('class', { environmentId }, 'maker'),
    setEdit('owners', { environmentId }, [...(owners ?? [`${environmentId}@acme.example`])]),
    setEdit(
      'credits',
      { environmentId, currency: CURRENCY },
      {
        allocated: 1_000,
        rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true },
      },
    ),
  ]);
  return toPolicy([setEdit('standard', { className: 'maker' }, { credits: {} }), ...edits], EMPTY_POLICY);
}

/** An environment whose agents go on where its credits are used up, which is not approved. */
export function drift(environmentId: string): Allocation {
  return anAllocationOf(environmentId, 1_000, { Deny: false });
}

/** Of 1,000 credits. */
export function used(consumed: number): Entitlement {
  return {
    ...{ entitlementId: CURRENCY, consumed, consumptionType: 'MonthToDate', asOf: undefined },
    ...{ capacity: 1_000, payGoConsumed: undefined },
  };
}

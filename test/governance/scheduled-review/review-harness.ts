// A scheduled review in one process without a world around it: time, Slack, the service and the store are in memory, each
// call can be the last of its process, and nothing that is waited for takes time.

import type { Allocation, Entitlement } from '../../../src/admin-api/licensing-wire.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { createReports, type ReportHead } from '../../../src/governance/review/report.ts';
import { createReviewRecords } from '../../../src/governance/scheduled-review/review-outbox.ts';
import { createReviewSchedule } from '../../../src/governance/scheduled-review/review-schedule.ts';
import {
  createScheduledReview,
  type ScheduledReview,
} from '../../../src/governance/scheduled-review/scheduled-review.ts';
import type { ScheduledReviewPorts } from '../../../src/governance/scheduled-review/slack-delivery.ts';
import { createLog } from '../../../src/log.ts';
import { createMessenger } from '../../../src/slack/messenger.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aCurrency, anAllocation, anEnvironment, STALE_MS } from '../review/review-world.ts';

export const CHANNEL = 'C1';
const DAY_MS = 24 * 3_600_000;
const LOG = createLog('silent');

type Posted = { ts: string; channel: string; text: string; metadata: unknown };

export type ReviewHarness = {
  now: number;
  /** What the service has; an error is thrown by every read of it. */
  allocations: Map<string, Allocation | Error>;
  /** What is used; none where nothing is said. */
  entitlements: Map<string, Entitlement[]>;
  /** Whether people of other organisations read the channel. */
  isShared: boolean;
  environments: string[];
  inventoryError: Error | undefined;
  register: string;
  /** Anything that is to be another way. */
  ports: Partial<ScheduledReviewPorts>;
  posted: Posted[];
  /** Called before each read of the inventory. */
  onRead: () => void;
  /** Of the last review that was told; epoch ms. */
  snapshotAt(): Promise<number | undefined>;
  /** Called before each call of Slack; what it throws is thrown. */
  onCall: (method: string, channel: string) => void;
  /** The process dies at its nth call from now on, before it is carried out or after. */
  crashAt: { call: number; when: 'before' | 'after'; staysDown?: boolean } | undefined;
  /** A new process. */
  start(): ScheduledReview;
  /** The first look of all, and a first review with nothing to say about it. */
  begin(): Promise<void>;
  /** Runs the lane until it wants to be woken later; every time it asks for within the hour comes at once. */
  work(review?: ScheduledReview): Promise<void>;
  /** The time of the next run, and work. */
  nextDay(review?: ScheduledReview): Promise<void>;
  texts(channel: string): string[];
  /** Under the last post in the channel: what its button opens now. Undefined where it is not kept any more. */
  openReport(): Promise<ReportHead | undefined>;
  /** How many reports were kept. */
  countReports(): number;
  records: ReturnType<typeof createReviewRecords>;
  /** Whether a run has found something that is not said yet. */
  hasOutbox(): Promise<boolean>;
};

type SlackArguments = { channel?: string; email?: string; blocks?: unknown; metadata?: unknown };

/** Resolves never: the process is gone. */
const dead = () => new Promise<never>(() => {});

export function createReviewHarness(): ReviewHarness {
  const { once, changes, reviews } = createMemoryStore(() => harness.now);
  let calls = 0;
  let reportCount = 0;
  let crashed = () => {};

  /** One call of a port, at which the process may die. */
  async function step<T>(work: () => Promise<T> | T): Promise<T> {
    calls += 1;
    const isLast = harness.crashAt?.call === calls;
    if (isLast && harness.crashAt?.when === 'before') return crash();
    const result = await work();
    if (isLast) return crash();
    return result;
  }

  let staysDown = false;

  function crash(): Promise<never> {
    staysDown = harness.crashAt?.staysDown ?? false;
    harness.crashAt = undefined;
    crashed();
    return dead();
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

  function toPorts(): ScheduledReviewPorts {
    const ports = { ...toSlackPorts(), ...harness.ports };
    return { ...ports, messenger: createMessenger(ports) };
  }

  function toSlackPorts(): Omit<ScheduledReviewPorts, 'messenger'> {
    const session = {
      findEnvironments: async () => {
        harness.onRead();
        if (harness.inventoryError) throw harness.inventoryError;
        return {
          rows: harness.environments.map((name) => anEnvironment({ name, displayName: name, ownerId: undefined })),
          truncated: false,
        };
      },
      findAgents: async () => ({ rows: [], truncated: false }),
      readAllocation: async (id: string) => {
        const allocation = harness.allocations.get(id) ?? { ...anAllocation(aCurrency()), environmentId: id };
        if (allocation instanceof Error) throw allocation;
        return allocation;
      },
      readEntitlements: async (id: string) => harness.entitlements.get(id) ?? [],
      readThresholds: async () => [],
    };
    return {
      rules: [{ kind: 'user', user: 'UKIM' }],
      lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
      openSession: async () => session as never,
      changes,
      readRegister: async () => ({ text: harness.register, read: readRegister(harness.register) }),
      overlay: { list: async () => [] },
      currency: 'ServiceMessages',
      limitStaleMs: STALE_MS,
      call,
      findInstallation: async () => ({ workspace: 'T1', team: 'T1', botToken: 'xoxb', botId: 'B1', botUserId: 'UBOT' }),
      now: () => harness.now,
      log: LOG,
      schedule: createReviewSchedule('0 7 * * *', 'UTC'),
      channel: { team: 'T1', id: CHANNEL },
      reviewer: { team: 'T1', id: 'UKIM' },
      timeZone: 'UTC',
      people: {
        profile: async (_workspace, user) => ({
          isMember: user !== 'UGUEST',
          isWorkspaceAdmin: false,
          hasLeft: false,
          name: user,
          handle: user,
        }),
      },
      channels: {
        look: async () => ({ isMember: true, isShared: harness.isShared }),
        directMessage: async (_workspace, user) => `D${user}`,
      },
      directory: { find: async (team, id) => (id === 'directory-ben' ? { team, user: 'UBEN' } : undefined) },
      reviews: {
        lastSnapshot: () => step(() => reviews.lastSnapshot()),
        saveSnapshot: (...args) => step(() => reviews.saveSnapshot(...args)),
        claimNotice: (...args) => step(() => reviews.claimNotice(...args)),
        releaseNotice: (key) => step(() => reviews.releaseNotice(key)),
      },
      reports: createReports(
        { put: (...args) => step(() => once.put(...args)), peek: (key) => step(() => once.peek(key)) },
        { createId: () => `report${++reportCount}`, now: () => harness.now },
      ),
      levels: [100, 80],
      once: {
        put: (...args) => step(() => once.put(...args)),
        take: (key) => step(() => once.take(key)),
        peek: (key) => step(() => once.peek(key)),
      },
      wait: async (ms) => {
        harness.now += ms;
      },
    };
  }

  const harness: ReviewHarness = {
    now: Date.parse('2026-11-18T12:00:00Z'),
    allocations: new Map(),
    entitlements: new Map(),
    isShared: false,
    environments: ['lab', 'shop'],
    inventoryError: undefined,
    register: toRegister(['lab', 'shop']),
    ports: {},
    posted: [],
    onCall: () => {},
    onRead: () => {},
    snapshotAt: async () => (await reviews.lastSnapshot())?.at,
    crashAt: undefined,
    start: () => createScheduledReview(toPorts()),
    async begin() {
      await harness.work();
      await harness.nextDay();
      if (harness.posted.length !== 1) throw new Error('the first review says one thing');
      harness.posted.length = 0;
    },
    async work(review = harness.start()) {
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
    async nextDay(review) {
      harness.now += DAY_MS - (harness.now % DAY_MS) + 7 * 3_600_000;
      await harness.work(review);
    },
    texts: (channel) => harness.posted.filter((one) => one.channel === channel).map(({ text }) => text),
    async openReport() {
      const id = /report\\":\\"(\w+)/.exec(harness.texts(CHANNEL).at(-1) ?? '')?.[1] ?? 'none';
      return createReports(once, { createId: () => '', now: () => harness.now }).readHead(id);
    },
    countReports: () => reportCount,
    records: createReviewRecords({ once, now: () => harness.now }),
    hasOutbox: async () => (await once.peek('review:outbox')) !== undefined,
  };
  return harness;
}

/** Environments whose owners are `<id>@acme.example`, approved with what aCurrency gives. */
export function toRegister(ids: readonly string[]): string {
  const entries = ids.map(
    (id) =>
      `  - { id: ${id}, classification: maker-development, owners: [${id}@acme.example], allocations: { ServiceMessages: { allocated: 0, rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on } } } }`,
  );
  return ['schema: 1', 'reviewedAgents: all', 'environments:', ...entries].join('\n');
}

/** An environment whose agents go on where its credits are used up, which is not approved. */
export function drift(environmentId: string): Allocation {
  return { ...anAllocation(aCurrency({ rules: { Deny: false } })), environmentId };
}

/** Of 1,000 credits. */
export function used(consumed: number): Entitlement {
  return {
    entitlementId: 'ServiceMessages',
    unit: 'Credit',
    consumed,
    consumptionType: 'MonthToDate',
    asOf: undefined,
    capacity: 1_000,
    payGoConsumed: undefined,
  };
}

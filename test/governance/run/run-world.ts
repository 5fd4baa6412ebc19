// Governance without Slack, on a store in memory and the stand-in of the administrative service over real HTTP. A process can
// be killed: from then on it reaches neither, and another one goes on with the same store and service.
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { AuditEntry } from '../../../src/audit/audit-log.ts';
import { createRecords } from '../../../src/backend/records.ts';
import { createAskApproval } from '../../../src/governance/approval/slack-approval-request.ts';
import { createInventoryCache } from '../../../src/governance/inventory/inventory-cache.ts';
import { rememberInventory } from '../../../src/governance/inventory/known-inventory.ts';
import type { Plan } from '../../../src/governance/plan/plan.ts';
import { readSeen } from '../../../src/governance/plan/read-seen.ts';
import type { Seen } from '../../../src/governance/plan/seen.ts';
import { createEngine } from '../../../src/governance/run/create-engine.ts';
import type { Confirmed, Proposal, ProposeOptions } from '../../../src/governance/run/engine.ts';
import { pause } from '../../../src/governance/run/paced-session.ts';
import type { ItemRecord, Run } from '../../../src/governance/run/run-store.ts';
import { createRuns } from '../../../src/governance/run/slack-runs.ts';
import type { GovernanceServices } from '../../../src/governance/services.ts';
import { UNLIMITED } from '../../../src/governance/shell/access.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createHttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import type { Limit } from '../../../src/policy/values.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import type { Kernel } from '../../../src/storage/kernel.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';
import { type Threshold, toThresholdKey } from '../../sandbox/admin/model.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from '../../sandbox/admin/start-admin.ts';
import { createModel } from '../../storage/kernel-model.ts';

export const KIM = { team: 'T1', workspace: 'T1', user: 'U0KIM' };
export const LEE = { team: 'T1', workspace: 'T1', user: 'U0LEE' };
export const CURRENCY = 'ServiceMessages';

/** Of the stand-in's seeds. */
export const PRODUCTION = '11111111-0000-4000-8000-000000000001';
export const MAKERS = '22222222-0000-4000-8000-000000000002';
export const TRAVEL = { environmentId: PRODUCTION, agentId: 'agent-2' };
export const INVOICES = { environmentId: PRODUCTION, agentId: 'agent-1' };

export const LIMIT = { credits: 2_000, noticeAt: 80, stopAtLimit: false } satisfies Limit;

export const limitOf = (target: typeof TRAVEL, limit: Limit = LIMIT): Edit<'limit'> =>
  setEdit('limit', { ...target, currency: CURRENCY }, limit);

export const stopOf = (target: typeof TRAVEL, isStopped = true): Edit<'stop'> => setEdit('stop', target, isStopped);

class KilledError extends Error {}

/** What a process does next may be its last: `at` counts its calls of the store and the service from 1. */
export type Kill = { at: number; calls: string[]; isDead: boolean };

export type Said = { to: string; content: Content };

export type World = {
  admin: AdminSandbox;
  said: Said[];
  /** How much later it is than it really is (ms). */
  later: number;
  /** Users whose rights are gone. */
  gone: Set<string>;
  needsApproval: boolean;
  accounts: Map<string, string>;
  kernel: Kernel;
  start(options?: { kill?: Kill; readsLimits?: boolean }): Process;
  /** A process that dies as soon as the service has taken something. */
  startDying(): Process;
  /** What the service has of an agent of the stand-in's seeds, by the id of its bot. */
  thresholdOf(bot: string, environmentId?: string): Threshold | undefined;
  /** Somebody else changes that. */
  setElsewhere(bot: string, values: Partial<Threshold>): void;
  /** All that people were told. */
  told(): string;
  close(): Promise<void>;
};

export type Process = {
  services: GovernanceServices;
  session: AdminSession;
  propose(edits: readonly Edit[], options?: ProposeOptions): Promise<Proposal>;
  /** Proposes, confirms, and waits for all that was begun by that. */
  carryOut(edits: readonly Edit[], options?: ProposeOptions & { as?: typeof KIM }): Promise<Confirmed>;
  confirm(proposal: Proposal, by?: typeof KIM, approver?: string): Promise<Confirmed>;
  /** A run of one edit and one item that no process has; with what was recorded of its item. */
  addRun(plan: Plan, values?: Partial<Run>, record?: Partial<ItemRecord>): Promise<void>;
  /** The last entries of the log, the newest first. */
  log(limit?: number): Promise<AuditEntry[]>;
  settle(): Promise<void>;
  /** What the service shows of one agent. */
  see(target: { environmentId: string; agentId: string }): Promise<Seen>;
  /** One look of the lane, with whatever it is to do. */
  runLane(): Promise<number | undefined>;
};

export async function startWorld(options: AdminOptions = { thresholdList: true }): Promise<World> {
  const admin = await startAdmin(options);
  const http = createHttpClient();
  const world: World = {
    admin,
    said: [],
    later: 0,
    gone: new Set(),
    needsApproval: false,
    accounts: new Map([
      [KIM.user, 'https://idp|oid|kim'],
      [LEE.user, 'https://idp|oid|lee'],
    ]),
    kernel: createModel(() => Date.now() + world.later),
    start: (how) => startProcess(world, http, how),
    startDying() {
      const calls: string[] = [];
      const kill = {
        ...{ calls, isDead: false },
        get at() {
          return calls.at(-1) === 'sent PUT' ? calls.length : 0;
        },
      };
      return world.start({ kill });
    },
    thresholdOf: (bot, environmentId = PRODUCTION) => admin.state.thresholds.get(toThresholdKey(environmentId, bot)),
    setElsewhere(bot, values) {
      const present = admin.state.thresholds.get(toThresholdKey(PRODUCTION, bot));
      if (present === undefined) throw new Error(`the service has nothing of ${bot}`);
      admin.state.thresholds.set(toThresholdKey(PRODUCTION, bot), { ...present, ...values });
    },
    told: () => world.said.map(textOf).join(),
    async close() {
      await http.close();
      await admin.close();
    },
  };
  return world;
}

function startProcess(
  world: World,
  http: ReturnType<typeof createHttpClient>,
  { kill, readsLimits = true }: { kill?: Kill; readsLimits?: boolean } = {},
): Process {
  const now = () => Date.now() + world.later;
  const step = (name: string) => {
    if (kill === undefined) return;
    if (kill.isDead) throw new KilledError(`dead: ${name}`);
    kill.calls.push(name);
    if (kill.calls.length === kill.at) {
      kill.isDead = true;
      throw new KilledError(name);
    }
  };
  const store = createRecords(killable(world.kernel, step), now);
  const client = aClient(killableHttp(http, step), world.admin.url);
  const background = new Set<Promise<unknown>>();
  const say = (to: string) => async (content: Content) => {
    world.said.push({ to, content });
    return true;
  };
  const log = createLog('silent');
  const exclusively = createExclusively();
  const base: Omit<GovernanceServices, 'engine'> = {
    ...{ rules: [{ kind: 'group', group: 'S1' }], auditors: [], configuredSettings: {}, currency: CURRENCY },
    ...{ hasInterface: true, limitStaleMs: 90 * 24 * 3_600_000, needsApproval: world.needsApproval, readsLimits },
    lookups: {
      groupMembers: async ({ user }) => (world.gone.has(user) ? [] : [user]),
      isWorkspaceAdmin: async () => false,
    },
    allowance: UNLIMITED,
    homeTeam: async () => undefined,
    findInstallation: async () => ({ team: 'T1', workspace: 'T1', botToken: 'xoxb' }) as never,
    openSession: async () => rememberInventory(aSession(client, 'sandbox-kim'), store.known, log),
    adminAccount: async ({ user }) => {
      const account = world.accounts.get(user);
      return account === undefined ? undefined : { isSignedIn: true, name: user, account };
    },
    ...{ approvals: store.approvals, audit: store.audit, history: store.consumption, known: store.known },
    ...{ once: store.once, policy: store.policy, runs: store.runs, sent: store.sent },
    ...{
      usage: store.usage,
      policyChanged: () => undefined,
      wakeRuns: () => undefined,
      runEnded: async () => undefined,
    },
    ...{ exclusively, waiting: {} as never, inventories: createInventoryCache(now) },
    owners: { findUser: async () => undefined, findId: async () => undefined },
    call: (async () => ({})) as never,
    channels: { directMessage: async (_workspace: string, user: string) => `D-${user}` } as never,
    messenger: {
      postDirect: async ({ user }: { user: string }, content: Content) => {
        await say(user)(content);
        return { channel: `D-${user}`, ts: '1' };
      },
      post: async ({ channel }: { channel: string }, content: Content) => {
        await say(channel)(content);
        return '1';
      },
      update: async () => undefined,
    } as never,
    people: {} as never,
    directory: {} as never,
    readFile: (async () => ({ refused: 'size' })) as never,
    sendFile: async () => undefined,
    clicks: { say: async (_body, content) => say('place')(content), replace: async () => true },
    inBackground(work) {
      const working = work()
        .catch(() => undefined)
        .finally(() => background.delete(working));
      background.add(working);
    },
    stopping: new AbortController().signal,
    timeZone: async () => 'Europe/Berlin',
    createId: () =>
      [...crypto.getRandomValues(new Uint8Array(6))].map((one) => one.toString(16).padStart(2, '0')).join(''),
    doctor: async () => ({ text: '', blocks: [] }),
    ...{ now, log },
    // What is waited for comes soon.
    wait: (ms, stopping) => pause(ms / 100, stopping),
  };
  const services: GovernanceServices = {
    ...base,
    get engine() {
      return engine;
    },
  };
  const runs = createRuns(services);
  const engine = createEngine(services, { runs, askApproval: createAskApproval(services) });
  const session = rememberInventory(aSession(client, 'sandbox-kim'), store.known, log);
  const settle = async () => {
    while (background.size > 0) await Promise.all(background);
  };
  const propose: Process['propose'] = (edits, options) =>
    engine.propose(edits, { caller: KIM, openSession: async () => session }, options);
  const confirm: Process['confirm'] = async (proposal, by = KIM, approver = undefined) => {
    const confirmed = await engine.confirm(proposal, {
      ...{ caller: by, reason: 'because of the trial', say: say(by.user), replyTo: '' },
      ...(approver !== undefined && { approver }),
    });
    await settle();
    return confirmed;
  };
  return {
    ...{ services, session, propose, confirm, settle },
    carryOut: async (edits, { as = KIM, ...options } = {}) => confirm(await propose(edits, options), as),
    async addRun(plan, values, record) {
      const run = {
        ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: 'because', at: 1 }, policy: 1, edits: 1, items: 1 },
        ...{ isStop: false, replyTo: '', begunAt: now(), lease: { holder: '', until: 0 }, ...values },
      };
      const records = record ? [{ index: 0, sending: 1, ...record }] : [];
      await world.kernel.commit(store.runs.toWrites(run, { plan, reverse: [] }, records));
    },
    log: (limit = 100) => store.audit.list({ limit }),
    runLane: () => runs.run(() => true),
    async see({ environmentId, agentId }) {
      const seen = await readSeen(session, { agents: 'all', currencies: [CURRENCY] }, services);
      const agents = seen.agents.filter((one) => one.environmentId === environmentId && one.agentId === agentId);
      return { ...seen, agents };
    },
  };
}

type Step = (name: string) => void;

/** Killed before it is written, or right after it. */
function killable(kernel: Kernel, step: Step): Kernel {
  return {
    ...kernel,
    async get(keys) {
      step('get');
      return kernel.get(keys);
    },
    async range(index, range) {
      step('range');
      return kernel.range(index, range);
    },
    async commit(writes) {
      step('commit');
      const isDone = await kernel.commit(writes);
      step('committed');
      return isDone;
    },
  };
}

function killableHttp(http: ReturnType<typeof createHttpClient>, step: Step): ReturnType<typeof createHttpClient> {
  return {
    ...http,
    async send(request) {
      step(`send ${request.method}`);
      const response = await http.send(request);
      step(`sent ${request.method}`);
      return response;
    },
  };
}

/** Paths of the writes of limits and of allocations that the service got. */
export function writesOf({ admin }: World): string[] {
  return admin.ledger.requests.filter(({ method }) => method === 'PUT' || method === 'PATCH').map(({ path }) => path);
}

export function textOf({ content }: Said): string {
  return JSON.stringify(content.blocks);
}

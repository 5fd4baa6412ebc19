// What administrators reach in a process: the real engine, runs and approvals, connected as wiring/ does it.
import { AdminUnreachableError } from '../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { createRecords } from '../../src/backend/records.ts';
import type { Dispatcher } from '../../src/delivery/dispatcher.ts';
import { hashShown } from '../../src/governance/approval/approval-rights.ts';
import { approve, reject } from '../../src/governance/approval/decide-approval.ts';
import { createAskApproval } from '../../src/governance/approval/slack-approval-request.ts';
import { createInventoryCache } from '../../src/governance/inventory/inventory-cache.ts';
import { rememberInventory } from '../../src/governance/inventory/known-inventory.ts';
import { EVERYTHING, findDifferences } from '../../src/governance/plan/find-differences.ts';
import { readSeen } from '../../src/governance/plan/read-seen.ts';
import { createEngine } from '../../src/governance/run/create-engine.ts';
import type { Confirmed, Proposal } from '../../src/governance/run/engine.ts';
import { createRuns } from '../../src/governance/run/slack-runs.ts';
import type { GovernanceServices } from '../../src/governance/services.ts';
import { UNLIMITED } from '../../src/governance/shell/access.ts';
import { createExclusively } from '../../src/governance/shell/concurrency.ts';
import type { Edit } from '../../src/policy/edit.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { RUN_LANE } from '../../src/wiring/later.ts';
import { CURRENCY } from './admin-machine.ts';
import { INSTALLATION, TEAM } from './slack-machine.ts';
import type { World } from './world.ts';

export const ADMINS = ['UKIM', 'ULEE'] as const;

/** Everything rejects where the store or the service is not there: then people try again. */
export type Administration = {
  propose(edits: Edit[], admin: string): Promise<Proposal>;
  /** Where a second administrator is needed, the other one is asked. */
  confirm(proposal: Proposal, admin: string): Promise<Confirmed>;
  decide(id: string, approver: string, isApproved: boolean): Promise<unknown>;
  /** Proposes to set back whatever the service has otherwise than the policy. Undefined: changes still go on. */
  review(admin: string): Promise<Proposal | 'nothing' | undefined>;
  /** The lane of runs. */
  run(isHeld: () => boolean): Promise<number | undefined>;
};

export function createAdministration(world: World, kernel: Kernel, dispatcher: Dispatcher): Administration {
  const { time, random, network, admin, needsApproval, log } = world;
  const now = time.wall;
  const store = createRecords(kernel, now);
  const look = <T>(operation: () => T) => network.admin(operation, false);
  const session = rememberInventory(
    {
      findAgents: () => look(admin.agents),
      findEnvironments: () => look(admin.environments),
      readThresholds: () =>
        look(admin.thresholds).catch((error: unknown) => {
          admin.noteUnread();
          throw error;
        }),
      putThreshold: (change) => network.admin(() => admin.put(change), true),
      readAllocation: async () => 'none',
      readEntitlements: async () => [],
      updateAllocation: async () => ({}),
    } satisfies AdminSession,
    store.known,
    log,
  );
  const slack = {
    lookups: { groupMembers: async ({ user }: { user: string }) => [user], isWorkspaceAdmin: async () => false },
    channels: { directMessage: async () => 'D' },
    messenger: {
      postDirect: async () => ({ channel: 'D', ts: '1' }),
      post: async () => '1',
      update: async () => undefined,
    },
    clicks: { say: async () => true, replace: async () => true },
    owners: { findUser: async () => undefined, findId: async () => undefined },
    findInstallation: async () => INSTALLATION,
    homeTeam: async () => undefined,
    timeZone: async () => 'Europe/Berlin',
  };
  const services = {
    ...store,
    ...{ rules: [{ kind: 'group', group: 'S1' }], auditors: [], configuredSettings: {}, currency: CURRENCY },
    ...{ hasInterface: true, limitStaleMs: Number.POSITIVE_INFINITY, needsApproval, readsLimits: true },
    ...slack,
    allowance: UNLIMITED,
    openSession: async () => session,
    adminAccount: async ({ user }: { user: string }) => ({ isSignedIn: true, name: user, account: `idp|oid|${user}` }),
    history: store.consumption,
    policyChanged: () => undefined,
    runEnded: async () => undefined,
    wakeRuns: () => void dispatcher.wake(RUN_LANE),
    exclusively: createExclusively(world.isShared ? world.withLock : undefined),
    inventories: createInventoryCache(now),
    inBackground: (work: () => Promise<unknown>) => void work().catch((err: unknown) => log.error({ err })),
    stopping: new AbortController().signal,
    createId: () => Array.from({ length: 12 }, () => random.between(0, 15).toString(16)).join(''),
    now,
    log,
    get engine() {
      return engine;
    },
  } as unknown as GovernanceServices;
  const runs = createRuns(services);
  const engine = createEngine(services, { runs, askApproval: createAskApproval(services) });
  const toCaller = (user: string) => ({ team: TEAM, workspace: TEAM, user });
  const toBy = (user: string) => ({ caller: toCaller(user), openSession: async () => session });

  return {
    propose: (edits, user) => engine.propose(edits, toBy(user)),
    confirm: (proposal, user) =>
      engine.confirm(proposal, {
        ...{ caller: toCaller(user), reason: 'as agreed', replyTo: '', say: async () => true },
        approver: ADMINS.find((other) => other !== user),
      }),
    async decide(id, approver, isApproved) {
      const approval = await store.approvals.get(id);
      if (!approval) return;
      const caller = toCaller(approver);
      if (!isApproved) return reject({ id, caller, said: 'no' }, services);
      return approve({ id, caller, shown: hashShown(approval), openSession: async () => session }, services);
    },
    async review(user) {
      if ((await store.runs.listOpen()).length > 0) return undefined;
      const { policy } = await store.policy.read();
      const seen = await readSeen(session, { agents: 'all', currencies: [CURRENCY] }, services);
      const options = { defaultCurrency: CURRENCY, readSent: () => undefined, trustSentMs: 0, now: now() };
      const { items, leftOut } = findDifferences(policy, seen, EVERYTHING, options);
      if (leftOut.length > 0) throw new AdminUnreachableError('read limits');
      return items.length === 0 ? 'nothing' : engine.proposeItems(items, toBy(user));
    },
    run: runs.run,
  };
}

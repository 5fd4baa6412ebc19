// Changes that broke off between their write and the look at it: ended by what is there now, and told to whoever made
// them, by the next process, on whichever replica.
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError, TransientError } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import type { Log } from '../../log.ts';
import type { WithLock } from '../../with-lock.ts';
import { endAllocationChange, toAllocationKey } from '../allocations/known-allocation.ts';
import { isOver } from '../changes/broken-off.ts';
import { type Change, type ChangeOutcome, type ChangeStore, isBulkItem } from '../changes/change.ts';
import { endLimitChange, lookUpLimit, toLimitKey } from '../limits/known-limit.ts';
import { type AccessPorts, type AdmitPorts, NotAdminError, requireAdmin } from '../shell/access.ts';
import { optional, toAdminFailure } from '../shell/admin-failure.ts';

/** As the service names what was changed, where that could be read. Untrusted. */
export type ChangedNames = { agent?: string | undefined; environment?: string | undefined };

/** What became of a change. `names`: untrusted. `sentence`: why nobody could look; plain text, untrusted. */
export type SettledEnd =
  | { kind: 'settled'; outcome: ChangeOutcome; names: ChangedNames }
  /** The sign-in with which it was sent is gone: the next who opens the same thing finds out. */
  | { kind: 'signed_out' }
  | { kind: 'unreadable'; sentence: string };

export type SettlePorts = AccessPorts &
  Pick<AdmitPorts, 'openSession'> & {
    changes: ChangeStore;
    /** One at a time per key, across replicas. */
    exclusively: WithLock;
    /** Writes to whoever made it. False: it did not arrive. */
    tell(change: Change, end: SettledEnd): Promise<boolean>;
    now: () => number;
    log: Log;
  };

const NO_APPROVER = 'Whoever approved it, and with whose account it was sent, is no administrator any more.';

/** After that, what could not be looked up or told is given up. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

/** Settles what broke off. What cannot be settled now is left for the next time. Throws StoreUnavailableError. */
export async function settleChanges(ports: SettlePorts, stopping: AbortSignal): Promise<void> {
  for (const change of await ports.changes.untold()) {
    if (stopping.aborted) return;
    // Until then its process may be at work on it.
    if (!isOver(change.at, ports.now())) continue;
    if (isBulkItem(change)) {
      await leaveToBulk(change, ports);
      continue;
    }
    try {
      await ports.exclusively(toKey(change), () => settle(change.id, ports));
    } catch (error) {
      const isBusy = error instanceof LockBusyError;
      if (!isBusy) ports.log.warn({ err: error, change: change.id }, 'change not settled');
    }
  }
}

/** The lane of bulk changes ends it, and its report tells of it. */
async function leaveToBulk({ id, at, outcome }: Change, { changes, now }: SettlePorts): Promise<void> {
  if (outcome !== undefined || now() - at > PATIENCE_MS) await changes.told(id);
}

/** The same key as for making it. */
function toKey(change: Change): string {
  const { environmentId } = change;
  if (change.kind === 'allocation') return toAllocationKey(environmentId);
  return toLimitKey({ environmentId, name: change.agentName ?? change.agentResourceId });
}

async function settle(id: string, ports: SettlePorts): Promise<void> {
  const { changes, now, log } = ports;
  // Another replica may have settled it while this one waited for its turn.
  const change = (await changes.untold()).find((one) => one.id === id);
  if (change === undefined) return;
  const end = await findEnd(change, ports);
  const isPatient = now() - change.at < PATIENCE_MS;
  if (end !== 'nobody_to_tell' && !(await ports.tell(change, end)) && isPatient) return;
  await changes.told(id);
  const how = end === 'nobody_to_tell' ? end : end.kind === 'settled' ? end.outcome.kind : end.kind;
  log.info({ team: change.team, user: change.user, change: id, end: how }, 'change settled');
}

/** Throws where it may be told later. */
async function findEnd(change: Change, ports: SettlePorts): Promise<SettledEnd | 'nobody_to_tell'> {
  try {
    const session = await openSenderSession(change, ports);
    const outcome = change.outcome ?? (await lookAndEnd(change, session, ports));
    return { kind: 'settled', outcome, names: await readNames(change, session) };
  } catch (error) {
    if (error instanceof NotAdminError) {
      return toSender(change) === change.user ? 'nobody_to_tell' : { kind: 'unreadable', sentence: NO_APPROVER };
    }
    // Somebody who opened the same thing has found out.
    if (change.outcome !== undefined) return { kind: 'settled', outcome: change.outcome, names: {} };
    return toUnsettled(error, change.at, ports.now());
  }
}

/** Throws it again where it may pass. `at`: when the change was begun. */
function toUnsettled(error: unknown, at: number, now: number): SettledEnd {
  if (error instanceof AccountNotLinkedError || isAdminRefusal(error, 'admin_unauthorized')) {
    return { kind: 'signed_out' };
  }
  const isPassing = error instanceof TransientError;
  const sentence =
    toAdminFailure(error)?.sentence ?? (isPassing ? 'Something that it takes fails for a day.' : undefined);
  if (sentence === undefined || (isPassing && now - at < PATIENCE_MS)) throw error;
  return { kind: 'unreadable', sentence };
}

/** In the name of the admin whose account has sent it, who still has to be one. */
async function openSenderSession(change: Change, ports: SettlePorts): Promise<AdminSession> {
  const { team, workspace } = change;
  const user = toSender(change);
  const homeTeam = await ports.homeTeam({ workspace, user });
  const caller = { team, workspace, user, ...(homeTeam !== undefined && homeTeam !== workspace && { homeTeam }) };
  await requireAdmin(caller, ports, { isCounted: false });
  return ports.openSession({ team, user });
}

/** A Slack user id: what a second admin approved was sent with their account. */
export function toSender({ user, approvedBy }: Change): string {
  return approvedBy ?? user;
}

async function lookAndEnd(change: Change, session: AdminSession, ports: SettlePorts): Promise<ChangeOutcome> {
  const { changes, now } = ports;
  const ended =
    change.kind === 'allocation'
      ? await endAllocationChange(change.id, await session.readAllocation(change.environmentId), ports)
      : await endLimitChange(change.id, await lookUpLimitOf(change, session, { changes, now }), ports);
  // Nobody else is at work on it here: it had no outcome, so it has this one.
  if (ended === undefined) throw new Error('a change that was settled has ended meanwhile');
  return ended.outcome;
}

async function lookUpLimitOf(
  {
    environmentId,
    agentResourceId,
    agentName: name = agentResourceId,
    currencyType,
    before,
  }: Extract<Change, { kind: 'agent_limit' }>,
  session: AdminSession,
  sources: Pick<SettlePorts, 'changes' | 'now'>,
) {
  const agent = { environmentId, agentResourceId, name, currencyType };
  return (await lookUpLimit(agent, { ...sources, session }, { planned: before })).known;
}

/** Best effort: fall back to ids. */
async function readNames(change: Change, session: AdminSession): Promise<ChangedNames> {
  const { environmentId } = change;
  const isThis = (id: string | undefined, wanted: string) => id?.toLowerCase() === wanted.toLowerCase();
  const agents = change.kind === 'allocation' ? 'gap' : await optional(session.findAgents({ environmentId }));
  const environments = await optional(session.findEnvironments());
  const agent =
    change.kind === 'allocation' || agents === 'gap'
      ? undefined
      : agents.rows.find(({ agentResourceId }) => isThis(agentResourceId, change.agentResourceId));
  const environment =
    environments === 'gap' ? undefined : environments.rows.find(({ name }) => isThis(name, environmentId));
  return { agent: agent?.displayName, environment: environment?.displayName };
}

// Carries out one item once: record, read again, compare, write, read back. After a crash the current value at the
// service shows how far the earlier process got.
import { AdminOutcomeUnknownError, AdminRejectedError, readRequestId } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import type { Item } from '../plan/plan.ts';
import type { Sent } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { pause } from './paced-session.ts';
import { type AnyState, type Current, type Readable, type Resource, toResource, type Unseen } from './resources.ts';
import type { ItemRecord, ItemResult, Run } from './run-store.ts';
import { toSentKey } from './run-store.ts';

export type ItemOutcome = Omit<ItemResult, 'at'>;

/** `record`: of an earlier process, which may have sent it. */
type ItemWork = { run: Run; index: number; item: Item; record: ItemRecord | undefined; session: AdminSession };

/** The wait before each read, in ms: a write may become visible later. */
const READS_MS = [0, 1_500, 4_000];

/** Stop after this many failed reads. */
const MAX_UNREADABLE = 2;

/** How often to try while somebody else is changing the same thing. */
const MAX_BUSY = 3;

/** Undefined: another process has it. Throws errors that the service did not cause, such as those of the store. */
export async function carryOutItem(work: ItemWork, services: GovernanceServices): Promise<ItemOutcome | undefined> {
  const resource = toResource(work.item, services);
  for (let tries = 1; ; tries += 1) {
    try {
      return await services.exclusively(resource.lockKey, () => carryOut(resource, work, services));
    } catch (error) {
      if (!(error instanceof LockBusyError)) throw error;
      if (tries === MAX_BUSY) return { kind: 'failed', written: 'no', reason: 'busy', requestIds: [] };
    }
  }
}

async function carryOut(
  resource: Resource,
  work: ItemWork,
  services: GovernanceServices,
): Promise<ItemOutcome | undefined> {
  const { run, index, record, session } = work;
  if (!record && !(await services.runs.claim(run, { index, sending: services.now() }))) return undefined;
  let current: Current<AnyState> | Unseen;
  try {
    current = await readBefore(resource, session, services);
  } catch (error) {
    return toFailed(error, record !== undefined);
  }
  const seen = typeof current === 'string' ? undefined : current.state;
  try {
    const ended = await (seen ? decideWrite(resource, seen, work, services) : decideUnseen(resource, work, services));
    if (ended) return ended;
    // For the process that goes on after a crash.
    if (resource.before === 'unknown' && seen) await services.runs.save(run, { index, sending: services.now(), seen });
    const sent = await tryWrite(() => resource.write(current, session));
    const shown = await readBack(resource, { session, old: seen }, services);
    return { ...judgeReadBack(resource, sent, shown), requestIds: sent.requestIds };
  } catch (error) {
    return toFailed(error, false);
  }
}

/** What the plan saw must be seen again before it is replaced. Where the plan saw nothing, one try is enough. */
async function readBefore(
  { before, read }: Resource,
  session: AdminSession,
  { wait = pause }: Waiting,
): Promise<Current<AnyState> | Unseen> {
  for await (const current of readAgain(() => read(session), wait)) {
    if (current !== 'unreadable' || before === 'unknown') return current;
  }
  return 'unreadable';
}

/** Reads at once, and again after each wait. */
async function* readAgain<Read>(read: () => Promise<Read>, wait: (ms: number) => Promise<void>): AsyncGenerator<Read> {
  for (const waitMs of READS_MS) {
    if (waitMs > 0) await wait(waitMs);
    yield await read();
  }
}

type Waiting = Pick<GovernanceServices, 'wait'>;

/** Decides whether to write the item. `state`: of the service. Undefined: write it. */
async function decideWrite(
  resource: Resource,
  state: AnyState,
  work: ItemWork,
  services: GovernanceServices,
): Promise<ItemOutcome | undefined> {
  const { record } = work;
  if (resource.isSame(resource.after, state)) {
    return record
      ? { kind: 'verified', written: 'yes', requestIds: [] }
      : { kind: 'verified', written: 'no', reason: 'was_so', requestIds: [] };
  }
  // If the value before is not known, only a change that was sent from here counts as a conflict.
  const before = resource.before === 'unknown' ? record?.seen : resource.before;
  const isSame = before === undefined ? !(await isOvertaken(work, services)) : resource.isSame(before, state);
  if (isSame && !(await isOverruled(work, services))) return undefined;
  const reason = isSame ? 'sent_since' : 'before_write';
  return { kind: 'conflict', written: record ? 'perhaps' : 'no', reason, found: state, requestIds: [] };
}

async function decideUnseen(
  resource: Resource,
  work: ItemWork,
  services: GovernanceServices,
): Promise<ItemOutcome | undefined> {
  if (work.record) return { kind: 'sent_not_shown', written: 'perhaps', reason: 'interrupted', requestIds: [] };
  // Somebody may have changed or stopped it, and nobody was asked whether to replace that. A new plan asks.
  if (resource.before !== 'unknown') {
    return { kind: 'failed', written: 'no', reason: 'unseen_before_write', requestIds: [] };
  }
  const isSentSince = (await isOvertaken(work, services)) || (await isOverruled(work, services));
  return isSentSince ? { kind: 'conflict', written: 'no', reason: 'sent_since', requestIds: [] } : undefined;
}

/** Whether another run has sent a change since this run began. */
async function isOvertaken({ run, item }: ItemWork, services: GovernanceServices): Promise<boolean> {
  const sent = await findSent(item, services);
  return sent !== undefined && sent.run !== run.id && sent.at >= run.begunAt;
}

/**
 * Whether a run of a later policy has sent a change, which may have set back what the plan saw. The time of sending does not
 * say so: a run that began earlier may end later.
 */
async function isOverruled({ run, item }: ItemWork, services: GovernanceServices): Promise<boolean> {
  const sent = await findSent(item, services);
  const other = sent && (await services.runs.get(sent.run));
  return other !== undefined && other.policy > run.policy;
}

/** The service always shows credits. */
async function findSent(item: Item, { sent }: GovernanceServices): Promise<Sent | undefined> {
  return item.resource === 'credits' ? undefined : sent.get(toSentKey(item));
}

/** `isSure`: the service confirmed the write. */
export type WriteResult = { isSure: boolean; requestIds: string[] };

/** Throws errors after which it is certain that nothing was written. */
export async function tryWrite(write: () => Promise<{ requestId?: string | undefined }>): Promise<WriteResult> {
  const toIds = (requestId: string | undefined) => (requestId === undefined ? [] : [requestId]);
  try {
    return { isSure: true, requestIds: toIds((await write()).requestId) };
  } catch (error) {
    if (!(error instanceof AdminOutcomeUnknownError)) throw error;
    return { isSure: false, requestIds: toIds(readRequestId(error)) };
  }
}

/** Reads until the value differs from `old` (undefined: unknown) or there are no more reads. Returns the last value. */
export async function readBack<State extends AnyState>(
  resource: Readable<State>,
  { session, old }: { session: AdminSession; old?: State | undefined },
  { wait = pause }: Waiting,
): Promise<State | Unseen> {
  let shown: State | Unseen = 'unreadable';
  let unreadable = 0;
  for await (const current of readAgain(() => readSafely(resource, session), wait)) {
    if (current === 'hidden') return current;
    if (current === 'unreadable') {
      unreadable += 1;
      if (unreadable === MAX_UNREADABLE) return shown;
      continue;
    }
    shown = current.state;
    if (resource.isSame(resource.after, shown)) return shown;
    if (old !== undefined && !resource.isSame(old, shown)) return shown;
  }
  return shown;
}

/** The write was sent already, so a failed read is not a failure of the item. */
async function readSafely<State>(resource: Readable<State>, session: AdminSession): Promise<Current<State> | Unseen> {
  try {
    return await resource.read(session);
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return 'unreadable';
  }
}

export function judgeReadBack<State extends AnyState>(
  resource: Readable<State>,
  { isSure }: WriteResult,
  shown: State | Unseen,
): Omit<ItemOutcome, 'requestIds'> {
  const written = isSure ? 'yes' : 'perhaps';
  if (typeof shown === 'string') {
    const reason = isSure ? (shown === 'hidden' ? undefined : 'read_back_failed') : 'no_answer';
    return { kind: 'sent_not_shown', written, reason };
  }
  if (resource.isSame(resource.after, shown)) return { kind: 'verified', written: 'yes' };
  if (resource.before === 'unknown' || resource.isSame(resource.before, shown)) {
    return { kind: 'sent_not_shown', written, reason: isSure ? 'still_old' : 'no_answer', found: shown };
  }
  return { kind: 'conflict', written, reason: isSure ? 'after_write' : 'no_answer', found: shown };
}

/** Throws errors that the service did not cause. */
export function toFailed(error: unknown, wasSending: boolean): ItemOutcome {
  const failure = toAdminFailure(error);
  if (failure === undefined) throw error;
  const said = error instanceof AdminRejectedError ? error.explanation : undefined;
  const requestIds = failure.requestId === undefined ? [] : [failure.requestId];
  if (wasSending) return { kind: 'sent_not_shown', written: 'perhaps', reason: 'interrupted', said, requestIds };
  return { kind: 'failed', written: 'no', reason: failure.code, said, requestIds };
}

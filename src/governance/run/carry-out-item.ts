// Carries out one item once: record, read again, compare, write, read back. After a crash the current value at the
// service shows how far the earlier process got.
import { setTimeout as sleep } from 'node:timers/promises';
import { AdminOutcomeUnknownError, AdminRejectedError, readRequestId } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AnyState, Looked, Readable, Resource, Unseen } from './resources.ts';
import type { ItemResult } from './run.ts';

export type ItemOutcome = Omit<ItemResult, 'at'>;

export type ItemWork = {
  resource: Resource;
  session: AdminSession;
  /** An earlier process may have sent it. */
  wasSending: boolean;
  /** The value that the earlier process saw right before the write, if the plan did not know it. */
  seen?: AnyState | undefined;
  /** Records that it may be sent from now on. False: another process has it. */
  claim(): Promise<boolean>;
  /** Records the value right before the write, for the process that goes on after a crash. */
  remember(seen: AnyState): Promise<void>;
  /** Whether another run has sent a change since this run began. */
  isOvertaken(): Promise<boolean>;
  /** Whether a run of a later policy has sent a change. It may have set back what the plan saw. */
  isOverruled(): Promise<boolean>;
};

/** A write may become visible later. The wait before each read, in ms. */
const LOOKS_MS = [0, 1_500, 4_000];

/** Stop after this many failed reads. */
const MAX_UNREADABLE = 2;

/** Undefined: another process has it. Throws errors that the service did not cause, such as those of the store. */
export async function carryOutItem(work: ItemWork): Promise<ItemOutcome | undefined> {
  if (!work.wasSending && !(await work.claim())) return undefined;
  const { resource, session, wasSending } = work;
  let looked: Looked<AnyState> | Unseen;
  try {
    looked = await lookBefore(resource, session);
  } catch (error) {
    return toFailed(error, wasSending);
  }
  try {
    const ended = await judge(work, looked);
    if (ended) return ended;
    if (resource.before === 'unknown' && typeof looked !== 'string') await work.remember(looked.state);
    return await writeItem(work, looked);
  } catch (error) {
    return toFailed(error, false);
  }
}

/** What the plan saw must be seen again before it is replaced. Where the plan saw nothing, one try is enough. */
async function lookBefore({ before, look }: Resource, session: AdminSession): Promise<Looked<AnyState> | Unseen> {
  for (const waitMs of LOOKS_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const looked = await look(session);
    if (looked !== 'unreadable' || before === 'unknown') return looked;
  }
  return 'unreadable';
}

/** Decides whether to write the item. Undefined: write it. */
async function judge(work: ItemWork, looked: Looked<AnyState> | Unseen): Promise<ItemOutcome | undefined> {
  if (typeof looked === 'string') return judgeUnseen(work);
  const { resource, wasSending, seen, isOvertaken, isOverruled } = work;
  const { state } = looked;
  if (resource.isSame(resource.after, state)) {
    return wasSending
      ? { kind: 'verified', written: 'yes', requestIds: [] }
      : { kind: 'verified', written: 'no', reason: 'was_so', requestIds: [] };
  }
  // If the value before is not known, only a change that was sent from here counts as a conflict.
  const before = resource.before === 'unknown' ? seen : resource.before;
  const isSame = before === undefined ? !(await isOvertaken()) : resource.isSame(before, state);
  if (isSame && !(await isOverruled())) return undefined;
  const reason = isSame ? 'sent_since' : 'before_write';
  return { kind: 'conflict', written: wasSending ? 'perhaps' : 'no', reason, found: state, requestIds: [] };
}

async function judgeUnseen(work: ItemWork): Promise<ItemOutcome | undefined> {
  if (work.wasSending) return { kind: 'sent_not_shown', written: 'perhaps', reason: 'interrupted', requestIds: [] };
  // Somebody may have changed or stopped it, and nobody was asked whether to replace that. A new plan asks.
  if (work.resource.before !== 'unknown') {
    return { kind: 'failed', written: 'no', reason: 'unseen_before_write', requestIds: [] };
  }
  const isSentSince = (await work.isOvertaken()) || (await work.isOverruled());
  return isSentSince ? { kind: 'conflict', written: 'no', reason: 'sent_since', requestIds: [] } : undefined;
}

async function writeItem({ resource, session }: ItemWork, looked: Looked<AnyState> | Unseen): Promise<ItemOutcome> {
  const sent = await send(() => resource.write(looked, session));
  const shown = await readBack(resource, session, typeof looked === 'string' ? undefined : looked.state);
  return { ...judgeShown(resource, sent, shown), requestIds: sent.requestIds };
}

/** `isSure`: the service confirmed the write. */
export type SentItem = { isSure: boolean; requestIds: string[] };

/** Throws errors after which it is certain that nothing was written. */
export async function send(write: () => Promise<{ requestId?: string | undefined }>): Promise<SentItem> {
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
  session: AdminSession,
  old?: State,
): Promise<State | Unseen> {
  let shown: State | Unseen = 'unreadable';
  let unreadable = 0;
  for (const waitMs of LOOKS_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const looked = await lookSafely(resource, session);
    if (looked === 'hidden') return looked;
    if (looked === 'unreadable') {
      unreadable += 1;
      if (unreadable === MAX_UNREADABLE) return shown;
      continue;
    }
    shown = looked.state;
    if (resource.isSame(resource.after, shown)) return shown;
    if (old !== undefined && !resource.isSame(old, shown)) return shown;
  }
  return shown;
}

/** The write was sent already, so a failed read is not a failure of the item. */
async function lookSafely<State>(resource: Readable<State>, session: AdminSession): Promise<Looked<State> | Unseen> {
  try {
    return await resource.look(session);
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return 'unreadable';
  }
}

export function judgeShown<State extends AnyState>(
  resource: Readable<State>,
  { isSure }: SentItem,
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

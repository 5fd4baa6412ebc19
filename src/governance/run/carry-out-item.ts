// One item, once: record, read again, compare, write, read back. Where an earlier process died on the way, what is there now
// says how far it came.
import { setTimeout as sleep } from 'node:timers/promises';
import { AdminOutcomeUnknownError, AdminRejectedError, readRequestId } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Item } from '../plan/plan.ts';
import type { CreditsState, ThresholdState } from '../plan/seen.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { Looked, Resource, Unseen } from './resources.ts';
import type { ItemResult } from './run.ts';

export type ItemOutcome = Omit<ItemResult, 'at'>;

/** `wasSending`: an earlier process may have sent it. */
export type ItemWork<OneItem extends Item, State extends ThresholdState | CreditsState, Raw> = {
  item: OneItem;
  resource: Resource<OneItem, State, Raw>;
  session: AdminSession;
  wasSending: boolean;
  /** Records that it may be on its way from now on. False: somebody else has it. */
  claim(): Promise<boolean>;
  /** Where the service does not show what is there: whether something else was sent since the plan was made. */
  isOvertaken(): Promise<boolean>;
};

/** What was sent may show a little later: how long to wait before each look (ms). */
const LOOKS_MS = [0, 1_500, 4_000];

/** Where it cannot be read it is looked twice. */
const MAX_UNREADABLE = 2;

/** Undefined: somebody else has it. Throws what is no failure of the service, such as a store that does not answer. */
export async function carryOutItem<OneItem extends Item, State extends ThresholdState | CreditsState, Raw>(
  work: ItemWork<OneItem, State, Raw>,
): Promise<ItemOutcome | undefined> {
  if (!work.wasSending && !(await work.claim())) return undefined;
  const { item, resource, session, wasSending } = work;
  let looked: Looked<State, Raw> | Unseen;
  try {
    looked = await resource.look(item, session);
  } catch (error) {
    return toFailed(error, wasSending);
  }
  try {
    return (await judge(work, looked)) ?? (await writeItem(work, looked));
  } catch (error) {
    return toFailed(error, false);
  }
}

/** Undefined: it is to be written. */
async function judge<OneItem extends Item, State extends ThresholdState | CreditsState, Raw>(
  { item, resource, wasSending, isOvertaken }: ItemWork<OneItem, State, Raw>,
  looked: Looked<State, Raw> | Unseen,
): Promise<ItemOutcome | undefined> {
  const written = wasSending ? 'perhaps' : 'no';
  if (typeof looked === 'string') {
    if (wasSending) return { kind: 'sent_not_shown', written, reason: 'interrupted', requestIds: [] };
    return (await isOvertaken()) ? { kind: 'conflict', written, reason: 'sent_since', requestIds: [] } : undefined;
  }
  const { state } = looked;
  if (resource.isAfter(item, state)) {
    return wasSending
      ? { kind: 'verified', written: 'yes', requestIds: [] }
      : { kind: 'verified', written: 'no', reason: 'was_so', requestIds: [] };
  }
  const isBefore = resource.isBefore(item, state);
  // Where the plan knew of nothing before it, only what was sent from here since then counts as a change.
  if (isBefore ?? !(await isOvertaken())) return undefined;
  return { kind: 'conflict', written, reason: 'before_write', found: state, requestIds: [] };
}

async function writeItem<OneItem extends Item, State extends ThresholdState | CreditsState, Raw>(
  { item, resource, session }: ItemWork<OneItem, State, Raw>,
  looked: Looked<State, Raw> | Unseen,
): Promise<ItemOutcome> {
  const sent = await send(() => resource.write(item, looked, session));
  const shown = await readBack({ item, resource, session }, typeof looked === 'string' ? undefined : looked.state);
  return { ...judgeShown({ item, resource }, sent, shown), requestIds: sent.requestIds };
}

/** `isSure`: the service said that it took it. */
export type SentItem = { isSure: boolean; requestIds: string[] };

/** Throws the errors that say that nothing was written. */
export async function send(write: () => Promise<{ requestId?: string | undefined }>): Promise<SentItem> {
  try {
    const { requestId } = await write();
    return { isSure: true, requestIds: requestId === undefined ? [] : [requestId] };
  } catch (error) {
    if (!(error instanceof AdminOutcomeUnknownError)) throw error;
    const requestId = readRequestId(error);
    return { isSure: false, requestIds: requestId === undefined ? [] : [requestId] };
  }
}

type OfResource<OneItem extends Item, State, Raw> = { item: OneItem; resource: Resource<OneItem, State, Raw> };

/** What is shown once it is no longer what was there before (`old`; undefined: nobody knows), or after the last look. */
export async function readBack<OneItem extends Item, State, Raw>(
  { item, resource, session }: OfResource<OneItem, State, Raw> & { session: AdminSession },
  old: State | undefined,
): Promise<State | Unseen> {
  let shown: State | Unseen = 'unreadable';
  let unreadable = 0;
  for (const waitMs of LOOKS_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const looked = await lookSafely(resource, item, session);
    if (looked === 'hidden') return looked;
    if (looked === 'unreadable') {
      unreadable += 1;
      if (unreadable === MAX_UNREADABLE) return shown;
      continue;
    }
    shown = looked.state;
    if (resource.isAfter(item, looked.state)) return shown;
    if (old !== undefined && !resource.isSame(old, looked.state)) return shown;
  }
  return shown;
}

/** It was sent: whatever the look comes to, that is no failure of the item. */
async function lookSafely<OneItem extends Item, State, Raw>(
  resource: Resource<OneItem, State, Raw>,
  item: OneItem,
  session: AdminSession,
): Promise<Looked<State, Raw> | Unseen> {
  try {
    return await resource.look(item, session);
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return 'unreadable';
  }
}

export function judgeShown<OneItem extends Item, State extends ThresholdState | CreditsState, Raw>(
  { item, resource }: OfResource<OneItem, State, Raw>,
  { isSure }: SentItem,
  shown: State | Unseen,
): Omit<ItemOutcome, 'requestIds'> {
  const written = isSure ? 'yes' : 'perhaps';
  if (typeof shown === 'string') {
    const reason = isSure ? (shown === 'hidden' ? undefined : 'read_back_failed') : 'no_answer';
    return { kind: 'sent_not_shown', written, reason };
  }
  if (resource.isAfter(item, shown)) return { kind: 'verified', written: 'yes' };
  if (resource.isBefore(item, shown) !== false) {
    return { kind: 'sent_not_shown', written, reason: isSure ? 'still_old' : 'no_answer', found: shown };
  }
  return { kind: 'conflict', written, reason: isSure ? 'after_write' : 'no_answer', found: shown };
}

/** Throws what is no failure of the service. */
export function toFailed(error: unknown, wasSending: boolean): ItemOutcome {
  const failure = toAdminFailure(error);
  if (failure === undefined) throw error;
  const said = error instanceof AdminRejectedError ? error.explanation : undefined;
  const requestIds = failure.requestId === undefined ? [] : [failure.requestId];
  if (wasSending) return { kind: 'sent_not_shown', written: 'perhaps', reason: 'interrupted', said, requestIds };
  return { kind: 'failed', written: 'no', reason: failure.code, said, requestIds };
}

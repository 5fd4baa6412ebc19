// A stop: sent before anything is read, and sent again where somebody else's write may have come after it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import { isSameLimit, isSameThreshold } from '../plan/compare.ts';
import type { SeenThreshold, ThresholdState } from '../plan/seen.ts';
import { type ItemOutcome, judgeShown, readBack, type SentItem, send, toFailed } from './carry-out-item.ts';
import type { Looked, ThresholdResource, Unseen } from './resources.ts';

export type StopWork = {
  /** Of the item, with this instead of what it has after it. */
  toResource(after: ThresholdState): ThresholdResource;
  after: ThresholdState;
  /** `first`: without pauses and turns. */
  first: AdminSession;
  session: AdminSession;
  exclusively: WithLock;
  /** Whether another run is open, which may have been writing the same. */
  isAlone(): Promise<boolean>;
  /** Its limit is a guess: what the service shows, by a read that is begun now, before anything is written. Never rejects. */
  lookBefore?: (() => Promise<SeenThreshold>) | undefined;
};

/** Throws what is no failure of the service, such as a store that does not answer. */
export async function stopItem(work: StopWork): Promise<ItemOutcome> {
  const { toResource, after, first, session } = work;
  let resource = toResource(after);
  const put = () => send(() => resource.write('hidden', first));
  const looking = work.lookBefore?.();
  let sent: SentItem;
  try {
    sent = await put();
    // Twice is once: that a stop has not arrived is worse.
    if (!sent.isSure) sent = join(sent, await put());
  } catch (error) {
    return toFailed(error, false);
  }
  let kept: LimitKept | undefined;
  const shown = await whenFree(work, resource.lockKey, async () => {
    const looked = await resource.look(session);
    if (await shouldSendAgain(work, looked)) sent = join(sent, await putAgain(put));
    kept = looking && toKept(await looking, after, looked);
    if (kept === 'unknown' || kept === undefined) return readBack(resource, session);
    // Sent again, with the limit that it had.
    resource = toResource(kept);
    sent = join(sent, await putAgain(put));
    return readBack(resource, session);
  });
  return {
    ...judgeStopped(resource, sent, shown),
    ...describeKept(kept, resource, shown),
    requestIds: sent.requestIds,
  };
}

/** Of a stop that was sent with a guess: the state with the limit that it had. `unknown`: nobody here knows that. */
type LimitKept = ThresholdState | 'unknown';

/** `before`: by the read that was begun before the stop. `looked`: after it. Undefined: there is nothing to mend. */
function toKept(
  before: SeenThreshold,
  after: ThresholdState,
  looked: Looked<ThresholdState> | Unseen,
): LimitKept | undefined {
  const isOurs = typeof looked === 'string' || !looked.state.stopped || isSameLimit(looked.state.limit, after.limit);
  // Somebody has set another limit since.
  if (!isOurs) return undefined;
  // What the stop itself has set says nothing of what was there.
  if (typeof before === 'string' || isSameThreshold(before, after)) return 'unknown';
  return isSameLimit(before.limit, after.limit) ? undefined : { limit: before.limit, stopped: true };
}

/** Where the service shows no limits at all, the window and the outcome say so. */
function describeKept(
  kept: LimitKept | undefined,
  { after }: ThresholdResource,
  shown: ThresholdState | Unseen,
): Partial<ItemOutcome> {
  if (kept === undefined || (kept === 'unknown' && shown === 'hidden')) return {};
  if (kept === 'unknown') return { reason: 'limit_unknown' };
  const isKept = typeof shown === 'string' || isSameThreshold(after, shown);
  return { reason: isKept ? 'limit_kept' : 'limit_lost', after };
}

/** After whoever is writing the same; where they take too long, without waiting for them any longer. */
async function whenFree<Result>(
  { exclusively }: Pick<StopWork, 'exclusively'>,
  lockKey: string,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await exclusively(lockKey, look);
  } catch (error) {
    if (error instanceof LockBusyError) return look();
    throw error;
  }
}

async function shouldSendAgain({ isAlone }: StopWork, looked: Looked<ThresholdState> | Unseen): Promise<boolean> {
  return typeof looked === 'string' ? !(await isAlone()) : !looked.state.stopped;
}

/** The first one was sent: that this one was not changes nothing of that. */
async function putAgain(put: () => Promise<SentItem>): Promise<SentItem> {
  return put().catch(() => ({ isSure: false, requestIds: [] }));
}

function join(one: SentItem, other: SentItem): SentItem {
  return { isSure: one.isSure || other.isSure, requestIds: [...one.requestIds, ...other.requestIds] };
}

function judgeStopped(
  resource: ThresholdResource,
  sent: SentItem,
  shown: ThresholdState | Unseen,
): Omit<ItemOutcome, 'requestIds'> {
  const judged = judgeShown(resource, sent, shown);
  // It is stopped, which is all that was asked for, and somebody changes its limit.
  const isStopped = typeof shown !== 'string' && shown.stopped;
  return isStopped ? { kind: 'verified', written: 'yes' } : judged;
}

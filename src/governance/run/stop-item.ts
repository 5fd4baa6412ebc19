// A stop: sent before anything is read, and sent again where somebody else's write may have come after it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import type { ThresholdState } from '../plan/seen.ts';
import { type ItemOutcome, judgeShown, readBack, type SentItem, send, toFailed } from './carry-out-item.ts';
import type { Unseen } from './resource.ts';
import type { ThresholdResource } from './threshold-resource.ts';

export type StopWork = {
  item: ThresholdItem;
  resource: ThresholdResource;
  /** `first`: without pauses and turns. */
  first: AdminSession;
  session: AdminSession;
  exclusively: WithLock;
  /** Whether another run is open, which may have been writing the same. */
  isAlone(): Promise<boolean>;
};

/** Throws what is no failure of the service, such as a store that does not answer. */
export async function stopItem(work: StopWork): Promise<ItemOutcome> {
  const { item, resource, first, session } = work;
  const put = () => send(() => resource.write(item, 'hidden', first));
  let sent: SentItem;
  try {
    sent = await put();
    // Twice is once: that a stop has not arrived is worse.
    if (!sent.isSure) sent = join(sent, await put());
  } catch (error) {
    return toFailed(error, false);
  }
  const shown = await whenFree(work, async () => {
    const again = await shouldSendAgain(work);
    if (again) sent = join(sent, await putAgain(put));
    return readBack({ item, resource, session }, undefined);
  });
  return { ...judgeStopped(work, sent, shown), requestIds: sent.requestIds };
}

/** After whoever is writing the same; where they take too long, without waiting for them any longer. */
async function whenFree<Result>(
  { item, resource, exclusively }: StopWork,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await exclusively(resource.toLockKey(item), look);
  } catch (error) {
    if (error instanceof LockBusyError) return look();
    throw error;
  }
}

async function shouldSendAgain({ item, resource, session, isAlone }: StopWork): Promise<boolean> {
  const looked = await resource.look(item, session);
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
  { item, resource }: StopWork,
  sent: SentItem,
  shown: ThresholdState | Unseen,
): Omit<ItemOutcome, 'requestIds'> {
  const judged = judgeShown({ item, resource }, sent, shown);
  // It is stopped, which is all that was asked for, and somebody changes its limit.
  const isStopped = typeof shown !== 'string' && shown.stopped;
  return isStopped ? { kind: 'verified', written: 'yes' } : judged;
}

// Carries out a stop: sends it before anything is read, and again if another write may have come after it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import { isSameLimit, isSameThreshold } from '../plan/compare.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import type { SeenThreshold, ThresholdState } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { type ItemOutcome, judgeShown, readBack, type SentItem, send, toFailed } from './carry-out-item.ts';
import { type Looked, type ThresholdResource, toThresholdResource, type Unseen } from './resources.ts';
import type { Run } from './run-store.ts';

type StopWork = {
  run: Run;
  item: ThresholdItem;
  session: AdminSession;
  /** A session that does not wait for pauses or slots. */
  first: AdminSession;
  /** Given if the limit is a guess: a read of the present limit that was begun before. Never rejects. */
  looking: Promise<SeenThreshold> | undefined;
};

/** Throws errors that the service did not cause, such as those of the store. */
export async function stopItem(
  { run, item, session, first, looking }: StopWork,
  services: GovernanceServices,
): Promise<ItemOutcome> {
  const { after } = item;
  let resource = toThresholdResource(item, services);
  const put = () => send(() => resource.write('hidden', first));
  let sent: SentItem;
  try {
    sent = await put();
    // Sending a stop twice does no harm; a stop that did not arrive does.
    if (!sent.isSure) sent = join(sent, await putAgain(put));
  } catch (error) {
    return toFailed(error, false);
  }
  let kept: LimitKept | undefined;
  const shown = await whenFree(resource.lockKey, services, async () => {
    const looked = await resource.look(session);
    if (await shouldSendAgain(looked, run, services)) sent = join(sent, await putAgain(put));
    kept = looking && toKept(await looking, after, looked);
    if (kept === 'unknown' || kept === undefined) return readBack(resource, { session }, services);
    // Send it again, with the limit that the agent had.
    resource = toThresholdResource({ ...item, after: kept }, services);
    sent = join(sent, await putAgain(put));
    return readBack(resource, { session }, services);
  });
  return {
    ...judgeStopped(resource, sent, shown),
    ...describeKept(kept, resource, shown),
    requestIds: sent.requestIds,
  };
}

/** For a stop sent with a guessed limit: the state with the limit that the agent had. `unknown`: it is not known. */
type LimitKept = ThresholdState | 'unknown';

/** `before`: from a read begun before the stop. `looked`: from a read after it. Undefined: the limit is right as it is. */
function toKept(
  before: SeenThreshold,
  after: ThresholdState,
  looked: Looked<ThresholdState> | Unseen,
): LimitKept | undefined {
  const isOurs = typeof looked === 'string' || !looked.state.stopped || isSameLimit(looked.state.limit, after.limit);
  // Somebody else has set another limit since.
  if (!isOurs) return undefined;
  // The read may have come after the stop, and show only what the stop has set.
  if (typeof before === 'string' || isSameThreshold(before, after)) return 'unknown';
  return isSameLimit(before.limit, after.limit) ? undefined : { limit: before.limit, stopped: true };
}

/** Nothing to add if the service shows no limits at all: the window and the outcome say that already. */
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

/** Waits until nobody else writes the same threshold. If that takes too long, goes on without waiting. */
async function whenFree<Result>(
  lockKey: string,
  { exclusively }: GovernanceServices,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await exclusively(lockKey, look);
  } catch (error) {
    if (error instanceof LockBusyError) return look();
    throw error;
  }
}

/** Another run that is open may have written the same threshold after the stop. */
async function shouldSendAgain(
  looked: Looked<ThresholdState> | Unseen,
  { id }: Run,
  { runs }: GovernanceServices,
): Promise<boolean> {
  if (typeof looked !== 'string') return !looked.state.stopped;
  return (await runs.listOpen()).some((other) => other.id !== id);
}

/** The first stop was sent, so it does not matter if this one fails. */
async function putAgain(put: () => Promise<SentItem>): Promise<SentItem> {
  return put().catch((error: unknown) => {
    // Throws what the service did not cause, such as a lost lease.
    const { requestIds } = toFailed(error, true);
    return { isSure: false, requestIds };
  });
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
  // Somebody else changed its limit. The agent is stopped, which is all that was asked for.
  const isStopped = typeof shown !== 'string' && shown.stopped;
  return isStopped ? { kind: 'verified', written: 'yes' } : judged;
}

// Carries out a stop: sends it before anything is read, and again if another write may have come after it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import { isSameLimit, isSameThreshold } from '../plan/compare.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import type { SeenThreshold, ThresholdState } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { type ItemOutcome, judgeReadBack, readBack, toFailed, tryWrite, type WriteResult } from './carry-out-item.ts';
import { type Current, type ThresholdResource, toThresholdResource, type Unseen } from './resources.ts';
import type { Run } from './run-store.ts';

type StopWork = {
  run: Run;
  item: ThresholdItem;
  session: AdminSession;
  /** A session that does not wait for pauses or slots. */
  first: AdminSession;
  /** Given if the limit is a guess: a read of the present limit that was begun before. Never rejects. */
  limitBefore: Promise<SeenThreshold> | undefined;
};

/** Throws errors that the service did not cause, such as those of the store. */
export async function stopItem(
  { run, item, session, first, limitBefore }: StopWork,
  services: GovernanceServices,
): Promise<ItemOutcome> {
  const { after } = item;
  let resource = toThresholdResource(item, services);
  const put = () => tryWrite(() => resource.write('hidden', first));
  let sent: WriteResult;
  try {
    sent = await put();
    // Sending a stop twice does no harm; a stop that did not arrive does.
    if (!sent.isSure) sent = joinResults(sent, await putAgain(put));
  } catch (error) {
    return toFailed(error, false);
  }
  let former: FormerLimit | undefined;
  const shown = await whenFree(resource.lockKey, services, async () => {
    const current = await resource.read(session);
    if (await shouldSendAgain(current, run, services)) sent = joinResults(sent, await putAgain(put));
    former = limitBefore && findFormer(await limitBefore, after, current);
    if (former === 'unknown' || former === undefined) return readBack(resource, { session }, services);
    // Send it again, with the limit that the agent had.
    resource = toThresholdResource({ ...item, after: former }, services);
    sent = joinResults(sent, await putAgain(put));
    return readBack(resource, { session }, services);
  });
  return {
    ...judgeStop(resource, sent, shown),
    ...describeFormer(former, resource, shown),
    requestIds: sent.requestIds,
  };
}

/** For a stop sent with a guessed limit: the state with the limit that the agent had. `unknown`: it is not known. */
type FormerLimit = ThresholdState | 'unknown';

/** `before`: from a read begun before the stop. `current`: from a read after it. Undefined: the limit is right as it is. */
function findFormer(
  before: SeenThreshold,
  after: ThresholdState,
  current: Current<ThresholdState> | Unseen,
): FormerLimit | undefined {
  const isOurs = typeof current === 'string' || !current.state.stopped || isSameLimit(current.state.limit, after.limit);
  // Somebody else has set another limit since.
  if (!isOurs) return undefined;
  // The read may have come after the stop, and show only what the stop has set.
  if (typeof before === 'string' || isSameThreshold(before, after)) return 'unknown';
  return isSameLimit(before.limit, after.limit) ? undefined : { limit: before.limit, stopped: true };
}

/** Nothing to add if the service shows no limits at all: the window and the outcome say that already. */
function describeFormer(
  former: FormerLimit | undefined,
  { after }: ThresholdResource,
  shown: ThresholdState | Unseen,
): Partial<ItemOutcome> {
  if (former === undefined || (former === 'unknown' && shown === 'hidden')) return {};
  if (former === 'unknown') return { reason: 'limit_unknown' };
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
  current: Current<ThresholdState> | Unseen,
  { id }: Run,
  { runs }: GovernanceServices,
): Promise<boolean> {
  if (typeof current !== 'string') return !current.state.stopped;
  return (await runs.listOpen()).some((other) => other.id !== id);
}

/** The first stop was sent, so it does not matter if this one fails. */
async function putAgain(put: () => Promise<WriteResult>): Promise<WriteResult> {
  return put().catch((error: unknown) => {
    // Throws what the service did not cause, such as a lost lease.
    const { requestIds } = toFailed(error, true);
    return { isSure: false, requestIds };
  });
}

function joinResults(one: WriteResult, other: WriteResult): WriteResult {
  return { isSure: one.isSure || other.isSure, requestIds: [...one.requestIds, ...other.requestIds] };
}

function judgeStop(
  resource: ThresholdResource,
  sent: WriteResult,
  shown: ThresholdState | Unseen,
): Omit<ItemOutcome, 'requestIds'> {
  const judged = judgeReadBack(resource, sent, shown);
  // Somebody else changed its limit. The agent is stopped, which is all that was asked for.
  const isStopped = typeof shown !== 'string' && shown.stopped;
  return isStopped ? { kind: 'verified', written: 'yes' } : judged;
}

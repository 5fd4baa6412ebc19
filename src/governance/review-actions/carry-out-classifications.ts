// What was confirmed of many classifications, recorded one by one, up to the message about how it ended.
import { LockBusyError } from '../../errors.ts';
import { mergeOverlay } from '../register/merge-overlay.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import { toIdKey } from '../register/register.ts';
import type { ReadyRegister } from '../review/approved-state.ts';
import { DecisionUnclearError, decideOnce } from '../review/decide-once.ts';
import { classifyEnvironment, type Problem } from '../review/decisions.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { REGISTER_CHANGED, readReady } from '../review/reviewed-finding.ts';
import type { AccountPorts } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Allowance } from '../shell/allowance.ts';
import { toFailureMessage } from '../shell/failure-message.ts';
import { type KeepPorts, readKept } from '../shell/modal-state.ts';
import {
  buildClassifying,
  buildManyClassified,
  type ClassificationPlan,
  type ManyClassified,
  type PlannedClassification,
} from './classify-many-views.ts';
import type { DecidePorts } from './decide-action.ts';
import type { Submitted } from './review-action.ts';
import { buildReviewNotice } from './review-action-views.ts';

export type ClassifyManyPorts = DecidePorts &
  KeepPorts &
  AccountPorts & { allowance: Allowance; stopping: AbortSignal };

/** As it is kept until it is confirmed: never rename. */
export const KEPT_AS = 'classify-many';

/** Often enough to see it move, and a fraction of the updates that Slack lets us make. */
const TELL_EVERY_MS = 3_000;

/** The file of the register may change meanwhile; it may be long, so it is not read for each. */
const REREAD_EVERY = 50;

const OUT_OF_DATE = 'This window is too old, so nothing was recorded. Press the button of the report again.';

const IN_HAND = 'This was confirmed before, and is being recorded just now. You get a message about how it ended.';

const UNCLEAR = 'it may or may not have been recorded: look at the review again before you classify it once more.';

/** Each once, whatever is confirmed how often: a second confirmation waits for the first, and finds all of it done. */
export async function carryOutClassifications(
  submitted: Submitted,
  { reason }: { reason: string },
  ports: ClassifyManyPorts,
): Promise<void> {
  const { state, modal } = submitted;
  const plan = await readKept<ClassificationPlan>(KEPT_AS, state.id, ports);
  if (plan === undefined) return modal.showProblem(OUT_OF_DATE);
  try {
    await ports.exclusively(`${KEPT_AS}:${state.id}`, () => recordAll({ plan, reason }, submitted, ports));
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error;
    await modal.showProblem(IN_HAND);
  }
}

type Confirmed = { plan: ClassificationPlan; reason: string };

async function recordAll({ plan, reason }: Confirmed, submitted: Submitted, ports: ClassifyManyPorts): Promise<void> {
  const { caller, modal, say } = submitted;
  const { team, user } = caller;
  // They are one confirmation, and count as one change.
  await ports.allowance.spend('change', caller);
  const account = (await ports.adminAccount({ team, user }))?.account;
  const ended: ManyClassified = { plan, recorded: 0, failed: [], notTried: 0 };
  let [fresh, toldAt] = [0, ports.now()];
  let approved: ReadyRegister | Problem = { problem: REGISTER_CHANGED };
  for (const [index, item] of plan.items.entries()) {
    if (ports.stopping.aborted) {
      ended.notTried = plan.items.length - index;
      break;
    }
    try {
      if (index % REREAD_EVERY === 0) approved = await readReady(ports);
      const outcome = await recordOne({ item, plan, reason, caller, account, approved }, ports);
      if (outcome === 'recorded') fresh += 1;
      if (typeof outcome === 'string') ended.recorded += 1;
      else ended.failed.push({ name: item.name, why: outcome.problem });
    } catch (error) {
      // The store failed: it would fail for each of the others as well.
      ended.failed.push({ name: item.name, why: toFailureMessage(error, ports).sentence });
      ended.notTried = plan.items.length - index - 1;
      break;
    }
    if (ports.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = ports.now();
    await modal.show(buildClassifying(index + 1, plan.items.length));
  }
  const { recorded, failed, notTried } = ended;
  ports.log.info({ team, user, recorded, failed: failed.length, notTried }, 'classifications ended');
  const content = buildManyClassified(ended);
  // Confirmed twice, it is told once.
  if (fresh > 0 || failed.length > 0 || notTried > 0) await say(content);
  await modal.show(buildReviewNotice(content.blocks, REVIEW_TOPICS.classify_many));
}

type Recording = Confirmed & {
  item: PlannedClassification;
  caller: Caller;
  account: string | undefined;
  approved: ReadyRegister | Problem;
};

/** `problem`: why not; the others go on. Throws where the store fails. */
async function recordOne(
  { item, plan, reason, caller, account, approved }: Recording,
  ports: ClassifyManyPorts,
): Promise<'recorded' | 'duplicate' | Problem> {
  const { id, environmentId, allocations } = item;
  const { classification, unnamedAgents, registerHash } = plan;
  const { team, workspace, user } = caller;
  const decide = async (records: readonly OverlayRecord[]) => {
    if ('problem' in approved) return approved;
    if (approved.registerHash !== registerHash) return { problem: REGISTER_CHANGED };
    // All others are of no matter here: merging them for each of thousands takes long.
    const own = records.filter((record) => toIdKey(record.environmentId) === toIdKey(environmentId));
    const { register } = mergeOverlay(approved.own, own);
    const request = { id, by: { team, workspace, user }, account, at: ports.now(), registerHash, reason };
    return classifyEnvironment(item, { ...request, register, classification, allocations, unnamedAgents });
  };
  try {
    const outcome = await decideOnce({ id, environmentId }, decide, ports);
    return outcome.kind === 'problem' ? { problem: outcome.sentence } : outcome.kind;
  } catch (error) {
    if (error instanceof DecisionUnclearError) return { problem: UNCLEAR };
    throw error;
  }
}

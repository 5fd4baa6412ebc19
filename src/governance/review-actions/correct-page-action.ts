// *Correct all on this page…*: from the plans of a page's corrections to the message about how they ended.
import { randomUUID } from 'node:crypto';
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import { toMrkdwnLine } from '../../slack/views/content.ts';
import { needsSecondApprover } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { type CarryOutPorts, carryOut } from '../confirmation/slack-confirmed-change.ts';
import {
  type Correction,
  type CorrectionSources,
  findCorrection,
  isCorrectable,
  toCorrectionSources,
  toPlannedChange,
} from '../review/correction.ts';
import { describeFinding, describeLeft, describeOccasion } from '../review/decided-views.ts';
import type { ReviewedFinding } from '../review/finding.ts';
import { REVIEW_CORRECT_PAGE_ACTION } from '../review/finding-views.ts';
import type { JudgeOptions } from '../review/judge-environment.ts';
import type { RecheckPorts } from '../review/recheck.ts';
import { type FindingPorts, listReviewed, readReviewed } from '../review/reviewed-finding.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import type { KeepPorts } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import {
  buildCorrected,
  buildCorrecting,
  buildCorrectPageModal,
  buildInHand,
  buildNothingOnPage,
  CHOSEN_FIELD,
  type CorrectionEnd,
  type CorrectionProgress,
  isShownWhole,
  type LeftOut,
  MAX_PLANNED,
  type PlannedCorrection,
  type PlannedPage,
  readChosen,
} from './correct-page-views.ts';
import { describeStuck, isUnnamed } from './correction-views.ts';
import {
  type Pressed,
  type ReviewActionPorts,
  readWithReason,
  registerReviewAction,
  type Submitted,
} from './review-action.ts';
import { buildReviewNotice, CORRECT_PAGE_TOPIC } from './review-action-views.ts';

/** Each takes two reads, and the service counts those of the whole tenant. */
const READS_AT_ONCE = 4;

const NONE_CHOSEN = 'Tick one of them at least.';

const BY_ITSELF = 'Use *Correct…* under it.';

const TOO_MUCH = `so much changes that it is to be seen by itself. ${BY_ITSELF}`;

export type CorrectPagePorts = FindingPorts & PageApplyPorts & RecheckPorts & ReviewActionPorts & TimeZones;

/** *Correct all on this page…*: all that would change, with one reason and one confirmation. */
export function registerReviewCorrectPage(shell: AdminShell, ports: CorrectPagePorts): void {
  registerReviewAction<{ chosen: string[]; reason: string }>(
    shell,
    {
      actionId: REVIEW_CORRECT_PAGE_ACTION,
      topic: CORRECT_PAGE_TOPIC,
      working: 'Correcting, one after the other…',
      open: (pressed) => open(pressed, ports),
      read(values) {
        const chosen = readChosen(values);
        return readWithReason(
          chosen.length === 0 ? { errors: { [CHOSEN_FIELD]: NONE_CHOSEN } } : { answer: { chosen } },
          values,
        );
      },
      submit: (submitted, answer) => carryOutPage(submitted, answer, ports),
    },
    ports,
  );
}

async function open({ caller, state, modal, session }: Pressed, ports: CorrectPagePorts): Promise<void> {
  const reviewed = await readReviewed(state.place, ports);
  if ('problem' in reviewed) return modal.showProblem(reviewed.problem);
  const sources = toCorrectionSources(session, reviewed.approved, ports);
  const thresholds = sources.session.readThresholds();
  // Read once for the whole page; a failure is thrown where the value is used.
  thresholds.catch(() => undefined);
  const correctable = listReviewed(reviewed.page).filter(({ finding }) => isCorrectable(finding));
  const plans = await mapConcurrently(correctable, READS_AT_ONCE, (one) =>
    plan(one, { ...sources, session: { ...session, readThresholds: () => thresholds } }, ports),
  );
  const page = toPage(plans);
  if (page.planned.length === 0) return modal.show(buildNothingOnPage(page.leftOut));
  const timeZone = await ports.timeZone(caller);
  await keepPage(state.id, page, ports);
  const isRegisterChanged = reviewed.head.registerHash !== reviewed.approved.registerHash;
  const reason = describeOccasion(reviewed.head.at, timeZone);
  await modal.show(buildCorrectPageModal(page, { state, reason, isRegisterChanged }));
}

type Plan = { change: PlannedChange; isUnnamed: boolean } | LeftOut;

async function plan(
  { finding, environmentName }: ReviewedFinding,
  sources: CorrectionSources & { judging: JudgeOptions },
  ports: CorrectPagePorts,
): Promise<Plan> {
  const name = describeFinding(finding, environmentName);
  try {
    const first = await findCorrection(finding, { environmentName }, sources);
    // A stopped agent stays stopped; where that is unknown, the admin has to say.
    const isStopped = first.kind === 'needs_stop_decision' && first.stopped === true;
    const correction = isStopped
      ? await findCorrection(finding, { environmentName, stopDecision: 'keep_stopped' }, sources)
      : first;
    const why = findObstacle(correction, ports);
    const change = 'plan' in correction ? toPlannedChange(correction) : undefined;
    if (why === undefined && change !== undefined && !isShownWhole(change)) return { name, why: TOO_MUCH };
    return why === undefined && change !== undefined
      ? { change, isUnnamed: isUnnamed(correction.finding) }
      : { name, why: why ?? BY_ITSELF };
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { name, why: toMrkdwnLine(failure.sentence, 400) };
  }
}

function findObstacle(correction: Correction, ports: CorrectPagePorts): string | undefined {
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return [describeStuck(correction), ...describeLeft(correction.left)].join('\n');
    case 'needs_choice':
      return `an update has to set rules that the register leaves to the platform, so somebody has to choose. ${BY_ITSELF}`;
    case 'needs_stop_decision':
      return `the service does not tell whether the agent is stopped: somebody has to say it. ${BY_ITSELF}`;
    default:
      return needsSecondApprover(correction.plan, ports)
        ? `it allows more than now, so a second admin has to approve it. ${BY_ITSELF}`
        : undefined;
  }
}

function toPage(plans: readonly Plan[]): PlannedPage {
  const all = plans.flatMap((one) => ('change' in one ? [one] : []));
  // What the register names comes first.
  const changes = [...all.filter((one) => !one.isUnnamed), ...all.filter((one) => one.isUnnamed)];
  const leftOut = plans.flatMap((one) => ('change' in one ? [] : [one]));
  const beyond = changes
    .slice(MAX_PLANNED)
    .map(({ change }) => ({ name: kindOf(change).name(change), why: BY_ITSELF }));
  return {
    planned: changes.slice(0, MAX_PLANNED).map((one) => ({ changeId: randomUUID(), ...one })),
    leftOut: [...leftOut, ...beyond],
  };
}

export type PageApplyPorts = CarryOutPorts & FailurePorts & KeepPorts & { allowance: Allowance };

/** As long as the plan of a single change. */
const KEPT_MS = 12 * 60 * 60 * 1000;

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Press the button of the report again.';

/** `id`: of the confirmation. Throws StoreUnavailableError. */
export async function keepPage(id: string, page: PlannedPage, { approvals, now }: KeepPorts): Promise<void> {
  await approvals.put(toKey(id), JSON.stringify(page), now() + KEPT_MS);
}

/**
 * One after the other, each once: a second confirmation waits for the first to end, and then finds all of them done; or it
 * is told that they are in progress. `chosen`: change ids. Throws where none was begun.
 */
export async function carryOutPage(
  submitted: Submitted,
  { chosen, reason }: { chosen: readonly string[]; reason: string },
  ports: PageApplyPorts,
): Promise<void> {
  const { state, modal } = submitted;
  const kept = await ports.approvals.peek(toKey(state.id));
  if (kept === undefined) return modal.showProblem(OUT_OF_DATE);
  const { planned, leftOut } = JSON.parse(kept) as PlannedPage;
  const corrections = planned.filter(({ changeId }) => chosen.includes(changeId));
  try {
    await ports.exclusively(toKey(state.id), () => correct({ corrections, leftOut, reason }, submitted, ports));
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error;
    const ends = await readEnds(corrections, ports);
    await modal.show(buildInHand({ corrections, ends, leftOut }));
  }
}

type Confirmed = Pick<CorrectionProgress, 'corrections' | 'leftOut'> & { reason: string };

async function correct(
  { corrections, leftOut, reason }: Confirmed,
  { caller, openSession, modal, say }: Submitted,
  ports: PageApplyPorts,
): Promise<void> {
  const session = await openSession();
  const before = await readEnds(corrections, ports);
  // For all of them at once: they are one confirmation, which is not to break off in the middle.
  const count = corrections.length - before.size;
  if (count > 0) await ports.allowance.spend('change', caller, count);
  const ends = new Map<string, CorrectionEnd>();
  const progress = { corrections, ends, leftOut };
  let isBrokenOff = false;
  try {
    for (const { changeId, change } of corrections) {
      await modal.show(buildCorrecting(progress));
      ends.set(changeId, await correctOne({ changeId, change }, { caller, reason, session }, ports));
    }
  } catch (error) {
    await noteInFlight(progress, ports);
    if (ends.size === 0) throw error;
    isBrokenOff = true;
    // Only for its log entry: the sentence is about a single change.
    toFailureMessage(error, ports);
  }
  const content = buildCorrected(progress, isBrokenOff);
  const isRepeated = !isBrokenOff && [...ends.values()].every(({ kind }) => kind === 'repeated');
  if (!isRepeated) await say(content);
  await modal.show(buildReviewNotice(content.blocks, CORRECT_PAGE_TOPIC));
}

type Correcting = { caller: Caller; reason: string; session: AdminSession };

async function correctOne(
  { changeId, change }: PlannedCorrection,
  { caller, reason, session }: Correcting,
  ports: PageApplyPorts,
): Promise<CorrectionEnd> {
  const known = await ports.changes.get(changeId);
  if (known !== undefined) return { kind: 'repeated', ended: known.outcome?.kind };
  try {
    const { outcome } = await carryOut({ change, request: { changeId, by: caller, reason } }, session, ports);
    return outcome.kind === 'duplicate' ? { kind: 'repeated', ended: undefined } : outcome;
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error;
    // Another change of the same subject is running: only this correction is affected.
    const begun = await ports.changes.get(changeId);
    return begun === undefined ? { kind: 'busy' } : { kind: 'repeated', ended: begun.outcome?.kind };
  }
}

/** What stopped the work may have come after this one was begun: its record knows, where it can be read. */
async function noteInFlight({ corrections, ends }: Progress, { changes }: CarryOutPorts): Promise<void> {
  const inFlight = corrections.find(({ changeId }) => !ends.has(changeId));
  if (inFlight === undefined) return;
  const { changeId } = inFlight;
  try {
    const begun = await changes.get(changeId);
    if (begun !== undefined) ends.set(changeId, { kind: 'broke_off', ended: begun.outcome?.kind });
  } catch {
    // Of the first of all, the error itself says more.
    if (ends.size > 0) ends.set(changeId, { kind: 'broke_off', ended: undefined });
  }
}

type Progress = CorrectionProgress & { ends: Map<string, CorrectionEnd> };

/** Of those that were begun by a confirmation before. */
async function readEnds(
  corrections: readonly PlannedCorrection[],
  { changes }: CarryOutPorts,
): Promise<Map<string, CorrectionEnd>> {
  const known = await Promise.all(corrections.map(({ changeId }) => changes.get(changeId)));
  return new Map(
    known.flatMap((change) =>
      change ? [[change.id, { kind: 'repeated', ended: change.outcome?.kind }] as const] : [],
    ),
  );
}

function toKey(id: string): string {
  return `correct-page:${id}`;
}

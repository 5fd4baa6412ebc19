// *Correct all on this page…*: what would bring each of its findings back, with one confirmation for all.

import { randomUUID } from 'node:crypto';
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import { toMrkdwnLine } from '../../slack/views/content.ts';
import { needsSecondApprover } from '../changes/change.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import type { StopDecision } from '../inventory/agent-limit.ts';
import { isCorrectable } from '../review/correction.ts';
import { describeApproved, describeFinding, describeLeft, describeOccasion } from '../review/decided-views.ts';
import {
  type Correction,
  type CorrectionSources,
  findCorrection,
  toCorrectionSources,
  toPlannedChange,
} from '../review/find-correction.ts';
import type { Finding, ReviewedFinding } from '../review/finding.ts';
import type { RecheckPorts } from '../review/recheck.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, listReviewed, readReviewed } from '../review/reviewed-finding.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import type { TimeZones } from '../shell/respond.ts';
import { carryOutPage, keepPage, type PageApplyPorts } from './carry-out-page.ts';
import {
  buildCorrectPageModal,
  buildNothingOnPage,
  CHOSEN_FIELD,
  isShownWhole,
  type LeftOut,
  MAX_PLANNED,
  type PlannedCorrection,
  type PlannedPage,
  readChosen,
  readStopAnswer,
  STOP_FIELD,
  type StopAnswer,
} from './correct-page-views.ts';
import { describeStuck, isUnnamed } from './correction-views.ts';
import { type Pressed, type ReviewActionPorts, readWithReason, registerReviewAction } from './review-action.ts';

export type CorrectPagePorts = FindingPorts & PageApplyPorts & RecheckPorts & ReviewActionPorts & TimeZones;

/** Each takes two reads, and the service counts those of the whole tenant. */
const READS_AT_ONCE = 4;

const NONE_CHOSEN = 'Tick one of them at least.';

const NO_STOP_ANSWER = 'Choose one: nothing here can tell whether these agents are to run.';

const BY_ITSELF = 'Use *Correct…* under it.';

const TOO_MUCH = `so much changes that it is to be seen by itself. ${BY_ITSELF}`;

/** *Correct all on this page…*: all that would change, with one reason and one confirmation. */
export function registerReviewCorrectPage(shell: AdminShell, ports: CorrectPagePorts): void {
  registerReviewAction<{ chosen: string[]; stopped: StopAnswer | undefined; reason: string }>(
    shell,
    {
      topic: REVIEW_TOPICS.correct_page,
      working: 'Correcting, one after the other…',
      open: (pressed) => open(pressed, ports),
      read(values) {
        const chosen = readChosen(values);
        const stopped = readStopAnswer(values);
        const errors = {
          ...(chosen.length === 0 && { [CHOSEN_FIELD]: NONE_CHOSEN }),
          ...(stopped === 'missing' && { [STOP_FIELD]: NO_STOP_ANSWER }),
        };
        const isFilled = chosen.length > 0 && stopped !== 'missing';
        return readWithReason(isFilled ? { answer: { chosen, stopped } } : { errors }, values);
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
  const reason = describeOccasion(reviewed.head.at, timeZone, correctable);
  await modal.show(buildCorrectPageModal(page, { state, reason, isRegisterChanged }));
}

type Plan = Omit<PlannedCorrection, 'changeId'> | LeftOut;

async function plan(
  { finding, environmentName }: ReviewedFinding,
  sources: CorrectionSources,
  ports: CorrectPagePorts,
): Promise<Plan> {
  const name = describeFinding(finding, environmentName);
  try {
    const first = await findCorrection(finding, { environmentName }, sources);
    // A stopped agent stays stopped; where that is unknown, the form asks once for all of them.
    const stopDecision = toStopDecision(first);
    const correction =
      stopDecision === undefined ? first : await findCorrection(finding, { environmentName, stopDecision }, sources);
    const why = findObstacle(correction, ports);
    const change = 'plan' in correction ? toPlannedChange(correction) : undefined;
    if (why === undefined && change !== undefined && !isShownWhole(change)) return { name, why: TOO_MUCH };
    const again = describeAgain(correction.finding);
    return why === undefined && change !== undefined
      ? { change, again, isUnnamed: isUnnamed(correction.finding), mayBeStopped: stopDecision === 'not_stopped' }
      : { name, why: why ?? BY_ITSELF };
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { name, why: toMrkdwnLine(failure.sentence, 400) };
  }
}

/** Nothing of it would be among the old and new values. */
function describeAgain(finding: Finding): string | undefined {
  if (finding.kind !== 'agent' || finding.reason !== 'limit_stale' || !finding.approvedLimit) return undefined;
  return describeApproved(finding.approvedLimit);
}

function toStopDecision(correction: Correction): StopDecision | undefined {
  if (correction.kind !== 'needs_stop_decision') return undefined;
  return correction.stopped === true || correction.isStoppedFromHere ? 'keep_stopped' : 'not_stopped';
}

function findObstacle(correction: Correction, ports: CorrectPagePorts): string | undefined {
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return [describeStuck(correction), ...describeLeft(correction.left)].join('\n');
    case 'needs_choice':
      return `an update has to set rules that the register leaves to the platform, so somebody has to choose. ${BY_ITSELF}`;
    case 'needs_stop_decision':
      return `somebody has to say whether the agent is stopped. ${BY_ITSELF}`;
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

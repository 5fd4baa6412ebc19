import { randomUUID } from 'node:crypto';
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import { onReviewButton, type Pressed } from '../../slack/listeners/admin/review-action/open.ts';
import { carryOutPage, keepPage, type PageApplyPorts } from '../../slack/listeners/admin/review-action/page-apply.ts';
import { type LookPorts, toCorrectionSources } from '../../slack/listeners/admin/review-action/sources.ts';
import type { PlannedChange } from '../../slack/views/admin/planned-change.ts';
import { REASON_FIELD, readReason } from '../../slack/views/admin/reason-field.ts';
import { REVIEW_CORRECT_PAGE_ACTION } from '../../slack/views/admin/review/place.ts';
import { toMrkdwnLine } from '../../slack/views/shown-text.ts';
import { parseReason } from '../audit/reason.ts';
import { needsSecondApprover } from '../changes/change.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { isCorrectable } from '../review/correction.ts';
import { describeFinding, describeLeft, describeOccasion, describePlanned } from '../review/decided-views.ts';
import { type CorrectionSources, findCorrection } from '../review/find-correction.ts';
import type { JudgeOptions } from '../review/judge-environment.ts';
import type { Correction } from '../review/plan-correction.ts';
import { type FindingPorts, listReviewed, type ReviewedFinding, readReviewed } from '../review/reviewed-finding.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { TimeZones } from '../shell/respond.ts';
import {
  buildCorrectPageModal,
  buildNothingOnPage,
  CHOSEN_FIELD,
  CORRECT_PAGE_FORM,
  isShownWhole,
  type LeftOut,
  MAX_PLANNED,
  type PlannedPage,
  readChosen,
} from './correct-page-views.ts';
import { describeStuck, isUnnamed } from './correct-words.ts';
import { type Checked, type FormPorts, type FormValues, registerReviewForm } from './review-action.ts';
import { CORRECT_PAGE_TOPIC } from './review-action-views.ts';

/** Each takes two reads, and the service counts those of the whole tenant. */
const READS_AT_ONCE = 4;

const NONE_CHOSEN = 'Tick one of them at least.';

const BY_ITSELF = 'Use *Correct…* under it.';

const TOO_MUCH = `so much changes that it is to be seen by itself. ${BY_ITSELF}`;

export type CorrectPagePorts = FindingPorts & FormPorts & LookPorts & PageApplyPorts & TimeZones;

/** *Correct all on this page…*: one look at all that would change, one reason, one confirmation. */
export function registerReviewCorrectPage(shell: AdminShell, ports: CorrectPagePorts): void {
  const topic = CORRECT_PAGE_TOPIC;
  onReviewButton(shell, { actionId: REVIEW_CORRECT_PAGE_ACTION, topic }, (pressed) => open(pressed, ports));
  const form = { callbackId: CORRECT_PAGE_FORM, topic, working: 'Correcting, one after the other…' };
  registerReviewForm(shell, { ...form, check: (values) => check(values, ports) }, ports);
}

async function open({ caller, place, modal, session, replyTo }: Pressed, ports: CorrectPagePorts): Promise<void> {
  const reviewed = await readReviewed(place, ports);
  if ('problem' in reviewed) return modal.showProblem(reviewed.problem);
  const sources = toCorrectionSources(session, reviewed, ports);
  const thresholds = sources.session.readThresholds();
  // Read once for all of the page, and thrown where somebody asks for it.
  thresholds.catch(() => undefined);
  const correctable = listReviewed(reviewed.page).filter(({ finding }) => isCorrectable(finding));
  const plans = await mapConcurrently(correctable, READS_AT_ONCE, (one) =>
    plan(one, { ...sources, session: { ...session, readThresholds: () => thresholds } }, ports),
  );
  const page = toPage(plans);
  if (page.planned.length === 0) return modal.show(buildNothingOnPage(page.leftOut));
  const [id, timeZone] = [randomUUID(), await ports.timeZone(caller)];
  await keepPage(id, page, ports);
  const isRegisterChanged = reviewed.head.registerHash !== reviewed.approved.registerHash;
  const reason = describeOccasion(reviewed.head.at, timeZone);
  await modal.show(buildCorrectPageModal(page, { state: { id, place, replyTo }, reason, isRegisterChanged }));
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
    // Who is stopped stays so; where nobody can tell, somebody has to say it.
    const isStopped = first.kind === 'needs_stop_decision' && first.stopped === true;
    const correction = isStopped
      ? await findCorrection(finding, { environmentName, stopDecision: 'keep_stopped' }, sources)
      : first;
    const why = findObstacle(correction, ports);
    const change = toChange(correction);
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

function toChange(correction: Correction): PlannedChange | undefined {
  if (correction.kind === 'limit') return { kind: 'limit', plan: correction.plan };
  if (correction.kind !== 'allocation') return undefined;
  return { kind: 'allocation', plan: correction.plan, environmentName: correction.finding.name };
}

function toPage(plans: readonly Plan[]): PlannedPage {
  const all = plans.flatMap((one) => ('change' in one ? [one] : []));
  // What the register names comes first.
  const changes = [...all.filter((one) => !one.isUnnamed), ...all.filter((one) => one.isUnnamed)];
  const leftOut = plans.flatMap((one) => ('change' in one ? [] : [one]));
  const beyond = changes.slice(MAX_PLANNED).map(({ change }) => ({ name: describePlanned(change), why: BY_ITSELF }));
  return {
    planned: changes.slice(0, MAX_PLANNED).map((one) => ({ changeId: randomUUID(), ...one })),
    leftOut: [...leftOut, ...beyond],
  };
}

function check(values: FormValues, ports: CorrectPagePorts): Checked {
  const chosen = readChosen(values);
  const parsed = parseReason(readReason(values));
  if (chosen.length === 0 || !parsed.ok) {
    return {
      errors: {
        ...(chosen.length === 0 ? { [CHOSEN_FIELD]: NONE_CHOSEN } : {}),
        ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
      },
    };
  }
  return { run: (submitted) => carryOutPage(submitted, { chosen, reason: parsed.reason }, ports) };
}

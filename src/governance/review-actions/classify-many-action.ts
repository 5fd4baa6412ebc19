// *Classify many…*: from a report to the preview of what would be recorded, and from its confirmation to the records.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { StatedAllocation } from '../register/register.ts';
import { classifyEnvironment, type Problem } from '../review/decisions.ts';
import { type EnvironmentFinding, isUnreadable } from '../review/finding.ts';
import { describeReason } from '../review/finding-words.ts';
import { toFoundAllocations } from '../review/found-allocation.ts';
import { createPatientReader } from '../review/patient-reader.ts';
import { listUnclassified } from '../review/report.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type Reviewed, readDecidableReport } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { toFailureMessage } from '../shell/failure-message.ts';
import { orTellFailure, toProblem } from '../shell/modal.ts';
import { keep } from '../shell/modal-state.ts';
import { type ClassifyManyPorts, carryOutClassifications, KEPT_AS } from './carry-out-classifications.ts';
import { type ClassifiedCredits, listComplete, toStatedAllocations } from './classification-form.ts';
import {
  buildClassifyConfirm,
  buildClassifyManyModal,
  buildNoneToClassify,
  type ClassificationPlan,
  type ManyChosen,
  type NotClassified,
  type PlannedClassification,
  readClassifyMany,
  toConfirmId,
} from './classify-many-views.ts';
import {
  FORM_OUT_OF_DATE,
  type Pressed,
  readWithReason,
  registerReviewAction,
  type Submitted,
} from './review-action.ts';
import { buildReviewWorking, parseReviewForm } from './review-action-views.ts';

/** As in a review: the service counts the calls of a whole tenant. */
const READS_AT_ONCE = 4;

const NEEDS_APPROVER =
  'A second administrator has to approve each classification here, so they cannot be made at once. Use Classify… for each, or write them into the file of the register: /assistant-admin review draft drafts it.';

const NONE = 'All that this review found is in the register by now. Give the command again: /assistant-admin review.';

const NOT_TOLD = 'the service does not tell all of its credits and rules, so state them.';

/** *Classify many…* under a report. */
export function registerReviewClassifyMany(shell: AdminShell, ports: ClassifyManyPorts): void {
  const topic = REVIEW_TOPICS.classify_many;
  registerReviewAction<ManyChosen>(
    shell,
    {
      topic,
      working: 'Looking at what would be approved. This takes a moment for each environment…',
      open: (pressed) => open(pressed, ports),
      read: (values) => readClassifyMany(values),
      submit: (submitted, chosen) => preview(submitted, chosen, ports),
    },
    ports,
  );
  shell.onSubmission({ callbackId: toConfirmId(), topic, isFresh: true }, async ({ view, toPlace, ...admin }) => {
    const state = parseReviewForm(view.private_metadata);
    if (!state) return { answer: toProblem(FORM_OUT_OF_DATE, topic) };
    // The app may have been started anew with another configuration since.
    if (ports.needsApproval) return { answer: toProblem(NEEDS_APPROVER, topic) };
    const filled = readWithReason({ answer: {} }, view.state.values);
    if ('errors' in filled) return { answer: { response_action: 'errors', errors: filled.errors } };
    return {
      answer: { response_action: 'update', view: buildReviewWorking('Recording the classifications…', topic) },
      afterwards() {
        const submitted = { ...admin, state, approver: undefined, ...toPlace(state.replyTo) };
        const work = () => carryOutClassifications(submitted, filled.answer, ports);
        return orTellFailure(work, submitted, (error) => toFailureMessage(error, ports));
      },
    };
  });
}

async function open({ modal, state }: Pressed, ports: ClassifyManyPorts): Promise<void> {
  if (ports.needsApproval) return modal.showProblem(NEEDS_APPROVER);
  const found = await readOpen(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { environments, reviewed } = found;
  const choices = listComplete(reviewed.approved);
  await modal.show(buildClassifyManyModal(environments, { state, currency: ports.currency, choices }));
}

type Place = Pressed['state']['place'];

/** The environments of the report that nobody had classified then. */
async function readOpen(
  place: Place,
  ports: ClassifyManyPorts,
): Promise<{ environments: EnvironmentFinding[]; reviewed: Reviewed } | Problem> {
  const reviewed = await readDecidableReport(place, ports);
  if ('problem' in reviewed) return reviewed;
  const environments = await listUnclassified(reviewed.head, ports.reports);
  return environments.length === 0 ? { problem: NONE } : { environments, reviewed };
}

async function preview(submitted: Submitted, chosen: ManyChosen, ports: ClassifyManyPorts): Promise<void> {
  const { state, modal, openSession } = submitted;
  if (ports.needsApproval) return modal.showProblem(NEEDS_APPROVER);
  const found = await readOpen(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const wanted = pick(found.environments, chosen);
  const allocations = await readAllocations(wanted, chosen, { session: await openSession(), ports });
  const plan = toPlan({ wanted, allocations, chosen }, found.reviewed);
  if (plan.items.length === 0) return modal.show(buildNoneToClassify(plan.leftOut));
  const id = await keep(KEPT_AS, plan, ports);
  await modal.show(buildClassifyConfirm(plan, { ...state, id }));
}

function pick(environments: readonly EnvironmentFinding[], { which, chosen }: ManyChosen): EnvironmentFinding[] {
  const places = new Set(chosen);
  return environments.filter((_, place) => which === 'all' || places.has(place) === (which === 'only'));
}

/** What is to be approved of the credits of one environment, or in mrkdwn why that cannot be told. */
type Approvable = { allocations: StatedAllocation[] | 'none' | undefined } | { why: string };

function readAllocations(
  wanted: readonly EnvironmentFinding[],
  { credits }: Pick<ClassifiedCredits, 'credits'>,
  { session, ports }: { session: Pick<AdminSession, 'readAllocation'>; ports: ClassifyManyPorts },
): Promise<Approvable[]> {
  const { currency, stopping, log } = ports;
  const read = createPatientReader({
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: stopping,
    onUnexpected: (error) => log.error({ err: error }, 'environment not read'),
  });
  return mapConcurrently(wanted, READS_AT_ONCE, async ({ environmentId }): Promise<Approvable> => {
    if (credits.source !== 'found') return { allocations: toStatedAllocations({ credits }, { currency }) };
    const reading = await read(() => session.readAllocation(environmentId));
    if (isUnreadable(reading)) return { why: `${describeReason(reading.unreadable)}.` };
    const { stated, isComplete } = toFoundAllocations(reading);
    return isComplete ? { allocations: stated } : { why: NOT_TOLD };
  });
}

type Wanted = { wanted: readonly EnvironmentFinding[]; allocations: readonly Approvable[]; chosen: ManyChosen };

function toPlan({ wanted, allocations, chosen }: Wanted, { approved }: Reviewed): ClassificationPlan {
  const { classification, unnamedAgents } = chosen;
  const { register, registerHash, own } = approved;
  const trial = { by: { team: '', workspace: '', user: '' }, at: 0, reason: 'trial', register, registerHash };
  const items: PlannedClassification[] = [];
  const leftOut: NotClassified[] = [];
  for (const [index, { environmentId, name }] of wanted.entries()) {
    const one = allocations[index] ?? { allocations: undefined };
    if ('why' in one) {
      leftOut.push({ name, why: one.why });
      continue;
    }
    const item = { id: randomUUID(), environmentId, name, allocations: one.allocations };
    const tried = classifyEnvironment(item, { ...trial, ...item, classification, unnamedAgents });
    if ('problem' in tried) leftOut.push({ name, why: tried.problem });
    else items.push(item);
  }
  return { classification, items, leftOut, defaults: own.defaults[classification], unnamedAgents, registerHash };
}

// *Classify many…*: from a report to the preview of what would be recorded, and from its confirmation to the records.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { toMrkdwnName } from '../../slack/views/content.ts';
import type { StatedAllocation } from '../register/register.ts';
import { classifyEnvironment, type Problem } from '../review/decisions.ts';
import { type EnvironmentFinding, isUnreadable } from '../review/finding.ts';
import { describeReason } from '../review/finding-words.ts';
import { toFoundAllocations } from '../review/found-allocation.ts';
import { createPatientReader } from '../review/patient-reader.ts';
import { listUnclassified } from '../review/report.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, type Reviewed, readDecidableReport } from '../review/reviewed-finding.ts';
import { type ClassifiedCredits, listComplete, toStatedAllocations } from '../review-actions/classification-form.ts';
import {
  type Pressed,
  type ReviewActionPorts,
  registerReviewAction,
  type Submitted,
} from '../review-actions/review-action.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type BulkConfirmPorts, keepBulk, registerBulkConfirm } from './bulk-confirm-action.ts';
import type { ClassificationItem } from './bulk-item.ts';
import {
  buildClassifyConfirm,
  buildClassifyManyModal,
  buildNoneToClassify,
  type ClassificationPlan,
  describeForApprover,
  type ManyChosen,
  readClassifyMany,
  toConfirmId,
} from './classify-many-views.ts';
import { toGroups } from './slack-plan-items.ts';

/** As in a review: the service counts the calls of a whole tenant. */
const READS_AT_ONCE = 4;

const NONE = 'All that this review found is in the register by now. Give the command again: /assistant-admin review.';

const NOT_TOLD = 'the service does not tell all of its credits and rules, so state them.';

export type ClassifyManyPorts = BulkConfirmPorts &
  FindingPorts &
  ReviewActionPorts & { currency: string; needsApproval: boolean; stopping: AbortSignal };

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
  registerBulkConfirm(shell, ports, { callbackId: toConfirmId(), topic });
}

async function open({ modal, state }: Pressed, ports: ClassifyManyPorts): Promise<void> {
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
  const found = await readOpen(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const wanted = pick(found.environments, chosen);
  const allocations = await readAllocations(wanted, chosen, { session: await openSession(), ports });
  const plan = toPlan({ wanted, allocations, chosen }, found.reviewed);
  const { items, leftOut } = plan;
  if (items.length === 0) return modal.show(buildNoneToClassify(leftOut));
  const id = await keepBulk({ by: submitted.caller, items, leftOut, shown: describeForApprover(plan) }, ports);
  await modal.show(buildClassifyConfirm(plan, { state: { ...state, id }, needsApprover: ports.needsApproval }));
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
  const trial = { id: 'trial', by: { team: '', workspace: '', user: '' }, at: 0, reason: 'trial', register };
  const items: ClassificationItem[] = [];
  const left: { name: string; why: string }[] = [];
  for (const [index, { environmentId, name }] of wanted.entries()) {
    const one = allocations[index] ?? { allocations: undefined };
    const item = { kind: 'classification' as const, environmentId, name, classification, unnamedAgents, registerHash };
    const tried = 'why' in one ? one : tryOne({ ...item, ...one }, trial);
    if ('why' in tried) left.push({ name: toMrkdwnName(name, 60), why: tried.why });
    else items.push(tried);
  }
  return { classification, items, leftOut: toGroups(left), defaults: own.defaults[classification], unnamedAgents };
}

function tryOne(
  item: ClassificationItem,
  trial: Omit<Parameters<typeof classifyEnvironment>[1], 'classification' | 'registerHash'>,
): ClassificationItem | { why: string } {
  const tried = classifyEnvironment(item, { ...trial, ...item });
  return 'problem' in tried ? { why: tried.problem } : item;
}

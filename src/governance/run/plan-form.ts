// The plan window: shows what a proposal does, asks for what is missing, and confirms it.
import { z } from 'zod';
import { buildSection } from '../../slack/views/content.ts';
import { parseReason } from '../audit/reason.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import { findApproverProblem } from '../shell/find-approver.ts';
import {
  APPROVER_FIELD,
  type FormValues,
  REASON_FIELD,
  readApprover,
  readReason,
  readText,
} from '../shell/form-fields.ts';
import { buildEndModal, type Opened } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import type { Say } from '../shell/respond.ts';
import { parseWholeNumber } from '../shell/whole-number.ts';
import { readTargetNames } from './edit-words.ts';
import type { Confirmation, Confirmed, Proposal } from './engine.ts';
import { buildPlanWindow, buildPlanWorking, PLAN_CALLBACK, TYPED_FIELD } from './plan-views.ts';
import { isStopRun } from './run.ts';

const TOPIC = { id: 'plan', title: 'Plan', loading: 'Looking up what would change…' };

/** What was filled in before: it is in the window from the beginning. */
export type Filled = { reason?: string | undefined; approver?: string | undefined };

export type PlanOpened = Pick<Opened, 'modal' | 'caller' | 'replyTo'>;

/** A working day. After that, the form has to be opened again. */
const KEPT_MS = 12 * 60 * 60 * 1000;

const stateSchema = z.object({ id: z.string(), replyTo: z.string() });

const OUT_OF_DATE = 'This window is too old: open the form again.';

/** Shows the plan in the window, which is there already, with what has to be filled in. Throws StoreUnavailableError. */
export async function showPlan(
  { modal, replyTo }: PlanOpened,
  proposal: Proposal,
  services: GovernanceServices,
  { reason }: Filled = {},
): Promise<void> {
  const { id } = proposal.plan;
  await services.once.put(toKey(id), JSON.stringify(proposal), services.now() + KEPT_MS);
  const metadata = JSON.stringify({ id, replyTo } satisfies z.infer<typeof stateSchema>);
  await modal.show(buildPlanWindow({ proposal, name: await readTargetNames(services), metadata, reason }));
}

/** Carries it out at once where nobody has to see or type anything more; else shows the plan in the window. */
export async function confirmOrShow(
  opened: PlanOpened,
  proposal: Proposal,
  { reason, approver, say }: Filled & { reason: string; say: Say },
  services: GovernanceServices,
): Promise<void> {
  if (needsLook(proposal, approver)) return showPlan(opened, proposal, services, { reason });
  const { modal, caller, replyTo } = opened;
  await confirm(proposal, { caller, reason, approver, say, replyTo, show: (view) => modal.show(view) }, services);
}

function needsLook({ plan, isGrave, typed, needsApprover }: Proposal, approver: string | undefined): boolean {
  if (isStopRun(plan) && plan.leftOut.length === 0) return false;
  const isLarge = plan.items.length > 1 || typed !== undefined;
  return isLarge || isGrave || plan.leftOut.length > 0 || (needsApprover && approver === undefined);
}

/** What the window, and a message where nobody else says anything, say about it. Plain text of our own. */
const SENTENCES: Record<Exclude<Confirmed, 'started' | 'waiting'>, string> = {
  nothing: 'Nothing to do: the policy says so already, and so does the service.',
  outdated: 'Somebody changed the same meanwhile, so nothing was changed. Open it again, and look at what is set now.',
};

async function confirm(proposal: Proposal, confirmation: Confirmation, services: GovernanceServices): Promise<void> {
  const confirmed = await services.engine.confirm(proposal, confirmation);
  if (confirmed === 'started' || confirmed === 'waiting') return;
  const text = SENTENCES[confirmed];
  await confirmation.say({ text, blocks: [buildSection(text)] });
  await confirmation.show?.(buildEndModal('plan_end', 'Plan', [buildSection(text)]));
}

export function registerPlans(shell: AdminShell, services: GovernanceServices): void {
  shell.onSubmission({ callbackId: PLAN_CALLBACK, topic: TOPIC, isFresh: true }, async (submission) => {
    const { view, caller } = submission;
    const state = parseState(stateSchema, view.private_metadata);
    const kept = state && (await services.once.peek(toKey(state.id)));
    if (!state || kept === undefined) return { answer: toProblemView(OUT_OF_DATE) };
    const proposal = JSON.parse(kept) as Proposal;
    const filled = await readPlanForm(view.state.values as FormValues, { proposal, caller }, services);
    if ('errors' in filled) return { answer: { response_action: 'errors', errors: filled.errors } };
    return {
      answer: { response_action: 'update', view: buildPlanWorking('Carrying it out…') },
      afterwards: () => confirmSubmitted({ proposal, filled, replyTo: state.replyTo }, submission, services),
    };
  });
}

type Submitted = { proposal: Proposal; filled: Filled & { reason: string }; replyTo: string };

async function confirmSubmitted(
  { proposal, filled: { reason, approver }, replyTo }: Submitted,
  { caller, toPlace }: Submission,
  services: GovernanceServices,
): Promise<void> {
  const { modal, say } = toPlace(replyTo);
  try {
    const show = modal.show.bind(modal);
    await confirm(proposal, { caller, reason, approver, say, replyTo, show }, services);
  } catch (error) {
    await modal.showFailure(error);
  }
}

type ReadPlan = { proposal: Proposal; caller: Submission['caller'] };

/** All errors of the window at once, by block id. */
async function readPlanForm(
  values: FormValues,
  { proposal: { typed, needsApprover }, caller }: ReadPlan,
  services: GovernanceServices,
): Promise<(Filled & { reason: string }) | { errors: Record<string, string> }> {
  const reason = parseReason(readReason(values));
  const errors: Record<string, string> = {};
  if (!reason.ok) errors[REASON_FIELD] = reason.sentence;
  if (typed !== undefined && readNumber(readText(values, TYPED_FIELD)) !== typed) {
    errors[TYPED_FIELD] = `Type ${typed} to confirm, or cancel.`;
  }
  const chosen = needsApprover ? readApprover(values) : undefined;
  const approver = chosen === 'not_asked' ? undefined : chosen;
  // Somebody else is looked up last: that asks Slack.
  if (needsApprover && Object.keys(errors).length === 0) {
    const problem = await findApproverProblem(approver, caller, services);
    if (problem !== undefined) errors[APPROVER_FIELD] = problem;
  }
  return reason.ok && Object.keys(errors).length === 0 ? { reason: reason.reason, approver } : { errors };
}

function readNumber(text: string): number | string {
  return parseWholeNumber(text, { empty: '', negative: '', not_whole: '', not_digits: '', too_large: '' });
}

function toProblemView(sentence: string) {
  return {
    response_action: 'update' as const,
    view: buildEndModal('plan_problem', TOPIC.title, [buildSection(sentence)]),
  };
}

function toKey(id: string): string {
  return `plan:${id}`;
}

// The plan window: shows what a proposal does, asks for what is missing, and confirms it.
import { buildSection, toContent } from '../../slack/views/content.ts';
import { isStopPlan } from '../plan/plan.ts';
import type { GovernanceServices } from '../services.ts';
import { buildEndModal, type Opened } from '../shell/modal.ts';
import { readWholeNumber } from '../shell/numbers.ts';
import type { Say } from '../shell/respond.ts';
import type { Confirmation, Confirmed, Proposal } from './engine.ts';
import { readTargetNames } from './item-words.ts';
import { answerWorking, type KeptForm, showForm } from './kept-form.ts';
import { buildPlanWindow, TYPED_FIELD } from './plan-views.ts';

const TOPIC = { id: 'plan', title: 'Plan', loading: 'Looking up what would change…' };

/** What the person filled in before. */
export type Filled = { reason?: string | undefined; approver?: string | undefined };

export type PlanOpened = Pick<Opened, 'modal' | 'caller' | 'replyTo'>;

/** Shows the plan in the open window, with the fields to fill in. Throws StoreUnavailableError. */
export async function showPlan(
  opened: PlanOpened,
  proposal: Proposal,
  services: GovernanceServices,
  { reason }: Filled = {},
): Promise<void> {
  const window = buildPlanWindow(proposal, await readTargetNames(services), reason);
  await showForm(PLAN_FORM, { state: proposal, id: proposal.plan.id, ...window }, opened, services);
}

/** Carries the plan out at once, or shows it in the window if the person has to see or type something first. */
export async function confirmOrShow(
  opened: PlanOpened,
  proposal: Proposal,
  { reason, approver, say }: Filled & { reason: string; say: Say },
  services: GovernanceServices,
): Promise<void> {
  if (needsLook(proposal, approver)) return showPlan(opened, proposal, services, { reason });
  const { modal, caller, replyTo } = opened;
  await confirm(proposal, { caller, reason, approver, say, replyTo, show: modal.show }, services);
}

function needsLook({ plan, isGrave, typed, needsApprover }: Proposal, approver: string | undefined): boolean {
  if (isStopPlan(plan) && plan.leftOut.length === 0) return false;
  const isLarge = plan.items.length > 1 || typed !== undefined;
  return isLarge || isGrave || plan.leftOut.length > 0 || (needsApprover && approver === undefined);
}

/** The sentences for a plan that was not carried out, for the window and a message. Plain text of ours. */
const SENTENCES: Record<Exclude<Confirmed, 'started' | 'waiting'>, string> = {
  nothing: 'Nothing to do: the policy and the service have these values already.',
  outdated: 'Somebody changed this meanwhile, so nothing was changed. Open the form again to see what is set now.',
};

async function confirm(proposal: Proposal, confirmation: Confirmation, services: GovernanceServices): Promise<void> {
  const confirmed = await services.engine.confirm(proposal, confirmation);
  if (confirmed === 'started' || confirmed === 'waiting') return;
  const text = SENTENCES[confirmed];
  await confirmation.say(toContent([buildSection(text)]));
  await confirmation.show?.(buildEndModal('plan_end', 'Plan', [buildSection(text)]));
}

/** Confirms exactly the plan that it shows. If that is outdated by then, nothing is changed: see Confirmed. */
export const PLAN_FORM: KeptForm<Proposal, undefined> = {
  callbackId: 'plan_confirm',
  topic: TOPIC,
  tooOld: 'This window is too old: open the form again.',
  // Counted when the window was opened, unless it is of a stop.
  check: { isCounted: false },
  read(fields, { typed }) {
    const isTyped = typed === undefined || readWholeNumber(fields.text(TYPED_FIELD)) === typed;
    return isTyped ? { filled: undefined } : { errors: { [TYPED_FIELD]: `Type ${typed} to confirm, or cancel.` } };
  },
  needsApprover: ({ needsApprover }) => needsApprover,
  carryOut: (proposal, { reason, approver, replyTo }, submission, services) =>
    answerWorking({ ...TOPIC, loading: 'Carrying it out…' }, submission, replyTo, ({ caller, say, modal }) =>
      confirm(proposal, { caller, reason, approver, say, replyTo, show: modal.show }, services),
    ),
};

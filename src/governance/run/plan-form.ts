// The plan window: old → new for each item, what is left out, and the fields to fill in. Confirms exactly what it shows.
import { buildSection, fitBlocks, toContent, toMrkdwnName } from '../../slack/views/content.ts';
import { buildLineField } from '../../slack/views/fields.ts';
import { type Item, isStopItem, isStopPlan, type LeftOut, type LeftOutReason, type Plan } from '../plan/plan.ts';
import type { GovernanceServices } from '../services.ts';
import { buildLines, joinNames } from '../shell/blocks.ts';
import { buildEndModal, type Opened } from '../shell/modal.ts';
import { formatCredits, readWholeNumber } from '../shell/numbers.ts';
import type { Say } from '../shell/respond.ts';
import type { Confirmation, Confirmed, Proposal } from './engine.ts';
import { listPlanLines, type NameTarget, readTargetNames } from './item-words.ts';
import { answerWorking, type FormWindow, type KeptForm, showForm } from './kept-form.ts';

const TOPIC = { id: 'plan', title: 'Plan', loading: 'Looking up what would change…' };

/** The block id of the number that has to be typed. */
const TYPED_FIELD = 'typed';

/** What the person filled in before. */
export type Prefilled = { reason?: string | undefined; approver?: string | undefined };

export type PlanOpened = Pick<Opened, 'modal' | 'caller' | 'replyTo'>;

/** Shows the plan in the open window, with the fields to fill in. Throws StoreUnavailableError. */
export async function showPlan(
  opened: PlanOpened,
  proposal: Proposal,
  services: GovernanceServices,
  { reason }: Prefilled = {},
): Promise<void> {
  const window = buildPlanWindow(proposal, await readTargetNames(services, Infinity), reason);
  await showForm(PLAN_FORM, { state: proposal, id: proposal.plan.id, ...window }, opened, services);
}

/** Carries the plan out at once, or shows it in the window if the person has to see or type something first. */
export async function confirmOrShow(
  opened: PlanOpened,
  proposal: Proposal,
  { reason, approver, say }: Prefilled & { reason: string; say: Say },
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

/** `reason`: the initial value of the field. */
export function buildPlanWindow(
  { plan, warnings, typed, needsApprover }: Proposal,
  name: NameTarget,
  reason?: string,
): FormWindow {
  const isNothing = plan.items.length + plan.edits.length === 0;
  const { lines, more } = listPlanLines(plan, name);
  const blocks = [
    ...buildLines(warnings.map((warning) => `:warning: ${warning}`)),
    ...buildLines(lines, more),
    ...buildLines(listLeftOut(plan.leftOut, name)),
    ...(typed === undefined ? [] : [buildTypedField(typed)]),
  ];
  if (isNothing) {
    return { title: 'Nothing to do', blocks: fitBlocks(blocks.length === 0 ? [buildSection(NOTHING)] : blocks) };
  }
  return {
    title: toTitle(plan),
    submit: needsApprover ? 'Ask for approval' : toButton(plan),
    blocks: fitBlocks(blocks),
    decision: { reason, approver: needsApprover ? 'needed' : undefined },
  };
}

const NOTHING = 'The policy and the service have these values already.';

/** The label of the submit button. Slack allows at most 24 characters. */
function toButton(plan: Plan): string {
  const { items, edits } = plan;
  const count = items.length === 1 ? '' : ` ${formatCredits(items.length)}`;
  if (items.length === 0) return edits.length === 1 ? 'Save' : `Save ${formatCredits(edits.length)}`;
  if (items.every(isStopItem)) return `Stop${count || ' now'}`;
  if (edits.length === 0) return `Set back${count}`;
  if (items.every((item) => item.resource === 'credits')) return `Set credits${count && ` of${count}`}`;
  if (items.every(isRunAgain)) return `Run${count || ' again'}`;
  if (items.every((item) => item.resource === 'threshold'))
    return `Set ${items.length === 1 ? 'limit' : `${count.trim()} limits`}`;
  return `Set${count}`;
}

function isRunAgain(item: Item): boolean {
  if (item.resource === 'credits') return false;
  const { before, after } = item;
  return before !== 'unknown' && before.stopped && !after.stopped;
}

function toTitle({ items, edits }: Plan): string {
  if (items.length === 0) return edits.length === 1 ? 'Change of the policy' : 'Changes of the policy';
  return items.length === 1 ? 'One change' : `${formatCredits(items.length)} changes`;
}

const LEFT_OUT: Record<LeftOutReason, string> = {
  unreadable: 'could not be read just now',
  maybe_stopped: 'perhaps stopped: the service does not show it. Set it with `stop` or `run`',
  stopped: 'stopped, and a limit in this currency might let it run. Once it runs, `review` sets the limit',
  no_amount: 'no amount: the service does not list this currency, and the policy names no amount',
  changed: 'changed since this review, so review again',
  not_listed: 'not listed by the service just now',
};

/** How many are left out, why, and some of their names; mrkdwn. */
function listLeftOut(leftOut: readonly LeftOut[], name: NameTarget): string[] {
  return [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, own]) => {
    const names = own.map(({ agent, agentId, environmentId }) =>
      agent ? toMrkdwnName(agent.name, 80) : name({ environmentId, ...(agentId && { agentId }) }),
    );
    const shown = joinNames(names, FEW_NAMES);
    return `:grey_question: *${formatCredits(own.length)} left out*, ${LEFT_OUT[reason]}: ${shown}`;
  });
}

const FEW_NAMES = 5;

function buildTypedField(typed: number) {
  const count = formatCredits(typed);
  const hint = `Many changes are made at once. Type ${count} to confirm.`;
  return buildLineField({ name: TYPED_FIELD, label: `Type ${count}`, hint });
}

// The plan window: old → new for each item, what is left out, and the fields to fill in.
import type { SectionBlock } from '@slack/types';
import { buildSection, fitBlocks, toMrkdwnName } from '../../slack/views/content.ts';
import { buildLineField } from '../../slack/views/fields.ts';
import { isStopItem, type LeftOut, type LeftOutReason, type Plan } from '../plan/plan.ts';
import { cutLines, joinNames, packLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/numbers.ts';
import type { Proposal } from './engine.ts';
import {
  describeEdit,
  describeItemChanges,
  describeItemSubject,
  listPolicyEdits,
  type NameTarget,
} from './item-words.ts';
import type { FormWindow } from './kept-form.ts';

/** The block id of the number that has to be typed. */
export const TYPED_FIELD = 'typed';

/** Further rows are in the CSV file of the run, and in the log. */
const MAX_ROWS = 40;

/** `reason`: the initial value of the field. */
export function buildPlanWindow(
  { plan, warnings, typed, needsApprover }: Proposal,
  name: NameTarget,
  reason?: string,
): FormWindow {
  const isNothing = plan.items.length + plan.edits.length === 0;
  const blocks = [
    ...toSections(warnings.map((warning) => `:warning: ${warning}`)),
    ...toSections(listPlanLines(plan, name)),
    ...toSections(listLeftOut(plan.leftOut, name)),
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
  if (items.every((item) => item.resource === 'threshold' && isRunAgain(item))) return `Run${count || ' again'}`;
  if (items.every((item) => item.resource === 'threshold'))
    return `Set ${items.length === 1 ? 'limit' : `${count.trim()} limits`}`;
  return `Set${count}`;
}

function isRunAgain({ before, after }: Extract<Plan['items'][number], { resource: 'threshold' }>): boolean {
  return before !== 'unknown' && before.stopped && !after.stopped;
}

function toTitle({ items, edits }: Plan): string {
  if (items.length === 0) return edits.length === 1 ? 'Change of the policy' : 'Changes of the policy';
  return items.length === 1 ? 'One change' : `${formatCredits(items.length)} changes`;
}

/** One line for each item, and for each edit that no item shows; mrkdwn. */
export function listPlanLines(plan: Plan, name: NameTarget): string[] {
  const edits = listPolicyEdits(plan);
  const currencies = new Set(edits.flatMap(({ target }) => ('currency' in target ? [target.currency] : [])));
  const nameIn: NameTarget = (target) =>
    currencies.size > 1 && 'currency' in target
      ? `${name(target)} (${toMrkdwnName(target.currency ?? '', 40)})`
      : name(target);
  const lines = [
    ...edits.map((edit) => `• ${describeEdit(edit, nameIn)}`),
    ...plan.items.map((item) => `• ${describeItemSubject(item)}: ${describeItemChanges(item)}`),
  ];
  return cutLines(lines, MAX_ROWS);
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

function toSections(lines: readonly string[]): SectionBlock[] {
  return packLines(lines).map(buildSection);
}

function buildTypedField(typed: number) {
  const count = formatCredits(typed);
  const hint = `Many changes are made at once. Type ${count} to confirm.`;
  return buildLineField({ name: TYPED_FIELD, label: `Type ${count}`, hint });
}

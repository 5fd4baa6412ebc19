// *Classify many…*: which of the environments that the register does not name, what they are, and what that approves.

import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { buildPlainText, buildSection, shortenLines, toLine, toMrkdwnName } from '../../slack/views/content.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { RULE_TYPES, type RuleType } from '../allocations/allocation.ts';
import { RULE_LABELS } from '../allocations/allocation-plan.ts';
import type { ApprovedLimit, Classification, RegisterDefaults, StatedAllocation } from '../register/register.ts';
import { describeApproved, describeDefaults } from '../review/decided-views.ts';
import { drawsOnTenantPool, type EnvironmentFinding } from '../review/finding.ts';
import { describeClassification, formatCount } from '../review/finding-words.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import {
  buildCreditsFields,
  buildUseChoice,
  type ClassifiedCredits,
  describeDefaultSource,
  readCreditsFields,
  readUse,
  USE_FIELD,
} from '../review-actions/classification-form.ts';
import type { Filled } from '../review-actions/review-action.ts';
import { buildReviewForm, buildReviewNotice, type ReviewFormState } from '../review-actions/review-action-views.ts';
import { buildLines, buildNotes } from '../shell/blocks.ts';
import {
  buildApproverInput,
  buildRadioButtons,
  buildReasonInput,
  type FormValues,
  readChoice,
} from '../shell/form-fields.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { ClassificationItem } from './bulk-item.ts';
import { buildLeftOut } from './bulk-preview-views.ts';
import type { LeftOutGroup } from './bulk-records.ts';

/** `chosen`: their places in the report's list; they count with `only` and `all_but`. */
export type ManyChosen = ClassifiedCredits & {
  classification: Classification;
  which: Which;
  chosen: number[];
};

type Which = 'all' | 'only' | 'all_but';

export type ClassificationPlan = {
  classification: Classification;
  items: ClassificationItem[];
  leftOut: LeftOutGroup[];
  /** What is approved for each where its own says nothing. */
  defaults: RegisterDefaults | undefined;
  unnamedAgents: ApprovedLimit | undefined;
};

/** As many menus as a modal can hold without becoming too long for Slack; those beyond them are classified all at once. */
export const MAX_LISTED = 5 * MAX_OPTIONS;

const WHICH_FIELD = 'which';
const MENU_FIELD = 'environments';
const VALUE = 'value';

const NONE_CHOSEN = 'Choose one of them at least.';
const NO_USE = 'Choose what these environments are.';

type FormOptions = {
  state: ReviewFormState;
  currency: string;
  /** The uses for which the register's defaults are complete. */
  choices: Classification[];
};

/** `environments`: in the order of the report; two at least. */
export function buildClassifyManyModal(
  environments: readonly EnvironmentFinding[],
  { state, currency, choices }: FormOptions,
): ModalView {
  const count = environments.length;
  const drawing = environments.filter(drawsOnTenantPool).length;
  const pool = drawing === 0 ? '' : ` ${formatCredits(drawing)} of them draw on the tenant pool.`;
  const byDefault = describeDefaultSource(choices);
  const sources = {
    ...(byDefault && { defaults: byDefault }),
    found: 'For each what is set there now',
    stated: 'What is stated here',
  };
  return buildReviewForm(REVIEW_TOPICS.classify_many, {
    submit: 'Preview',
    blocks: [
      buildSection(
        `*${formatCount(count, 'environment')} are not in the register.*${pool} You see what would be recorded before you confirm it.`,
      ),
      buildRadioButtons<Which>(WHICH_FIELD, 'Which ones?', toWhich(count), { initial: 'all' }),
      ...buildMenus(environments),
      buildUseChoice('What are they?'),
      ...buildCreditsFields({ sources, currency }),
    ],
    state,
  });
}

function toWhich(count: number): Record<Which, string> {
  return {
    all: `All ${formatCredits(count)}`,
    only: 'Only those that are chosen below',
    all_but: 'All but those that are chosen below',
  };
}

function buildMenus(environments: readonly EnvironmentFinding[]): InputBlock[] {
  const listed = environments.slice(0, MAX_LISTED);
  const starts = Array.from({ length: Math.ceil(listed.length / MAX_OPTIONS) }, (_, index) => index * MAX_OPTIONS);
  return starts.map((start, index): InputBlock => {
    const page = listed.slice(start, start + MAX_OPTIONS);
    const isLast = start + MAX_OPTIONS >= listed.length && listed.length < environments.length;
    const more = isLast ? `: the last that can be chosen one by one` : '';
    return {
      type: 'input',
      block_id: toMenuField(index),
      optional: true,
      label: buildPlainText(`Environments ${formatCredits(start + 1)} to ${formatCredits(start + page.length)}${more}`),
      element: {
        type: 'multi_static_select',
        action_id: VALUE,
        placeholder: buildPlainText('Choose environments'),
        options: page.map((environment, place) => toOption(environment, start + place)),
      },
    };
  });
}

function toOption(environment: EnvironmentFinding, place: number): PlainTextOption {
  const name = toLine(environment.name, MAX_OPTION_TEXT_LENGTH - 10) || environment.environmentId;
  const text = toLine(`${name}${drawsOnTenantPool(environment) ? ' · pool' : ''}`, MAX_OPTION_TEXT_LENGTH);
  return { text: buildPlainText(text), value: String(place) };
}

function toMenuField(index: number): string {
  return `${MENU_FIELD}_${index}`;
}

export function readClassifyMany(values: FormValues): Filled<ManyChosen> {
  const which = readChoice(values, WHICH_FIELD, ['all', 'only', 'all_but'] as const) ?? 'all';
  const chosen = Object.entries(values).flatMap(([blockId, fields]) => {
    const options = blockId.startsWith(`${MENU_FIELD}_`) ? fields[VALUE]?.selected_options : [];
    return (options ?? []).map(({ value }) => Number(value));
  });
  const classification = readUse(values);
  const credits = readCreditsFields(values);
  const isNone = which !== 'all' && chosen.length === 0;
  if (classification !== undefined && !isNone && 'answer' in credits) {
    return { answer: { ...credits.answer, classification, which, chosen } };
  }
  return {
    errors: {
      ...('errors' in credits ? credits.errors : {}),
      ...(isNone ? { [toMenuField(0)]: NONE_CHOSEN } : {}),
      ...(classification === undefined ? { [USE_FIELD]: NO_USE } : {}),
    },
  };
}

export function toConfirmId(): string {
  return `${REVIEW_TOPICS.classify_many.id}_confirm`;
}

/** Every environment is confirmed; as many as these are shown. */
const MAX_SAMPLE = 15;

/** `plan`: with one item at least. */
export function buildClassifyConfirm(
  plan: ClassificationPlan,
  { state, needsApprover = false }: { state: ReviewFormState; needsApprover?: boolean },
): ModalView {
  const { items, leftOut } = plan;
  return buildReviewForm(REVIEW_TOPICS.classify_many, {
    submit: needsApprover ? 'Ask for approval' : `Classify ${formatCredits(items.length)}`,
    callbackId: toConfirmId(),
    blocks: [
      buildSection(describeWhat(plan)),
      ...buildLines(describeApprovals(plan)),
      ...buildLines(describeSample(items)),
      ...buildLeftOut(leftOut),
      buildReasonInput(),
      ...(needsApprover ? [buildApproverInput(NEEDS_APPROVER)] : []),
      buildNotes(['It runs in the background, and you can stop it.']),
    ],
    state,
  });
}

const NEEDS_APPROVER =
  'Classifications approve what the register did not. All of it begins once another administrator approves it; they have 24 hours.';

/** mrkdwn, a line each. */
export function describeForApprover(plan: ClassificationPlan): string[] {
  const lines = [describeWhat(plan), ...describeApprovals(plan), ...describeSample(plan.items)];
  return lines.map((line) => shortenLines(line, MAX_APPROVED_LINE));
}

/** Each fits into a message with all others and what else a request for approval says. */
const MAX_APPROVED_LINE = 350;

function describeWhat({ classification, items }: ClassificationPlan): string {
  return `*${formatCount(items.length, 'environment')}* ${items.length === 1 ? 'becomes' : 'become'} *${describeClassification(classification)}*. Nothing in them is changed.`;
}

export function buildNoneToClassify(leftOut: readonly LeftOutGroup[]): ModalView {
  const blocks = [buildSection('None of them can be classified so.'), ...buildLeftOut(leftOut)];
  return buildReviewNotice(blocks, REVIEW_TOPICS.classify_many);
}

function describeApprovals({ items, defaults, unnamedAgents }: ClassificationPlan): string[] {
  const agents = unnamedAgents ?? defaults?.unnamedAgents;
  const own = items.flatMap(({ allocations }) => (allocations === undefined ? [] : [allocations]));
  if (own.length === 0)
    return ['*Approved for each*', ...describeDefaults({ allocations: undefined, ...defaults, unnamedAgents: agents })];
  const limit = agents === undefined ? 'not stated: each is to be approved by itself' : describeApproved(agents);
  return ['*Approved in all*', ...describeTotals(own), `• Agents: ${limit}`];
}

function describeTotals(own: readonly (StatedAllocation[] | 'none')[]): string[] {
  const stated = own.flatMap((allocations) => (allocations === 'none' ? [] : allocations));
  const credits = stated.reduce((sum, { allocated = 0 }) => sum + allocated, 0);
  const without = own.filter((allocations) => allocations === 'none').length;
  const count = (rule: RuleType, isRisky: (state: string | undefined) => boolean) =>
    own.filter((all) => all !== 'none' && all.some(({ rules }) => isRisky(rules[rule]))).length;
  const rules = RULE_TYPES.map((rule) => `${RULE_LABELS[rule]}: ${formatCredits(count(rule, isOn))} on`);
  const onPool = count('TenantPool', (state) => state !== 'off');
  return [
    `• ${formatCredits(credits)} credits${without === 0 ? '' : `; ${formatCount(without, 'environment')} without any allocation`}`,
    `• ${rules.join(', ')}`,
    ...(onPool === 0 ? [] : [`:warning: ${formatCount(onPool, 'environment')} may then draw on the tenant pool.`]),
  ];
}

function isOn(state: string | undefined): boolean {
  return state === 'on';
}

function describeSample(items: readonly ClassificationItem[]): string[] {
  const shown = items
    .slice(0, MAX_SAMPLE)
    .map(({ name, allocations }) => `• ${toMrkdwnName(name, 60)}${describeOwn(allocations)}`);
  const more = items.length - shown.length;
  return ['*Which*', ...shown, ...(more === 0 ? [] : [`• and ${formatCount(more, 'more', 'more')}`])];
}

function describeOwn(allocations: ClassificationItem['allocations']): string {
  if (allocations === undefined) return '';
  if (allocations === 'none') return ': no allocation';
  const credits = allocations.map(({ currencyType, allocated = 0, rules }) => {
    const on = RULE_TYPES.filter((rule) => isOn(rules[rule]));
    return `${formatCredits(allocated)} ${toMrkdwnName(currencyType, 30)}, ${on.length === 0 ? 'no rule on' : `${on.join(', ')} on`}`;
  });
  return `: ${credits.slice(0, 3).join('; ')}`;
}

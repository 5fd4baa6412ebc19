// A bulk change before it is confirmed: what of a review it is about, and its preview.
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildPlainText, buildSection, shortenLines } from '../../slack/views/content.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import type { StopDecision } from '../inventory/agent-limit.ts';
import { CANDIDATE_KINDS, type CandidateKind } from '../review/bulk-candidates.ts';
import { describeChanges } from '../review/decided-views.ts';
import { formatCount } from '../review/finding-words.ts';
import type { ReportHead } from '../review/report.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { buildReviewForm, buildReviewNotice, type ReviewFormState } from '../review-actions/review-action-views.ts';
import { buildLines, buildNotes } from '../shell/blocks.ts';
import { buildRadioButtons, buildReasonInput, type FormValues, readChoice } from '../shell/form-fields.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { LeftOutGroup } from './bulk-records.ts';
import type { BulkPlan } from './slack-bulk-plan.ts';

const TOPIC = REVIEW_TOPICS.correct_all;

/** callback_id of the preview. */
export const BULK_CONFIRM_FORM = `${TOPIC.id}_confirm`;

/** The block ids. */
export const KINDS_FIELD = 'kinds';
const STOPPED_FIELD = 'stopped';

const VALUE = 'value';

/** With their count, at most 75 characters: the text of an option. */
const KINDS: Record<CandidateKind, { one: string; what: string }> = {
  first_limit: { one: 'agent', what: 'without a limit: set the approved one' },
  limit: { one: 'agent', what: 'with another limit than approved: set it back' },
  allocation: { one: 'environment', what: 'with other credits or rules: set them back' },
  untold_limit: { one: 'agent', what: 'whose limit is not told: set the approved one' },
};

type Counts = NonNullable<ReportHead['candidates']>;

/** First of all: which kinds of findings. All are ticked. */
export function buildBulkForm({ counts, cut }: Counts, state: ReviewFormState): ModalView {
  const kinds = CANDIDATE_KINDS.filter((kind) => (counts[kind] ?? 0) > 0);
  const hasAgents = kinds.some((kind) => kind !== 'allocation');
  return buildReviewForm(TOPIC, {
    submit: 'Preview',
    blocks: [
      buildSection(
        'One decision for all findings of a kind, over all pages of this review. Nothing is changed before you have seen the preview and confirmed it.',
      ),
      buildKinds(kinds, counts),
      ...(hasAgents ? [buildStopped()] : []),
      ...(cut === 0
        ? []
        : [buildNotes([`${formatCount(cut, 'finding')} more than fit into one go: review again afterwards.`])]),
    ],
    state,
  });
}

function buildKinds(kinds: readonly CandidateKind[], counts: Counts['counts']): InputBlock {
  const options = kinds.map((kind) => {
    const { one, what } = KINDS[kind];
    return { text: buildPlainText(`${formatCount(counts[kind] ?? 0, one)} ${what}`), value: kind };
  });
  return {
    type: 'input',
    block_id: KINDS_FIELD,
    label: buildPlainText('Correct'),
    element: { type: 'checkboxes', action_id: VALUE, options, initial_options: options },
  };
}

function buildStopped(): InputBlock {
  const field = buildRadioButtons<StopDecision>(
    STOPPED_FIELD,
    'Agents of which the service does not tell whether they are stopped',
    { not_stopped: 'None of them is stopped: they run', keep_stopped: 'All of them are stopped: they stay so' },
    { hint: 'Setting a limit also says whether the agent is stopped. Without an answer, these agents are left out.' },
  );
  return { ...field, optional: true };
}

export type BulkChoice = { kinds: CandidateKind[]; stopDecision: StopDecision | undefined };

export function readBulkForm(values: FormValues): BulkChoice {
  const ticked = (values[KINDS_FIELD]?.[VALUE]?.selected_options ?? []).map(({ value }) => value);
  return {
    kinds: CANDIDATE_KINDS.filter((kind) => ticked.includes(kind)),
    stopDecision: readChoice(values, STOPPED_FIELD, ['not_stopped', 'keep_stopped'] as const),
  };
}

/** Of each kind. */
const SAMPLE = 3;

const MAX_WARNINGS = 12;

/** The first ones are shown first. */
const GRAVE_WARNINGS = [
  ...['denies_at_once', 'stops_at_once', 'stops_if_running', 'runs_again', 'runs_again_if_stopped'],
  ...['below_consumption', 'draws_on_pool', 'bills', 'denies_no_more'],
];

const WARNED_NAMES = 3;
const MAX_GROUPS = 10;

type Preview = { plan: BulkPlan; state: ReviewFormState; reason: string; isRegisterChanged: boolean };

/** Counts, warnings, a sample, and what stays as it is. `plan` has one item at least. */
export function buildBulkPreview({ plan, state, reason, isRegisterChanged }: Preview): ModalView {
  const { items, leftOut } = plan;
  const byKind = [...Map.groupBy(items, ({ kind }) => kind)];
  const counts = byKind.map(([kind, own]) => `• ${formatCount(own.length, KINDS[kind].one)} ${KINDS[kind].what}`);
  return buildReviewForm(TOPIC, {
    submit: 'Confirm',
    callbackId: BULK_CONFIRM_FORM,
    blocks: [
      ...buildLines([
        `*${formatCount(items.length, 'change')}* back to what the register approves. Everything else stays as it is.`,
        ...(isRegisterChanged
          ? ["The register's file was changed since this review: this is what it approves now."]
          : []),
        ...counts,
      ]),
      ...buildWarnings(items),
      ...byKind.flatMap(([kind, own]) => buildSample(kind, own)),
      ...buildLeftOut(leftOut),
      buildReasonInput(reason),
      buildNotes([
        'It runs in the background, four requests at a time, and you can stop it. Each change is checked before and after it is made, and has its own entry in the audit log.',
      ]),
    ],
    state,
  });
}

function buildWarnings(items: BulkPlan['items']): KnownBlock[] {
  const all = items.flatMap(({ change }) => change.plan.warnings.map((warning) => ({ ...warning, change })));
  const kinds = [...Map.groupBy(all, ({ code }) => code).values()];
  kinds.sort((one, other) => toRank(one) - toRank(other) || other.length - one.length);
  return buildLines(kinds.slice(0, MAX_WARNINGS).map(describeWarning));
}

/** What takes something away at once is never cut. */
function toRank([first]: readonly { code: string }[]): number {
  const rank = GRAVE_WARNINGS.indexOf(first?.code ?? '');
  return rank < 0 ? GRAVE_WARNINGS.length : rank;
}

/** The first text stands for all: others differ in their figures only. */
function describeWarning(warnings: { text: string; change: BulkPlan['items'][number]['change'] }[]): string {
  const names = warnings.slice(0, WARNED_NAMES).map(({ change }) => kindOf(change).name(change));
  const more = warnings.length > names.length ? ` and ${formatCredits(warnings.length - names.length)} more` : '';
  return `:warning: ${warnings[0]?.text} (${formatCount(warnings.length, 'change')}: ${names.join(', ')}${more})`;
}

function buildSample(kind: CandidateKind, items: BulkPlan['items']): KnownBlock[] {
  const more = items.length - SAMPLE;
  const lines = items
    .slice(0, SAMPLE)
    .map(({ change }) => `• ${kindOf(change).name(change)}: ${describeChanges(change.plan.rows)}`);
  return buildLines([
    `*For example*, ${KINDS[kind].one}s ${KINDS[kind].what.split(':')[0]}:`,
    ...lines.map((line) => shortenLines(line, SECTION_LIMIT)),
    ...(more > 0 ? [`_… and ${formatCredits(more)} more_`] : []),
  ]);
}

/** Nothing can be done at once. */
export function buildNothingInBulk(leftOut: readonly LeftOutGroup[]): ModalView {
  return buildReviewNotice(
    [buildSection('Nothing of this can be corrected at once.'), ...buildLeftOut(leftOut)],
    TOPIC,
  );
}

function buildLeftOut(leftOut: readonly LeftOutGroup[]): KnownBlock[] {
  return leftOut.length === 0 ? [] : buildLines(['*Left out*', ...describeLeftOut(leftOut)]);
}

/** One line for each reason. */
export function describeLeftOut(leftOut: readonly LeftOutGroup[]): string[] {
  const lines = leftOut.slice(0, MAX_GROUPS).map(({ why, count, names }) => {
    const more = count > names.length ? ` and ${formatCredits(count - names.length)} more` : '';
    return shortenLines(`• ${names.join(', ')}${more}: ${why}`, SECTION_LIMIT);
  });
  const rest = leftOut.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
  return rest === 0 ? lines : [...lines, `• ${formatCredits(rest)} more, for other reasons`];
}

/** In place of the preview that was confirmed. */
export function buildBulkBegun(total: number, ahead: number): ModalView {
  const line =
    ahead === 0
      ? 'It begins now.'
      : `It begins once ${formatCount(ahead, 'bulk change')} confirmed before it ${ahead === 1 ? 'has' : 'have'} ended.`;
  return buildReviewNotice(
    [
      buildSection(`${formatCount(total, 'change')} confirmed. ${line}`),
      buildSection(
        'Follow it in our direct messages: a message there shows how far it is, and has a button to stop it. The report comes there, too.',
      ),
    ],
    TOPIC,
  );
}

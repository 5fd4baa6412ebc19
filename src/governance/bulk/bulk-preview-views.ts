// A bulk change before it is confirmed: its preview, and what its approver is shown.
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildPlainText, buildSection, shortenLines } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { BULK_TOPIC } from '../confirmation/approval-views.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { describeChanges } from '../review/decided-views.ts';
import { formatCount } from '../review/finding-words.ts';
import { buildLines, buildNotes } from '../shell/blocks.ts';
import { buildApproverInput, buildReasonInput } from '../shell/form-fields.ts';
import { buildEndModal } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { LeftOutGroup } from './bulk-records.ts';
import { ITEM_WORDS, type ItemKind } from './item-words.ts';
import type { BulkPlan } from './slack-plan-items.ts';

/** callback_id of the preview; its private_metadata is read by parsePreviewState. */
export const BULK_CONFIRM_FORM = 'admin_review_correct_all_confirm';

const stateSchema = z.object({ id: z.string().min(1), replyTo: z.string().optional() });

/** `id`: of the bulk change. `replyTo`: see respond.ts. */
export type PreviewState = z.infer<typeof stateSchema>;

/** Undefined where it is not the private_metadata of a preview. */
export function parsePreviewState(text: string): PreviewState | undefined {
  return parseState(stateSchema, text);
}

/** Of each kind; few changes are shown all. */
const SAMPLE = 3;
const FEW = 10;

const MAX_WARNINGS = 12;

/** The first ones are shown first. */
const GRAVE_WARNINGS = [
  ...['denies_at_once', 'stops_at_once', 'stops_if_running', 'runs_again', 'runs_again_if_stopped'],
  ...['below_consumption', 'draws_on_pool', 'bills', 'denies_no_more'],
];

const WARNED_NAMES = 3;
const MAX_GROUPS = 10;

/** `headline`: goes on after how many changes. `notes`: what else is to be known of all of them. `reason`: to begin with. */
export type PreviewWords = { headline: string; notes: readonly string[]; reason?: string | undefined };

/** `loosening`: how many need an approver. */
type Preview = PreviewWords & { plan: BulkPlan; state: PreviewState; loosening: number };

/** Counts, warnings, a sample, and what stays as it is. `plan` has one item at least. */
export function buildBulkPreview({ plan, state, headline, notes, reason, loosening }: Preview): ModalView {
  const { items, leftOut } = plan;
  const changes = items.map(({ change }) => change);
  const placed = items.map((item, place) => ({ ...item, place }));
  const byKind = [...Map.groupBy(placed, ({ kind }) => kind)];
  const counts = byKind.map(
    ([kind, own]) => `• ${formatCount(own.length, ITEM_WORDS[kind].one)} ${ITEM_WORDS[kind].what}`,
  );
  const sample = items.length <= FEW ? items.length : SAMPLE;
  return {
    type: 'modal',
    callback_id: BULK_CONFIRM_FORM,
    title: buildPlainText(BULK_TOPIC.title),
    submit: buildPlainText(loosening === items.length ? 'Ask for approval' : toLabel(changes)),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      ...buildLines([`*${formatCount(items.length, 'change')}* ${headline}`, ...describeWarnings(changes)]),
      ...buildLines([...counts, ...notes]),
      ...byKind.flatMap(([kind, own]) => buildSample(kind, own, sample)),
      ...buildLeftOut(leftOut),
      buildReasonInput(reason),
      ...(loosening === 0 ? [] : [buildBulkApprover(loosening, items.length)]),
      buildNotes(['It runs in the background, and you can stop it.']),
    ],
  };
}

function buildBulkApprover(loosening: number, total: number): InputBlock {
  const why = `${describeLoosening(loosening, total)}. ${WAITS}`;
  if (loosening === total) return buildApproverInput(why);
  return { ...buildApproverInput(`${why} If you name nobody, what needs it is left out.`), optional: true };
}

function describeLoosening(loosening: number, total: number): string {
  const which = loosening === total && total > 1 ? 'All' : formatCredits(loosening);
  return `${which} of ${formatCount(total, 'change')} ${loosening === 1 ? 'allows' : 'allow'} more than before, or may`;
}

const WAITS = 'All of it begins once another administrator approves it, with their rights; they have 24 hours.';

/** What the button does, and to how many. */
function toLabel(changes: readonly PlannedChange[]): string {
  const total = formatCredits(changes.length);
  const stopping = changes.filter(({ plan }) => plan.warnings.some(({ code }) => code === 'stops_at_once')).length;
  const isOfLimits = changes.every(({ kind }) => kind !== 'allocation');
  const doing = isOfLimits
    ? `Set ${formatCount(changes.length, 'limit')}`
    : `Make ${formatCount(changes.length, 'change')}`;
  if (stopping === 0) return doing;
  if (stopping === changes.length) return `Stop ${formatCount(stopping, 'agent')}`;
  return `Set ${total}, stop ${formatCredits(stopping)}`;
}

/** The gravest first. */
function describeWarnings(changes: readonly PlannedChange[]): string[] {
  const all = changes.flatMap((change) => change.plan.warnings.map((warning) => ({ ...warning, change })));
  // A code of both means something else of each: what is lowered is a limit, or an allocation.
  const kinds = [...Map.groupBy(all, ({ code, change }) => `${change.kind} ${code}`).values()];
  kinds.sort((one, other) => toRank(one) - toRank(other) || other.length - one.length);
  return kinds.slice(0, MAX_WARNINGS).map(describeWarning);
}

/** What takes something away at once is never cut. */
function toRank([first]: readonly { code: string }[]): number {
  const rank = GRAVE_WARNINGS.indexOf(first?.code ?? '');
  return rank < 0 ? GRAVE_WARNINGS.length : rank;
}

/** The first text stands for all: others differ in their figures only. */
function describeWarning(warnings: { text: string; change: PlannedChange }[]): string {
  const names = warnings.slice(0, WARNED_NAMES).map(({ change }) => kindOf(change).name(change));
  const more = warnings.length > names.length ? ` and ${formatCredits(warnings.length - names.length)} more` : '';
  return `:warning: ${warnings[0]?.text} (${formatCount(warnings.length, 'change')}: ${names.join(', ')}${more})`;
}

type Placed = { change: PlannedChange; place: number };

function buildSample(kind: ItemKind, items: readonly Placed[], size: number): KnownBlock[] {
  const { one, what } = ITEM_WORDS[kind];
  return buildLines([
    `${items.length > size ? '*For example*' : '*Each of them*'}, ${one}s ${what.split(':')[0]}:`,
    ...describeSample(items, size),
  ]);
}

function describeSample(items: readonly Placed[], size: number): string[] {
  const more = items.length - size;
  const lines = items.slice(0, size).map(({ change, place }) => {
    const what = describeChanges(change.plan.rows) || SET_AGAIN;
    return shortenLines(`*${place + 1}.* ${kindOf(change).name(change)}: ${what}`, SECTION_LIMIT);
  });
  return [...lines, ...(more > 0 ? [`_… and ${formatCredits(more)} more_`] : [])];
}

/** The service does not show what was last set from here. */
const SET_AGAIN = 'set again';

/** Nothing can be done at once. `sentence`: mrkdwn. */
export function buildNothingInBulk(sentence: string, leftOut: readonly LeftOutGroup[]): ModalView {
  return buildBulkNotice([buildSection(sentence), ...buildLeftOut(leftOut)]);
}

export function buildLeftOut(leftOut: readonly LeftOutGroup[]): KnownBlock[] {
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
export function buildBulkBegun(topic: ModalTopic, total: number, ahead: number): ModalView {
  const line =
    ahead === 0
      ? 'It begins now.'
      : `It begins once ${formatCount(ahead, 'bulk change')} confirmed before it ${ahead === 1 ? 'has' : 'have'} ended.`;
  const blocks = [
    buildSection(`${formatCount(total, 'change')} confirmed. ${line}`),
    buildSection(
      'Follow it in our direct messages: a message there shows how far it is, and has a button to stop it. The report comes there, too.',
    ),
  ];
  return buildBulkNotice(blocks, topic);
}

/** When there is nothing more to fill in. */
export function buildBulkNotice(blocks: KnownBlock[], { id, title }: ModalTopic = BULK_TOPIC): ModalView {
  return buildEndModal(`${id}_notice`, title, blocks);
}

/** Each fits into a message with all others and what else a request for approval says. */
const MAX_APPROVED_LINE = 350;
const APPROVED_SAMPLE = 8;

/** For its approver: mrkdwn, a line each. `loosening`: those of `changes` that need one. */
export function describeForApprover(changes: readonly PlannedChange[], loosening: readonly PlannedChange[]): string[] {
  const placed = loosening.map((change) => ({ change, place: changes.indexOf(change) }));
  return [
    `${describeLoosening(loosening.length, changes.length)}:`,
    ...describeSample(placed, APPROVED_SAMPLE),
    ...describeWarnings(changes),
  ].map((line) => shortenLines(line, MAX_APPROVED_LINE));
}

// The report of a review: its summary, and a page of what is not in order.

import type { ActionsBlock, Button, ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import {
  buildButton,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { buildExportButton } from '../exports/slack-export.ts';
import type { UnusedRecord } from '../register/overlay.ts';
import { buildNotes } from '../shell/blocks.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { Candidate } from './bulk-candidates.ts';
import { listLeft } from './correction.ts';
import type { FindingStatus } from './finding.ts';
import { buildFinding } from './finding-views.ts';
import { describeReason, formatCount, formatDuration, shortenHash } from './finding-words.ts';
import type { ReportHead, ReportPage } from './report.ts';
import {
  encodeReviewPlace,
  NEXT_PAGE_ACTION,
  PREVIOUS_PAGE_ACTION,
  REPORT_EXPORT,
  REVIEW_TOPICS,
} from './review-buttons.ts';
import { countNotInOrder, isInOrderAsTold, type ReviewSummary } from './review-summary.ts';
import { describeUntold } from './untold-words.ts';

/** `shown`: the page and its number from 0; undefined where nothing is listed. */
type ShownReport = { head: ReportHead; shown: { page: ReportPage; number: number } | undefined };

/** The summary, and one page of findings that are not in order. At most 40 blocks. */
export function buildReport({ head, shown }: ShownReport, { timeZone }: { timeZone: string }): Content {
  return {
    text: describeOutcome(head),
    blocks: fitBlocks([
      ...buildSummary(head, timeZone),
      ...(shown === undefined ? buildBareFoot(head) : buildPage(head, shown, timeZone)),
    ]),
  };
}

const MAX_REASONS = 12;

/** At most five blocks. The first line alone says how it stands. */
function buildSummary(head: ReportHead, timeZone: string): KnownBlock[] {
  const notes = [
    ...describeDrift(head),
    ...describeGaps(head),
    ...describeUnreadable(head),
    ...describeUntold(head.summary, timeZone),
    ...describeBeside(head),
  ];
  return [
    buildSection(describeOutcome(head)),
    ...(head.newOnTenantPool.length === 0 ? [] : [buildSection(describeNewOnTenantPool(head))]),
    buildCounts(head.summary),
    ...(notes.length === 0 ? [] : [buildSection(notes.join('\n'))]),
    buildFooter(head, timeZone),
  ];
}

/** For notifications as well. */
function describeOutcome({ summary }: ReportHead): string {
  const count = countNotInOrder(summary);
  const found = count === 0 ? '' : ` ${formatCount(count, 'finding')} not in order.`;
  if (!summary.isComplete) {
    return `:warning: *Review: not all of it could be read, so it does not count as compliant.*${found}`;
  }
  if (summary.isCompliant) return ':white_check_mark: *Review: everything is as approved.*';
  if (isInOrderAsTold(summary)) {
    return ':white_check_mark: *Review: everything is as approved, as far as the service tells.*';
  }
  return `:warning: *Review:${found}*`;
}

function describeNewOnTenantPool({ summary, newOnTenantPool: names }: ReportHead): string {
  const { newOnTenantPool: count } = summary;
  const what = count === 1 ? 'A new environment draws' : `${formatCount(count, 'new environment')} draw`;
  const shown = names.map((name) => toMrkdwnName(name, 80)).join(', ');
  const more = count > names.length ? ` and ${formatCount(count - names.length, 'more', 'more')}` : '';
  return `:rotating_light: *${what} on the tenant pool, and nobody has approved it*: ${shown}${more}. ${count === 1 ? 'It is' : 'They are'} listed first.`;
}

const STATUSES: [FindingStatus, string][] = [
  ['compliant', 'as approved'],
  ['as_far_as_told', 'as approved, as far as the service tells'],
  ['approved_exception', 'accepted for now'],
  ['drift', 'with drift'],
  ['unclassified', 'not in the register'],
  ['vanished', 'gone'],
  ['unreadable', 'unknown'],
];

function buildCounts({ environments, agents }: ReviewSummary): SectionBlock {
  const toField = (title: string, counts: ReviewSummary['environments']) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const rows = STATUSES.filter(([status]) => counts[status] > 0);
    const lines = rows.map(([status, words]) => `${counts[status].toLocaleString('en-US')} ${words}`);
    const text = [`*${formatCount(total, title)}*`, ...lines].join('\n');
    return { type: 'mrkdwn' as const, text, verbatim: true };
  };
  return { type: 'section', fields: [toField('environment', environments), toField('agent', agents)] };
}

/** What the review found and a correction of these leaves alone, in numbers. Empty where that is nothing. */
export function describeLeftAlone({ summary }: Pick<ReportHead, 'summary'>, chosen: readonly Candidate[]): string[] {
  const findings = STATUSES.slice(2).flatMap(([status, words]) => {
    const taken = chosen.filter(({ finding }) => finding.status === status).length;
    const left = summary.environments[status] + summary.agents[status] - taken;
    return ifAny(left, `${formatCredits(left)} ${words}`);
  });
  const settings = chosen.reduce((sum, { finding }) => sum + listLeft(finding).length, 0);
  const ofChosen = `${formatCount(settings, 'setting')} of these, accepted or without an approved value`;
  const left = [...findings, ...ifAny(settings, ofChosen)];
  return left.length === 0 ? [] : [`Left as it is: ${left.join(', ')}.`];
}

function describeDrift({ summary: { drifts, expired } }: ReportHead): string[] {
  const ways = [
    [drifts.looser, 'allow more'],
    [drifts.tighter, 'allow less'],
    [drifts.unclear, 'effect unknown'],
  ] as const;
  const open = ways.filter(([count]) => count > 0);
  const total = open.reduce((sum, [count]) => sum + count, 0);
  const told = open.map(([count, words]) => `${count.toLocaleString('en-US')} ${words}`).join(', ');
  const differences = `${formatCount(total, 'difference')} that nobody has accepted`;
  return [
    ...ifAny(total, `${differences}, in environments that the register names: ${told}.`),
    ...ifAny(expired, `:hourglass: ${formatCount(expired, 'finding')} with an exception that has ended.`),
  ];
}

function describeGaps({ gaps }: ReportHead): string[] {
  const lists = [
    ['environments', gaps.environments],
    ['agents', gaps.agents],
  ] as const;
  return lists.flatMap(([what, gap]) =>
    gap === undefined ? [] : [`:warning: The list of ${what} is not complete: ${describeGap(gap)}.`],
  );
}

function describeGap(gap: string): string {
  return gap === 'inventory_truncated' ? 'the service did not list everything' : describeReason(gap, 'inventory');
}

function describeUnreadable({ summary: { unreadable }, told }: ReportHead): string[] {
  const reasons = Object.entries(unreadable).sort(([, one], [, other]) => other - one);
  const lines = reasons
    .slice(0, MAX_REASONS)
    .map(
      ([reason, count]) =>
        `• ${describeUnread(reason, count)}${told.includes(reason) ? ' _(not listed one by one)_' : ''}`,
    );
  return lines.length === 0 ? [] : ['Unknown, so not compliant:', ...lines];
}

/** Of what a reason is where it is always of agents. */
function describeUnread(reason: string, count: number): string {
  if (reason !== 'no_environment') return `${count.toLocaleString('en-US')}: ${describeReason(reason)}`;
  return `${formatCount(count, 'agent')}: the service does not name ${count === 1 ? 'its' : 'their'} environment`;
}

const UNUSED: Record<UnusedRecord['reason'], string> = {
  in_register: 'the register says it itself by now',
  replaced_by_later: 'a later one takes its place',
  defaults_incomplete: "the register's defaults for its classification are not complete any more",
  environment_unclassified: 'its environment is not in the register',
};

function describeBeside({ summary: { notReviewed }, unused, covered, cut }: ReportHead): string[] {
  const reasons = Object.entries(unused) as [UnusedRecord['reason'], number][];
  return [
    ...ifAny(covered, `${formatCount(covered, 'agent')} of environments that are new or gone: not listed.`),
    ...ifAny(notReviewed, `${formatCount(notReviewed, 'agent')} without a harness: left out, as the register says.`),
    ...reasons.map(
      ([reason, count]) => `${formatCount(count, 'decision')} made in Slack without effect: ${UNUSED[reason]}.`,
    ),
    ...ifAny(
      cut,
      `:warning: ${formatCount(cut, 'finding')} more than can be listed. Correct the defaults of the register or what is listed here first, and review again.`,
    ),
  ];
}

function ifAny(count: number, line: string): string[] {
  return count === 0 ? [] : [line];
}

function buildFooter({ registerHash, at, endedAt }: ReportHead, timeZone: string): ContextBlock {
  const register = `Register ${shortenHash(registerHash)}`;
  const text = `${register} · as of ${formatTime(at, timeZone)} · took ${formatDuration(endedAt - at)} · only you see this`;
  return buildNotes([text]);
}

function buildPage(
  head: ReportHead,
  { page, number }: NonNullable<ShownReport['shown']>,
  timeZone: string,
): KnownBlock[] {
  const place = { report: head.id, page: number, timeZone };
  const blocks: KnownBlock[] = [];
  for (const { environment, agents, coveredAgents } of page.environments) {
    blocks.push({ type: 'divider' }, ...buildFinding(environment, { ...place, coveredAgents }));
    blocks.push(...agents.flatMap((agent) => buildFinding(agent, place)));
  }
  if (page.strayAgents.length > 0) {
    blocks.push({ type: 'divider' }, buildSection('*Agents without an environment*: no limit can be set for them.'));
    blocks.push(...page.strayAgents.flatMap((agent) => buildFinding(agent, place)));
  }
  return [...blocks, { type: 'divider' }, ...buildFoot(head, number)];
}

/** Where nothing is listed one by one. */
function buildBareFoot(head: ReportHead): KnownBlock[] {
  return [{ type: 'actions', elements: buildForAll(head) }, buildNotes([`Kept for ${describeKept(head)}.`])];
}

function describeKept({ keptDays = 1 }: ReportHead): string {
  return keptDays === 1 ? 'a day' : formatCount(keptDays, 'day');
}

/** What is of the whole report. */
function buildForAll({ id, candidates }: ReportHead): Button[] {
  const count = Object.values(candidates?.counts ?? {}).reduce((sum, some) => sum + some, 0);
  const value = encodeReviewPlace({ report: id, page: 0, key: '' });
  if (value === undefined) return [];
  const correct = buildButton(REVIEW_TOPICS.correct_all.id, `Correct all ${formatCredits(count)} at once…`, value);
  // One alone has its own button.
  return [...(count < 2 ? [] : [correct]), buildExportButton(REPORT_EXPORT, value)];
}

function buildFoot(head: ReportHead, number: number): KnownBlock[] {
  const { id, pageCount, summary } = head;
  const buttons: Button[] = [];
  const add = (actionId: string, label: string, target: number) => {
    const value = encodeReviewPlace({ report: id, page: target, key: '' });
    if (value !== undefined) buttons.push(buildButton(actionId, label, value));
  };
  if (number > 0) add(PREVIOUS_PAGE_ACTION, 'Previous', number - 1);
  if (number < pageCount - 1) add(NEXT_PAGE_ACTION, 'Next', number + 1);
  if (summary.environments.unclassified > 1) add(REVIEW_TOPICS.classify_many.id, 'Classify many…', number);
  buttons.push(...buildForAll(head));
  const where = pageCount === 1 ? '' : `Page ${number + 1} of ${pageCount.toLocaleString('en-US')} · `;
  const note = `${where}Kept for ${describeKept(head)}. Nothing is changed before you have seen and confirmed it.`;
  const actions: ActionsBlock[] = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  return [...actions, buildNotes([note])];
}

// The report of a review, its pages, and the message that shows the progress of a running one.
import type { ActionsBlock, Button, ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import { DateTime, IANAZone } from 'luxon';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { UnusedRecord } from '../register/overlay.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { SayPorts, TimeZones } from '../shell/respond.ts';
import { isCorrectable } from './correction.ts';
import type { FindingStatus } from './finding.ts';
import {
  buildFinding,
  describeReason,
  encodeReviewPlace,
  formatCount,
  formatDuration,
  parseReviewPlace,
  REVIEW_CORRECT_PAGE_ACTION,
} from './finding-views.ts';
import type { ReportHead, ReportPage, Reports } from './report.ts';
import { listFindings, type ReviewSummary } from './review-summary.ts';
import type { WaitCause } from './run-review.ts';

const MAX_REASONS = 12;

/** At most five blocks. The first line alone says how it stands. */
function buildSummary(head: ReportHead, timeZone: string): KnownBlock[] {
  const notes = [...describeDrift(head), ...describeGaps(head), ...describeUnreadable(head), ...describeBeside(head)];
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
  const count = countUnordered(summary);
  const found = count === 0 ? '' : ` ${formatCount(count, 'finding')} not in order.`;
  if (!summary.isComplete) {
    return `:warning: *Review: not all of it could be read, so it does not count as compliant.*${found}`;
  }
  if (summary.isCompliant) return ':white_check_mark: *Review: everything is as approved.*';
  return `:warning: *Review:${found}*`;
}

function countUnordered({ environments, agents }: ReviewSummary): number {
  const count = ({ drift, unclassified, vanished, unreadable }: ReviewSummary['environments']) =>
    drift + unclassified + vanished + unreadable;
  return count(environments) + count(agents);
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
  ['approved_exception', 'accepted for now'],
  ['drift', 'with drift'],
  ['unclassified', 'not in the register'],
  ['vanished', 'gone'],
  ['unreadable', 'cannot be told'],
];

function buildCounts({ environments, agents }: ReviewSummary): SectionBlock {
  const toField = (title: string, counts: ReviewSummary['environments']) => {
    const total = STATUSES.reduce((sum, [status]) => sum + counts[status], 0);
    const rows = STATUSES.filter(([status]) => counts[status] > 0);
    const lines = rows.map(([status, words]) => `${counts[status].toLocaleString('en-US')} ${words}`);
    const text = [`*${formatCount(total, title)}*`, ...lines].join('\n');
    return { type: 'mrkdwn' as const, text, verbatim: true };
  };
  return { type: 'section', fields: [toField('environment', environments), toField('agent', agents)] };
}

function describeDrift({ summary: { drifts, expired } }: ReportHead): string[] {
  const ways = [
    [drifts.looser, 'looser than approved'],
    [drifts.tighter, 'tighter'],
    [drifts.unclear, 'cannot be told whether looser'],
  ] as const;
  const open = ways.filter(([count]) => count > 0);
  const total = open.reduce((sum, [count]) => sum + count, 0);
  const told = open.map(([count, words]) => `${count.toLocaleString('en-US')} ${words}`).join(', ');
  return [
    ...(total === 0
      ? []
      : [
          `${formatCount(total, 'difference')} that nobody has accepted, in environments that the register names: ${told}.`,
        ]),
    ...(expired === 0 ? [] : [`:hourglass: ${formatCount(expired, 'finding')} with an exception that has ended.`]),
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
  return gap === 'inventory_truncated' ? 'the service did not list everything' : describeReason(gap);
}

function describeUnreadable({ summary: { unreadable }, told }: ReportHead): string[] {
  const reasons = Object.entries(unreadable).sort(([, one], [, other]) => other - one);
  const lines = reasons
    .slice(0, MAX_REASONS)
    .map(
      ([reason, count]) =>
        `• ${describeUnread(reason, count)}${told.includes(reason) ? ' _(not listed one by one)_' : ''}`,
    );
  return lines.length === 0 ? [] : ['What cannot be told is never compliant:', ...lines];
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
    ...(covered === 0 ? [] : [`${formatCount(covered, 'agent')} of environments that are new or gone: not listed.`]),
    ...(notReviewed === 0
      ? []
      : [`${formatCount(notReviewed, 'agent')} without a harness: left out, as the register says.`]),
    ...reasons.map(
      ([reason, count]) => `${formatCount(count, 'decision')} made in Slack without effect: ${UNUSED[reason]}.`,
    ),
    ...(cut === 0
      ? []
      : [
          `:warning: ${formatCount(cut, 'finding')} more than can be listed. Correct the defaults of the register first, and review again.`,
        ]),
  ];
}

/** A short hash is enough to tell two versions of the register apart. */
const SHORT_HASH_LENGTH = 12;

function buildFooter({ registerHash, at, endedAt }: ReportHead, timeZone: string): ContextBlock {
  const register = `Register ${toMrkdwnLine(registerHash, 64).slice(0, SHORT_HASH_LENGTH)}`;
  const text = `${register} · as of ${formatTime(at, timeZone)} · took ${formatDuration(endedAt - at)} · only you see this`;
  return buildNotes([text]);
}

/** The value of each is a place without a key. */
const REVIEW_PREVIOUS_ACTION = 'admin_review_previous';
const REVIEW_NEXT_ACTION = 'admin_review_next';

/** `shown`: the page and its number from 0; undefined where nothing is listed. */
export type ShownReport = { head: ReportHead; shown: { page: ReportPage; number: number } | undefined };

/** The summary, and what is not in order of one page. At most 40 blocks. */
export function buildReport({ head, shown }: ShownReport, { timeZone }: { timeZone: string }): Content {
  return {
    text: describeOutcome(head),
    blocks: fitBlocks([...buildSummary(head, timeZone), ...(shown === undefined ? [] : buildPage(head, shown))]),
  };
}

function buildPage(head: ReportHead, { page, number }: NonNullable<ShownReport['shown']>): KnownBlock[] {
  const place = { report: head.id, page: number };
  const blocks: KnownBlock[] = [];
  for (const { environment, agents, coveredAgents } of page.environments) {
    blocks.push({ type: 'divider' }, ...buildFinding(environment, { ...place, coveredAgents }));
    blocks.push(...agents.flatMap((agent) => buildFinding(agent, place)));
  }
  if (page.strayAgents.length > 0) {
    blocks.push({ type: 'divider' }, buildSection('*Agents without an environment*: no limit can be set for them.'));
    blocks.push(...page.strayAgents.flatMap((agent) => buildFinding(agent, place)));
  }
  return [...blocks, { type: 'divider' }, ...buildFoot(head, { page, number })];
}

function buildFoot({ id, pageCount }: ReportHead, { page, number }: NonNullable<ShownReport['shown']>): KnownBlock[] {
  const buttons: Button[] = [];
  const correctable = [...listFindings(page)].filter(isCorrectable).length;
  const add = (actionId: string, label: string, target: number) => {
    const value = encodeReviewPlace({ report: id, page: target, key: '' });
    if (value !== undefined) buttons.push({ type: 'button', action_id: actionId, text: buildPlainText(label), value });
  };
  if (number > 0) add(REVIEW_PREVIOUS_ACTION, 'Previous', number - 1);
  if (number < pageCount - 1) add(REVIEW_NEXT_ACTION, 'Next', number + 1);
  // One alone has its own button.
  if (correctable > 1) add(REVIEW_CORRECT_PAGE_ACTION, 'Correct all on this page…', number);
  const where = pageCount === 1 ? '' : `Page ${number + 1} of ${pageCount.toLocaleString('en-US')} · `;
  const note = `${where}Kept for a day. Nothing is changed before you have seen and confirmed it.`;
  const actions: ActionsBlock[] = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  return [...actions, buildNotes([note])];
}

export type ShownProgress = {
  /** Undefined: the inventory is still being read. */
  environments: { done: number; total: number } | undefined;
  /** Environments and agents so far. */
  drifting: number;
  /** Until when nothing is asked for, in epoch ms, and why. */
  waiting: { until: number; cause: WaitCause } | undefined;
};

/** Shows when it was last updated, so that a killed review is noticed. */
export function buildProgress(
  { environments, drifting, waiting }: ShownProgress,
  { now, timeZone }: { now: number; timeZone: string },
): Content {
  const headline = environments === undefined ? ':mag: *Review*: reading the inventory…' : describeBar(environments);
  const drift = environments === undefined ? '' : `, ${drifting.toLocaleString('en-US')} with drift so far`;
  const wait =
    waiting === undefined || waiting.until <= now
      ? []
      : [`${CAUSES[waiting.cause]} It goes on at ${formatClock(waiting.until, timeZone)}.`];
  const stuck = 'If this has not moved for a minute, the app was stopped: give the command again.';
  const lines = [`${headline}${drift}`, ...wait, `_As of ${formatClock(now, timeZone)}. ${stuck}_`];
  return buildAdminText(lines.join('\n'));
}

const CAUSES: Record<WaitCause, string> = {
  busy: 'The service has too much to do.',
  no_answer: 'The service does not answer.',
  some_failed: 'Some environments could not be read. They are read once more.',
};

const BAR_LENGTH = 20;

function describeBar({ done, total }: { done: number; total: number }): string {
  const filled = total === 0 ? BAR_LENGTH : Math.floor((done / total) * BAR_LENGTH);
  const bar = `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
  return `:mag: *Review* ${bar} ${done.toLocaleString('en-US')} of ${formatCount(total, 'environment')}`;
}

export function buildFinished(durationMs: number): Content {
  return buildAdminText(`:mag: *Review*: finished in ${formatDuration(durationMs)}. The report is below.`);
}

/** Nothing was changed: a review only reads. */
export function buildInterrupted(progress?: ShownProgress): Content {
  const far = describeFar(progress);
  const text = `:x: *Review*: interrupted${far}, because the app was stopped. Nothing was changed. Give the command again: \`/assistant-admin review\`.`;
  return buildAdminText(text);
}

/** It was given up after so many ms. */
export function buildOverdue(limitMs: number, progress: ShownProgress): Content {
  const text = `:x: *Review*: given up${describeFar(progress)}, because it took longer than ${formatDuration(limitMs)}: the service answers too slowly. Nothing was changed. Give the command again when the service is quicker: \`/assistant-admin review\`.`;
  return buildAdminText(text);
}

function describeFar({ environments }: Partial<ShownProgress> = {}): string {
  if (environments === undefined) return '';
  return ` after ${environments.done.toLocaleString('en-US')} of ${formatCount(environments.total, 'environment')}`;
}

function formatClock(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' }).toFormat('HH:mm:ss ZZZZ');
}

const OUT_OF_DATE =
  'This report is older than a day, and is not kept any more. Give the command again: `/assistant-admin review`.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

export type ReviewPagePorts = SayPorts & TimeZones & { reports: Reports };

/** *Previous* and *Next* of a report: the page takes the place of the one before. */
export function registerReviewPages(shell: AdminShell, ports: ReviewPagePorts): void {
  const turnPage = async ({ value, body, caller, say }: Clicked) => {
    const wanted = parseReviewPlace(value);
    const found = wanted && (await ports.reports.read(wanted.report, wanted.page));
    if (!wanted || !found) return void (await say(buildAdminText(OUT_OF_DATE)));
    const shown = { page: found.page, number: wanted.page };
    const content = buildReport({ head: found.head, shown }, { timeZone: await ports.timeZone(caller) });
    if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
  };
  for (const actionId of [REVIEW_PREVIOUS_ACTION, REVIEW_NEXT_ACTION]) shell.onClick(actionId, turnPage);
}

// The head of a review's report: how it all stands, before anything is listed.
import type { ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import { describeReason, formatCount, formatDuration } from '../../slack/views/admin/review/words.ts';
import { buildSection } from '../../slack/views/content.ts';
import { formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/shown-text.ts';
import type { UnusedRecord } from '../register/overlay.ts';
import type { FindingStatus } from './finding.ts';
import type { ReportHead } from './report.ts';
import type { ReviewSummary } from './review-summary.ts';

const MAX_REASONS = 12;

/** At most five blocks. The first line alone says how it stands. */
export function buildSummary(head: ReportHead, timeZone: string): KnownBlock[] {
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
export function describeOutcome({ summary }: ReportHead): string {
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
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] };
}

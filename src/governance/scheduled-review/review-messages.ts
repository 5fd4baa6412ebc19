// What a scheduled review posts to its channel: what is new, what matters most first. Fits Slack's limits whatever the names
// are like, and has no consumption figures.

import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import {
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { findOpen } from '../review/correction.ts';
import type { Difference, Finding } from '../review/finding.ts';
import { describeDifference, describeReason, formatCount } from '../review/finding-views.ts';
import type { Review, ReviewSummary } from '../review/review-summary.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { GRAVITIES, type Gravity, hasNews, type NewsItem, type ReviewNews } from './review-news.ts';

/** What is told beside the findings. `unreached`: names of what nobody could be told of. */
export type ReviewNotes = {
  isTruncated: boolean;
  unreached: string[];
  leftOut: number;
  lacksAddresses: boolean;
  /** Environments whose consumption could not be read. */
  unreadLevels: number;
  /** The consumption of agents could not be read. */
  isLimitsUnread: boolean;
};

type Told = { review: Pick<Review, 'at' | 'registerHash' | 'summary'>; news: ReviewNews; notes: ReviewNotes };

/** As many as one reads in one go; the rest is counted. */
const MAX_ITEMS = 12;
const MAX_NAMES = 5;
const MAX_NAMES_LENGTH = 1_500;

export function buildReviewMessage({ review, news, notes }: Told, { timeZone }: { timeZone: string }): Content {
  const title = describeTitle(news, review.summary);
  const shown = news.items.slice(0, MAX_ITEMS);
  const rest = news.items.slice(MAX_ITEMS);
  const lines = [...describeRest(rest), ...describeOver(news), ...describeStillOpen(news, review.summary)];
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(title),
      ...packLines(shown.map(describeItem)).map(buildSection),
      ...(lines.length === 0 ? [] : [buildSection(fitLines(lines))]),
      buildNotes([fitLines([...describeNotes(news, notes), describeFooter(review, timeZone)])]),
    ]),
  };
}

function describeTitle(news: ReviewNews, { isComplete, isCompliant }: ReviewSummary): string {
  const { isFirst, items, resolved, gone } = news;
  if (isFirst && isCompliant) return ':white_check_mark: *First scheduled review*: everything is as approved.';
  if (isFirst) return `:warning: *First scheduled review*: ${formatCount(items.length, 'finding')} not in order.`;
  if (!hasNews(news)) {
    const state = isCompliant ? 'everything is as approved' : 'nothing has changed';
    return `*Scheduled review*: ${state}${isComplete ? '' : ', as far as it could be read'}.`;
  }
  const counts = [
    [items.filter(({ change }) => change === 'new').length, 'new finding', 'new findings'],
    [items.filter(({ change }) => change === 'changed').length, 'changed finding', 'changed findings'],
    [resolved.length, 'in order again', 'in order again'],
    [gone, 'gone', 'gone'],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, one, many]) => formatCount(count, one, many));
  return `${items.length > 0 ? ':warning: ' : ''}*Scheduled review*: ${told.join(', ')}.`;
}

const REST: Record<Gravity, [one: string, many: string]> = {
  tenant_pool: ['on the tenant pool', 'on the tenant pool'],
  looser: ['drift that allows more', 'drifts that allow more'],
  drift: ['other drift', 'other drifts'],
  unclassified: ['not in the register', 'not in the register'],
  unreadable: ['cannot be told', 'cannot be told'],
  vanished: ['gone from the service', 'gone from the service'],
  accepted: ['accepted', 'accepted'],
};

const SHOWS_ALL = '`/assistant-admin review` shows all of it.';

function describeRest(rest: readonly NewsItem[]): string[] {
  if (rest.length === 0) return [];
  const counts = GRAVITIES.flatMap((gravity) => {
    const count = rest.filter((item) => item.gravity === gravity).length;
    return count === 0 ? [] : [formatCount(count, ...REST[gravity])];
  });
  return [`And ${formatCount(rest.length, 'more', 'more')}: ${counts.join(', ')}. ${SHOWS_ALL}`];
}

function describeOver({ resolved }: ReviewNews): string[] {
  return resolved.length === 0 ? [] : [`In order again: ${listNames(resolved.map(describeName))}.`];
}

/** A review without news may still have findings. */
function describeStillOpen(news: ReviewNews, { environments, agents }: ReviewSummary): string[] {
  if (news.isFirst || hasNews(news)) return [];
  const open = (['drift', 'unclassified', 'vanished', 'unreadable'] as const).reduce(
    (sum, status) => sum + environments[status] + agents[status],
    0,
  );
  return open === 0 ? [] : [`Still not in order: ${formatCount(open, 'finding')}. ${SHOWS_ALL}`];
}

function describeNotes({ isFirst, isRegisterChanged }: ReviewNews, notes: ReviewNotes): string[] {
  const { isTruncated, unreached, leftOut, lacksAddresses } = notes;
  return [
    ...(isFirst ? ['From now on only what changes is told here, and its owners are told in direct messages.'] : []),
    ...(isRegisterChanged ? ['The register was changed since the last review: some of this may come from there.'] : []),
    ...(isTruncated ? [':warning: The service did not list everything, so this may not be all.'] : []),
    ...(unreached.length === 0
      ? []
      : [
          `No owner could be told about ${listNames(unreached.map((name) => toMrkdwnName(name, 2 * MAX_NAME_LENGTH)))}: name one in the register, or have them sign in to this app, once more where they did before.`,
        ]),
    ...(lacksAddresses
      ? ['Owners cannot be found by their e-mail addresses: install the app again, which asks for `users:read.email`.']
      : []),
    ...(leftOut === 0
      ? []
      : [`${formatCount(leftOut, 'more owner was', 'more owners were')} not told: too many at once.`]),
    ...describeUnread(notes),
  ];
}

function describeUnread({ unreadLevels, isLimitsUnread }: ReviewNotes): string[] {
  const unread = [
    ...(unreadLevels === 0 ? [] : [formatCount(unreadLevels, 'environment')]),
    ...(isLimitsUnread ? ['agents'] : []),
  ];
  return unread.length === 0 ? [] : [`The consumption of ${unread.join(' and of ')} could not be read.`];
}

/** Enough to tell two versions of the register apart. */
const SHORT_HASH_LENGTH = 12;

function describeFooter({ at, registerHash, summary }: Told['review'], timeZone: string): string {
  const { environments, agents } = summary;
  const total = (counts: ReviewSummary['agents']) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  const fine = environments.compliant + environments.approved_exception + agents.compliant + agents.approved_exception;
  const all = `${formatCount(total(environments), 'environment')} and ${formatCount(total(agents), 'agent')}`;
  const register = toMrkdwnLine(registerHash, 64).slice(0, SHORT_HASH_LENGTH);
  return `As of ${formatTime(at, timeZone)} · ${all}, ${fine.toLocaleString('en-US')} of them as approved · register ${register}`;
}

/** `names` are escaped, which can make five times as much of them. */
function listNames(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const shown: string[] = [];
  let length = 0;
  for (const name of distinct.slice(0, MAX_NAMES)) {
    length += name.length;
    if (length > MAX_NAMES_LENGTH) break;
    shown.push(`*${name}*`);
  }
  const more = distinct.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${formatCount(more, 'more', 'more')}` : shown.join(', ');
}

/** As few sections as hold them. */
function packLines(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines.map((one) => fitLines(one.split('\n')))) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length < SECTION_LIMIT) sections.push(`${sections.pop()}\n${line}`);
    else sections.push(line);
  }
  return sections;
}

const MAX_NAME_LENGTH = 60;

const MAX_DIFFERENCES = 3;

/** Several lines. */
function describeItem({ change, gravity, finding, environmentName }: NewsItem): string {
  const where = environmentName === undefined ? '' : ` in ${toMrkdwnName(environmentName, MAX_NAME_LENGTH)}`;
  const mark = gravity === 'tenant_pool' ? ':rotating_light: ' : '';
  const again = change === 'changed' ? ' _(changed)_' : '';
  const head = `• ${mark}*${describeName(finding)}*${where}${again}: ${describeStatus(finding)}`;
  return [head, ...describeDifferences(finding)].join('\n');
}

function describeStatus(finding: Finding): string {
  switch (finding.status) {
    case 'drift':
      return finding.differences.some(({ exception }) => exception?.isExpired)
        ? 'drift, whose exception has ended'
        : 'drift';
    case 'unclassified':
      return finding.kind === 'agent' ? 'no limit is approved for it' : `not in the register${describePool(finding)}`;
    case 'vanished':
      return 'in the register, and not listed by the service any more';
    case 'unreadable':
      return `cannot be told: ${describeReason(finding.reason ?? 'unexpected')}`;
    case 'approved_exception':
      return `drift that is accepted until ${finding.expiresOn ?? 'an exception ends'}`;
    case 'compliant':
      return 'as approved';
  }
}

function describePool({ tenantPool }: Extract<Finding, { kind: 'environment' }>): string {
  if (tenantPool === 'on') return ', and it draws on the tenant pool';
  if (tenantPool === 'platform-default') return ', and nothing keeps it from drawing on the tenant pool';
  return '';
}

/** Of what is in order, or nobody has approved anything for, there is no difference worth a line. */
function describeDifferences(finding: Finding): string[] {
  if (finding.status !== 'drift') return [];
  const open = findOpen(finding).toSorted((one, other) => toWeight(one) - toWeight(other));
  const lines = open.slice(0, MAX_DIFFERENCES).map((difference) => `      ${describeDifference(difference)}`);
  const more = open.length - lines.length;
  return more > 0 ? [...lines, `      and ${formatCount(more, 'more difference')}`] : lines;
}

/** What made the finding one that matters comes first. */
function toWeight({ setting, way }: Difference): number {
  if (way !== 'looser') return 2;
  return setting === 'TenantPool' ? 0 : 1;
}

/** In plain words, escaped. */
function describeName({ name, environmentId }: Finding): string {
  return toMrkdwnName(name, MAX_NAME_LENGTH) || toMrkdwnLine(environmentId, MAX_NAME_LENGTH) || 'without a name';
}

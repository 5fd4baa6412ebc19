// What a scheduled review posts to its channel: what is new, what matters most first. Fits Slack's limits whatever the names
// are like. Of consumption it says only what no owner could be told.

import type { ActionsBlock } from '@slack/types';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildPlainText, buildSection, type Content, fitBlocks, formatTime } from '../../slack/views/content.ts';
import { formatCount, shortenHash } from '../review/finding-words.ts';
import type { ReportHead } from '../review/report.ts';
import { encodeReviewPlace, OPEN_REPORT_ACTION } from '../review/review-buttons.ts';
import { countNotInOrder, isInOrderAsTold, type Review, type ReviewSummary } from '../review/review-summary.ts';
import { describeUntold } from '../review/untold-words.ts';
import { buildLines, buildNotes, fitLines } from '../shell/blocks.ts';
import { describeGroup, describeItsName, groupAlike, listNames } from './news-words.ts';
import { GRAVITIES, type Gravity, hasNews, type NewsItem, type ReviewNews } from './review-news.ts';
import type { Untold } from './untold.ts';
import { countUntold, describeUntoldOwners } from './untold-owner-words.ts';

/** What is told beside the findings. */
export type ReviewNotes = {
  isTruncated: boolean;
  untold: Untold[];
  leftOut: number;
  lacksAddresses: boolean;
  /** Environments whose consumption could not be read. */
  unreadLevels: number;
  /** The consumption of agents could not be read. */
  isLimitsUnread: boolean;
};

/** `report`: what *Open the report* opens. */
type Told = {
  review: Pick<Review, 'at' | 'registerHash' | 'summary'>;
  news: ReviewNews;
  notes: ReviewNotes;
  report: Pick<ReportHead, 'id'>;
};

/** As many as one reads in one go; the rest is counted. */
const MAX_GROUPS = 12;
/** Of more than so many only the most important difference is shown. */
const MAX_DETAILED_GROUPS = 4;
const MAX_DIFFERENCES = 3;

const SHOWS_ALL = '*Open the report* shows all of it.';

export function buildReviewMessage({ review, news, notes, report }: Told, { timeZone }: { timeZone: string }): Content {
  const title = describeTitle(news, notes, review.summary);
  const groups = groupAlike(news.items);
  const most = groups.length > MAX_DETAILED_GROUPS ? 1 : MAX_DIFFERENCES;
  const shown = groups.slice(0, MAX_GROUPS);
  const rest = groups.slice(MAX_GROUPS).flat();
  const lines = [...describeRest(rest), ...describeOver(news), ...describeStillOpen(news, review.summary)];
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(title),
      ...packLines(shown.map((group) => describeGroup(group, most))).map(buildSection),
      ...(lines.length === 0 ? [] : [buildSection(fitLines(lines))]),
      ...buildLines(describeUntoldOwners(notes.untold)),
      ...buildOpenReport(report),
      buildNotes([
        fitLines([
          ...describeNotes(news, notes),
          ...describeUntold(review.summary, timeZone),
          describeFooter(review, timeZone),
        ]),
      ]),
    ]),
  };
}

/** For the channel, soon after a review: what owners could not be told since its post. */
export function buildUntoldMessage(untold: readonly Untold[]): Content {
  const title = `:warning: *Scheduled review*: owners could not be told about ${countUntold(untold)}.`;
  return { text: title, blocks: fitBlocks([buildSection(title), ...buildLines(describeUntoldOwners(untold))]) };
}

function buildOpenReport({ id }: Told['report']): ActionsBlock[] {
  const value = encodeReviewPlace({ report: id, page: 0, key: '' });
  if (value === undefined) return [];
  const text = buildPlainText('Open the report');
  return [{ type: 'actions', elements: [{ type: 'button', action_id: OPEN_REPORT_ACTION, text, value }] }];
}

function describeTitle(news: ReviewNews, { untold }: ReviewNotes, summary: ReviewSummary): string {
  const { isFirst, items, resolved, gone } = news;
  const { isComplete, isCompliant } = summary;
  const isAsTold = isInOrderAsTold(summary);
  const fine = `everything is as approved${isAsTold ? ', as far as the service tells' : ''}`;
  if (isFirst && (isCompliant || isAsTold)) return `:white_check_mark: *First scheduled review*: ${fine}.`;
  if (isFirst) return `:warning: *First scheduled review*: ${formatCount(items.length, 'finding')} not in order.`;
  if (!hasNews(news)) {
    const state = isCompliant || isAsTold ? fine : 'nothing has changed';
    const read = isComplete ? state : `${state}, as far as it could be read`;
    if (untold.length === 0) return `*Scheduled review*: ${read}.`;
    return `:warning: *Scheduled review*: ${read}, but owners could not be told about ${countUntold(untold)}.`;
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

function describeRest(rest: readonly NewsItem[]): string[] {
  if (rest.length === 0) return [];
  const counts = GRAVITIES.flatMap((gravity) => {
    const count = rest.filter((item) => item.gravity === gravity).length;
    return count === 0 ? [] : [formatCount(count, ...REST[gravity])];
  });
  return [`And ${formatCount(rest.length, 'more', 'more')}: ${counts.join(', ')}. ${SHOWS_ALL}`];
}

function describeOver({ resolved }: ReviewNews): string[] {
  return resolved.length === 0
    ? []
    : [`In order again: ${listNames(resolved.map((finding) => `*${describeItsName(finding)}*`))}.`];
}

/** A review without news may still have findings. */
function describeStillOpen(news: ReviewNews, summary: ReviewSummary): string[] {
  if (news.isFirst || hasNews(news)) return [];
  const open = countNotInOrder(summary);
  return open === 0 ? [] : [`Still not in order: ${formatCount(open, 'finding')}. ${SHOWS_ALL}`];
}

function describeNotes({ isFirst, isRegisterChanged }: ReviewNews, notes: ReviewNotes): string[] {
  const { isTruncated, leftOut, lacksAddresses } = notes;
  return [
    ...(isFirst ? ['From now on only what changes is told here, and its owners are told in direct messages.'] : []),
    ...(isRegisterChanged ? ['The register was changed since the last review: some of this may come from there.'] : []),
    ...(isTruncated ? [':warning: The service did not list everything, so this may not be all.'] : []),
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

function describeFooter({ at, registerHash, summary }: Told['review'], timeZone: string): string {
  const { environments, agents } = summary;
  const total = (counts: ReviewSummary['agents']) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  const fine = total(environments) + total(agents) - countNotInOrder(summary);
  const all = `${formatCount(total(environments), 'environment')} and ${formatCount(total(agents), 'agent')}`;
  return `As of ${formatTime(at, timeZone)} · ${all}, ${fine.toLocaleString('en-US')} of them as approved · register ${shortenHash(registerHash)}`;
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

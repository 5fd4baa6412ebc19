import {
  createReviewRecords,
  type LastWord,
  type Outbox,
  type OwnerNotice,
} from '../../slack/scheduled-review/review-records.ts';
import type { Review } from '../review/review.ts';
import type { ReviewDiff } from '../review/review-diff.ts';
import type { OwnerItem } from '../review/schedule/owner-items.ts';
import type { LevelReading } from '../review/schedule/read-levels.ts';
import type { Addressed, Addressees } from './address-owners.ts';
import { buildOwnerMessage } from './owner-message.ts';
import type { ScheduledReviewPorts } from './review-attempt.ts';
import { buildReviewMessage, type ReviewNotes } from './review-messages.ts';
import { hasNews, type ReviewNews, toNews } from './review-news.ts';

type Unread = Pick<LevelReading, 'unread' | 'isLimitsUnread'>;

type Looked = {
  due: number;
  review: Review;
  diff: ReviewDiff;
  /** When the review began that it is compared with, epoch ms. */
  replaces: number | undefined;
  addressees: Addressees;
  unread: Unread;
  lacksAddresses: boolean;
};

/**
 * A week after the last word, a review without news says so: nobody can tell silence from a review that is not held any
 * more. Half a day less, because no two runs are exactly a week apart.
 */
const SIGN_OF_LIFE_MS = 6.5 * 24 * 60 * 60 * 1000;

export async function composeOutbox(looked: Looked, ports: ScheduledReviewPorts): Promise<Outbox> {
  const { due, review, diff, replaces, addressees, unread, lacksAddresses } = looked;
  const { now, timeZone } = ports;
  const records = createReviewRecords(ports);
  const news = toNews(diff, review);
  const { environments, agents } = review.gaps;
  const untold = (await records.state())?.untold ?? [];
  const notes: ReviewNotes = {
    isTruncated: [environments, agents].includes('inventory_truncated'),
    unreached: [...addressees.unreached.map(toName), ...untold],
    leftOut: addressees.leftOut,
    lacksAddresses,
    unreadLevels: unread.unread,
    isLimitsUnread: unread.isLimitsUnread,
  };
  const isSaid = isWorthAWord({ news, notes, lastWord: await records.lastWord() }, now());
  return {
    due,
    report: {
      ...(isSaid && { post: buildReviewMessage({ review, news, notes }, { timeZone }) }),
      isTruncated: notes.isTruncated,
      isUnread: isUnread(notes),
      snapshot: diff.snapshot,
      replaces,
      claims: addressees.claims,
      untold,
    },
    notices: addressees.people.map((person) => toNotice(person, due, ports)),
    counts: toCounts({ review, news, addressees }),
  };
}

function toName({ finding, environmentName }: OwnerItem): string {
  const name = finding.name || finding.environmentId;
  return environmentName === undefined ? name : `${name} in ${environmentName}`;
}

type Told = { news: ReviewNews; notes: ReviewNotes; lastWord: LastWord | undefined };

function isWorthAWord({ news, notes, lastWord }: Told, now: number): boolean {
  if (lastWord === undefined || news.isFirst || hasNews(news)) return true;
  if (notes.unreached.length > 0 || notes.leftOut > 0) return true;
  // That it is read again is worth none.
  if (isUnread(notes) && !lastWord.isUnread) return true;
  return notes.isTruncated !== lastWord.isTruncated || now - lastWord.at >= SIGN_OF_LIFE_MS;
}

function isUnread({ unreadLevels, isLimitsUnread }: ReviewNotes): boolean {
  return unreadLevels > 0 || isLimitsUnread;
}

function toNotice({ user, timeZone, items, claims }: Addressed, due: number, ports: ScheduledReviewPorts): OwnerNotice {
  const content = buildOwnerMessage(items, {
    askUser: ports.reviewer.id,
    timeZone: timeZone ?? ports.timeZone,
  });
  return { user, content, due, about: [...new Set(items.map(toName))], claims };
}

function toCounts({ review, news, addressees }: Pick<Looked, 'review' | 'addressees'> & { news: ReviewNews }) {
  const { items, resolved, gone } = news;
  const agents = review.environments.reduce((sum, one) => sum + one.agents.length, review.strayAgents.length);
  return {
    environments: review.environments.length,
    agents,
    isComplete: review.summary.isComplete,
    new: items.filter(({ change }) => change === 'new').length,
    changed: items.filter(({ change }) => change === 'changed').length,
    resolved: resolved.length,
    gone,
    owners: addressees.people.length,
    unreached: addressees.unreached.length,
    leftOut: addressees.leftOut,
  };
}

// The messages of a scheduled review, kept until all are sent.
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { ReadyRegister } from '../review/approved-state.ts';
import type { ReviewDiff, ReviewSnapshot } from '../review/review-diff.ts';
import type { Review } from '../review/review-summary.ts';
import type { Addressed, Addressees } from './address-owners.ts';
import type { LevelReading } from './consumption-levels.ts';
import { buildOwnerMessage } from './owner-message.ts';
import { buildReviewMessage, type ReviewNotes } from './review-messages.ts';
import { hasNews, type ReviewNews, toNews } from './review-news.ts';
import type { ScheduledReviewPorts } from './slack-delivery.ts';
import { type Subject, toSubject, type Untold } from './untold.ts';

/** To one person, about what is theirs. */
export type OwnerNotice = {
  user: string;
  content: Message;
  /** The run that found it, epoch ms. */
  due: number;
  about: Subject[];
  /** The notice keys claimed for it; released if it cannot be sent. */
  claims: string[];
  /** Epoch ms: since when sending fails. */
  failingSince?: number;
};

/** For the channel. Without `post` there is nothing to tell it. `untold`: what earlier runs could not tell any owner. */
export type OutboxReport = Omit<LastWord, 'at'> & {
  untold: Untold[];
  post?: Message | undefined;
  snapshot: ReviewSnapshot;
  /** When the review began that it was compared with (epoch ms); undefined: there was none. */
  replaces?: number | undefined;
  /** Claimed because no owner could be told; released if the channel is not told either. */
  claims: string[];
};

/** What a run found, stored before anything is sent: a replica that takes over sends the same, and nothing twice. */
export type Outbox = {
  /** The time of the run, epoch ms. */
  due: number;
  /** Undefined once it is sent. */
  report?: OutboxReport | undefined;
  /** Also those of earlier runs that could not be sent yet. */
  notices: OwnerNotice[];
  /** For the log. */
  counts: Record<string, number | boolean>;
};

/** The last message to the channel: when (epoch ms), and whether the inventory or consumption was incomplete then. */
type LastWord = { at: number; isTruncated: boolean; isUnread: boolean };

/** How far the reviews have come. `untold`: what neither owners nor the channel could be told about. */
type ReviewState = {
  untold: Untold[];
  /** The time (epoch ms) up to which all runs are done with. */
  settledAt: number;
  /** The last run whose outbox was kept, epoch ms. Claims since then are in no outbox, and belong to the next one. */
  keptAt: number;
  /** Of the current outage: the first and the last failure, epoch ms. */
  failing?: { since: number; last: number } | undefined;
};

/** What outlives a run, beside the snapshot. */
type ReviewRecords = {
  /** Undefined before the first look of all. */
  state(): Promise<ReviewState | undefined>;
  saveState(state: ReviewState): Promise<void>;
  /** Does nothing where there is no state yet. */
  changeState(change: (state: ReviewState) => Partial<ReviewState>): Promise<void>;
  outbox(): Promise<Outbox | undefined>;
  keep(outbox: Outbox): Promise<void>;
  drop(): Promise<void>;
  lastWord(): Promise<LastWord | undefined>;
  saveLastWord(word: LastWord): Promise<void>;
};

type Message = ReturnType<typeof buildReviewMessage>;

type Unread = Pick<LevelReading, 'unread' | 'isLimitsUnread'>;

type Looked = {
  due: number;
  review: Review;
  approved: Pick<ReadyRegister, 'unused'>;
  diff: ReviewDiff;
  /** When the review began that it is compared with, epoch ms. */
  replaces: number | undefined;
  addressees: Addressees;
  unread: Unread;
  lacksAddresses: boolean;
};

/**
 * A review without news is posted once a week all the same, as a sign of life. Half a day less, because no two runs are
 * exactly a week apart.
 */
const SIGN_OF_LIFE_MS = 6.5 * 24 * 60 * 60 * 1000;

export async function composeOutbox(looked: Looked, ports: ScheduledReviewPorts): Promise<Outbox> {
  const { due, review, approved, diff, replaces, addressees, unread, lacksAddresses } = looked;
  const { now, timeZone, reports } = ports;
  const records = createReviewRecords(ports);
  const news = toNews(diff, review);
  const { environments, agents } = review.gaps;
  const { untold = [] } = (await records.state()) ?? {};
  const notes: ReviewNotes = {
    isTruncated: [environments, agents].includes('inventory_truncated'),
    untold: [...addressees.unreached.map(toUntold), ...untold],
    leftOut: addressees.leftOut,
    lacksAddresses,
    unreadLevels: unread.unread,
    isLimitsUnread: unread.isLimitsUnread,
  };
  const isSaid = isWorthAWord({ news, notes, lastWord: await records.lastWord() }, now());
  const report = isSaid ? await reports.keep(review, { ...approved, keptDays: REPORT_DAYS }) : undefined;
  return {
    due,
    report: {
      ...(report && { post: buildReviewMessage({ review, news, notes, report }, { timeZone }) }),
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

function toUntold({ item, reason }: Addressees['unreached'][number]): Untold {
  return { ...toSubject(item), reason };
}

type Told = { news: ReviewNews; notes: ReviewNotes; lastWord: LastWord | undefined };

function isWorthAWord({ news, notes, lastWord }: Told, now: number): boolean {
  if (lastWord === undefined || news.isFirst || hasNews(news)) return true;
  if (notes.untold.length > 0 || notes.leftOut > 0) return true;
  // That consumption can be read again is not worth a message.
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
  return { user, content, due, about: items.map(toSubject), claims };
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

/** The last post may stand over a long weekend: the review after it posts changes only. */
const REPORT_DAYS = 7;

const STATE = 'review:state';
const OUTBOX = 'review:outbox';
const LAST_WORD = 'review:last-word';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Some reviews are held once a year. */
const KEPT_MS = 2 * 365 * DAY_MS;

export function createReviewRecords({ once, now }: { once: ExpiringStore; now: () => number }): ReviewRecords {
  const read = async <T>(key: string) => {
    const text = await once.peek(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const write = (key: string, value: unknown) => once.put(key, JSON.stringify(value), now() + KEPT_MS);
  const state = () => read<ReviewState>(STATE);
  return {
    state,
    saveState: (saved) => write(STATE, saved),
    async changeState(change) {
      const before = await state();
      if (before) await write(STATE, { ...before, ...change(before) });
    },
    outbox: () => read<Outbox>(OUTBOX),
    // Dropped once a day old; the run itself may be a day late.
    keep: (outbox) => once.put(OUTBOX, JSON.stringify(outbox), outbox.due + 2 * DAY_MS),
    async drop() {
      await once.take(OUTBOX);
    },
    lastWord: () => read<LastWord>(LAST_WORD),
    saveLastWord: (word) => write(LAST_WORD, word),
  };
}

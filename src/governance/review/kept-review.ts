// Reviews as their messages refer to them: kept for a week, a page of findings at a time.
import type { ExpiringStore } from '../../identity/account-link.ts';
import { type Finding, GROUPS, type Group } from './finding.ts';
import type { Review, ReviewHead } from './review.ts';

/** Of the findings of one review. */
export type Span = { from: number; to: number };

export type KeptReview = {
  head: ReviewHead;
  /** How many findings are kept: all, unless there are very many. */
  kept: number;
};

export type ReviewKeeper = {
  /** Throws StoreUnavailableError, as reading does. */
  keep(review: Review): Promise<KeptReview>;
  /** Undefined: never kept, or too old. */
  readHead(id: string): Promise<KeptReview | undefined>;
  /** Fewer than asked for, where no more are kept. */
  readFindings(id: string, span: Span): Promise<Finding[]>;
};

/** The post of a Friday is still of use on Monday, and a review that is older says too little of today. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** About 50 KB. */
const PAGE = 100;

/** Somebody who reviews for the first time without a draft has so many; the rest is counted. */
const MAX_KEPT = 5_000;

export function createReviewKeeper(once: Pick<ExpiringStore, 'put' | 'peek'>): ReviewKeeper {
  return {
    async keep({ head, findings }) {
      const kept = findings.slice(0, MAX_KEPT);
      const expiresAt = head.endedAt + KEPT_MS;
      for (let from = 0; from < kept.length; from += PAGE) {
        const page = JSON.stringify(kept.slice(from, from + PAGE));
        await once.put(toPageKey(head.id, from / PAGE), page, expiresAt);
      }
      const review = { head, kept: kept.length };
      // Last: whoever finds it finds all pages.
      await once.put(toKey(head.id), JSON.stringify(review), expiresAt);
      return review;
    },
    async readHead(id) {
      const text = await once.peek(toKey(id));
      return text === undefined ? undefined : JSON.parse(text);
    },
    async readFindings(id, { from, to }) {
      const first = Math.floor(from / PAGE);
      const findings: Finding[] = [];
      for (let page = first; page * PAGE < to; page += 1) {
        const text = await once.peek(toPageKey(id, page));
        if (text === undefined) break;
        findings.push(...JSON.parse(text));
      }
      return findings.slice(from - first * PAGE, to - first * PAGE);
    },
  };
}

/** Where the findings of these groups, which follow one another, are kept. */
export function toSpan({ head: { counts }, kept }: KeptReview, groups: readonly Group[]): Span {
  const countOf = (some: readonly Group[]) => some.reduce((sum, group) => sum + counts[group], 0);
  const from = countOf(GROUPS.slice(0, GROUPS.indexOf(groups[0] ?? 'new')));
  return { from, to: Math.min(kept, from + countOf(groups)) };
}

function toKey(id: string): string {
  return `review:${id}`;
}

function toPageKey(id: string, page: number): string {
  return `review:${id}:${page}`;
}

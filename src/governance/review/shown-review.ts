// A page of a kept review, as its message shows it.
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Finding } from './finding.ts';
import { createReviewKeeper, type KeptReview } from './kept-review.ts';

/** A row and its place among the findings that are kept. */
export type ShownRow = { finding: Finding; index: number };

export type ShownReview = KeptReview & {
  page: number;
  rows: ShownRow[];
  /** Slack user ids by the ids of owners in the directory. */
  owners: ReadonlyMap<string, string>;
};

/** Each row takes two blocks. */
const ROWS_PER_PAGE = 8;

export function countPages(review: KeptReview): number {
  return Math.max(1, Math.ceil(countRows(review) / ROWS_PER_PAGE));
}

/** What has a row: unknown limits, which come last, are counted, and set together. */
function countRows({ head: { counts }, kept }: KeptReview): number {
  return Math.min(kept, counts.new + counts.more + counts.less + counts.ending);
}

/** Throws StoreUnavailableError. */
export async function readPage(
  review: KeptReview,
  page: number,
  { team }: Pick<Caller, 'team'>,
  { once, owners }: Pick<GovernanceServices, 'once' | 'owners'>,
): Promise<ShownReview> {
  const from = Math.min(page, countPages(review) - 1) * ROWS_PER_PAGE;
  const span = { from, to: Math.min(from + ROWS_PER_PAGE, countRows(review)) };
  const findings = await createReviewKeeper(once).readFindings(review.head.id, span);
  const ids = findings.flatMap((one) => (one.group === 'new' ? (one.ownerId ?? []) : []));
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await owners.findUser({ team }, id)] as const),
  );
  return {
    ...review,
    page: from / ROWS_PER_PAGE,
    rows: findings.map((finding, at) => ({ finding, index: from + at })),
    owners: new Map(found.flatMap(([id, user]) => (user === undefined ? [] : [[id, user] as const]))),
  };
}

// Reviews as their messages refer to them: kept for a week, some findings at a time.
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Finding } from './finding.ts';
import type { Review, ReviewHead } from './review.ts';
import type { ReviewPlace } from './review-buttons.ts';

/** `kept`: how many findings are kept: all, unless there are very many. */
export type KeptReview = { head: ReviewHead; kept: number };

export type FoundReview = { review: KeptReview; findings: Finding[] };

type KeepServices = Pick<GovernanceServices, 'once'>;

/** The post of a Friday is still of use on Monday, and a review that is older says too little of today. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Somebody who reviews for the first time without a draft has so many, of half a kilobyte each; the rest is counted. */
const MAX_KEPT = 5_000;

/** Throws StoreUnavailableError, as reading does. */
export async function keepReview(review: Review, { once }: KeepServices): Promise<FoundReview> {
  const { head } = review;
  const findings = review.findings.slice(0, MAX_KEPT);
  await once.put(toKey(head.id), JSON.stringify({ head, findings }), head.endedAt + KEPT_MS);
  return { review: { head, kept: findings.length }, findings };
}

/** All that is kept of it. Undefined: never kept, or too old. */
export async function readReview(id: string, { once }: KeepServices): Promise<FoundReview | undefined> {
  const text = await once.peek(toKey(id));
  if (text === undefined) return undefined;
  const { head, findings }: Review = JSON.parse(text);
  return { review: { head, kept: findings.length }, findings };
}

/** The one finding of a place, or those of its groups. Undefined: the review is not kept any more. */
export async function readFindings(
  { id, index, groups = [] }: ReviewPlace,
  services: KeepServices,
): Promise<FoundReview | undefined> {
  const found = await readReview(id, services);
  const isWanted = ({ group }: Finding, at: number) => (index === undefined ? groups.includes(group) : at === index);
  return found && { ...found, findings: found.findings.filter(isWanted) };
}

/** A row of the message, and its place among the findings that are kept. */
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

/** A page, or the last one there is. */
export async function showPage(
  { review, findings: all }: FoundReview,
  page: number,
  { team }: Pick<Caller, 'team'>,
  { owners }: Pick<GovernanceServices, 'owners'>,
): Promise<ShownReview> {
  const from = Math.min(page, countPages(review) - 1) * ROWS_PER_PAGE;
  const findings = all.slice(from, Math.min(from + ROWS_PER_PAGE, countRows(review)));
  const named = new Map<string, string>();
  for (const finding of findings) {
    const id = finding.group === 'new' ? finding.ownerId : undefined;
    const user = id === undefined ? undefined : await owners.findUser({ team }, id);
    if (id !== undefined && user !== undefined) named.set(id, user);
  }
  const rows = findings.map((finding, at) => ({ finding, index: from + at }));
  return { ...review, page: from / ROWS_PER_PAGE, rows, owners: named };
}

function toKey(id: string): string {
  return `review:${id}`;
}

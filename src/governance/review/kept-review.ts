// Stores reviews for a week, for the buttons and pages of their messages.
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type Page, takePage } from '../shell/blocks.ts';
import { type Finding, GROUPS } from './finding.ts';
import { countFindings, type Review, type ReviewHead } from './review.ts';
import type { ReviewPlace } from './review-buttons.ts';

/** `kept`: how many findings are kept: all, unless there are very many. */
type KeptReview = { head: ReviewHead; kept: number };

export type FoundReview = { review: KeptReview; findings: Finding[] };

type KeepServices = Pick<GovernanceServices, 'once'>;

/** A review that was posted on Friday is still useful on Monday. An older one is out of date. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** A first review without a draft may have this many, of half a kilobyte each. The others are only counted. */
const MAX_KEPT = 5_000;

/** Throws StoreUnavailableError, as reading does. */
export async function keepReview(review: Review, { once }: KeepServices): Promise<FoundReview> {
  const { head } = review;
  const findings = review.findings.slice(0, MAX_KEPT);
  await once.put(toKey(head.id), JSON.stringify({ head, findings }), head.endedAt + KEPT_MS);
  return { review: { head, kept: findings.length }, findings };
}

/** All findings that are kept. Undefined: never kept, or too old. */
export async function readReview(id: string, { once }: KeepServices): Promise<FoundReview | undefined> {
  const text = await once.peek(toKey(id));
  if (text === undefined) return undefined;
  const { head, findings }: Review = JSON.parse(text);
  return { review: { head, kept: findings.length }, findings };
}

/** Marks findings as settled. Undefined: the review is not kept any more. */
export async function settleFindings(
  id: string,
  isSettled: (finding: Finding) => boolean,
  { once }: KeepServices,
): Promise<FoundReview | undefined> {
  const found = await readReview(id, { once });
  if (!found) return undefined;
  const { head, kept } = found.review;
  let { findings } = found;
  // Two runs may end at once, and each has ticks of its own.
  const settle = (text: string) => {
    const review: Review = JSON.parse(text);
    findings = review.findings.map((one) => (isSettled(one) ? { ...one, isSettled: true } : one));
    return JSON.stringify({ head, findings });
  };
  await once.replace(toKey(id), settle, head.endedAt + KEPT_MS);
  return { review: { head, kept }, findings };
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

/** A row of the message. `index`: its place among the kept findings. */
export type ShownRow = { finding: Finding; index: number };

export type ShownReview = KeptReview &
  Page & {
    rows: ShownRow[];
    /** How many findings of each group are not settled. */
    open: ReviewHead['counts'];
    /** Slack user ids by the ids of owners in the directory. */
    owners: ReadonlyMap<string, string>;
  };

/** Each row takes two blocks. */
const ROWS_PER_PAGE = 8;

/** The page, or the last one if there are fewer. Unknown limits have no rows: they are counted, and set together. */
export async function showPage(
  { review, findings }: FoundReview,
  wanted: number,
  { team }: Pick<Caller, 'team'>,
  { owners }: Pick<GovernanceServices, 'owners'>,
): Promise<ShownReview> {
  const listed = findings.filter(({ group }) => group !== 'unknown');
  const { rows, page, pageCount } = takePage(listed, wanted, ROWS_PER_PAGE);
  const named = new Map<string, string>();
  for (const finding of rows) {
    const id = finding.group === 'new' ? finding.ownerId : undefined;
    const user = id === undefined ? undefined : await owners.findUser({ team }, id);
    if (id !== undefined && user !== undefined) named.set(id, user);
  }
  const shown = rows.map((finding, at) => ({ finding, index: page * ROWS_PER_PAGE + at }));
  const settled = countFindings(findings.filter(({ isSettled }) => isSettled)).counts;
  const open = { ...review.head.counts };
  for (const group of GROUPS) open[group] -= settled[group];
  return { ...review, page, pageCount, rows: shown, open, owners: named };
}

/** A message of a review, and the page that it shows. */
export type ReviewMessage = { id: string; page: number; channel: string; ts: string };

/** Stores the message whose button was pressed last, by the place where its outcome is posted. */
export async function keepMessage(
  replyTo: string,
  message: ReviewMessage,
  { once, now }: Pick<GovernanceServices, 'once' | 'now'>,
): Promise<void> {
  await once.put(toMessageKey(replyTo), JSON.stringify(message), now() + KEPT_MS);
}

/** Undefined: outcomes there belong to no review, or the review is too old. */
export async function findMessage(replyTo: string, { once }: KeepServices): Promise<ReviewMessage | undefined> {
  const text = await once.peek(toMessageKey(replyTo));
  return text === undefined ? undefined : JSON.parse(text);
}

function toKey(id: string): string {
  return `review:${id}`;
}

function toMessageKey(replyTo: string): string {
  return `review-message:${replyTo}`;
}

// A bulk change while it is carried out, and how it ended.
import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import {
  buildButton,
  buildSection,
  type Content,
  fitBlocks,
  shortenLines,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { BULK_EXPORT } from '../confirmation/approval-views.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { buildExportButton } from '../exports/slack-export.ts';
import { formatClock, formatCount, formatDuration } from '../review/finding-words.ts';
import { buildLines, buildNotes } from '../shell/blocks.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type BulkItem, isClassification } from './bulk-item.ts';
import { describeLeftOut } from './bulk-preview-views.ts';
import type { BulkChange, ItemEnd } from './bulk-records.ts';
import type { BulkProgress } from './run-bulk.ts';

/** They are in messages that live for years: never rename an id. */
export const BULK_STOP_ACTION = 'admin_bulk_stop';
const NEXT_PAGE_ACTION = 'admin_bulk_page';
const OTHER_PAGE_ACTION = 'admin_bulk_page_back';
export const BULK_PAGE_ACTIONS = [NEXT_PAGE_ACTION, OTHER_PAGE_ACTION];

const BAR_LENGTH = 20;

type ShownProgress = BulkProgress & { isStopping: boolean };

/** With *Stop*. Shows when it was last updated. */
export function buildBulkProgress(
  { id }: Pick<BulkChange, 'id'>,
  { counts, total, isStopping }: ShownProgress,
  { now, timeZone }: { now: number; timeZone: string },
): Content {
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const filled = total === 0 ? BAR_LENGTH : Math.floor((done / total) * BAR_LENGTH);
  const bar = `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
  const headline = `:arrows_counterclockwise: *Bulk change* ${bar} ${formatCredits(done)} of ${formatCount(total, 'change')}`;
  const kinds = describeCounts(counts);
  const lines = [
    headline,
    ...(kinds === '' ? [] : [kinds]),
    ...(isStopping ? ['*Stopping*: what has been begun comes to its end, and nothing more is begun.'] : []),
    `_As of ${formatClock(now, timeZone)}. If this app is stopped, it goes on by itself afterwards._`,
  ];
  const blocks: KnownBlock[] = [buildSection(lines.join('\n'))];
  if (!isStopping) {
    const stop: Button = { ...buildButton(BULK_STOP_ACTION, 'Stop', id), style: 'danger' };
    blocks.push({ type: 'actions', elements: [stop] });
  }
  return { text: headline, blocks };
}

/** To who approved it: `text` of the report's first line. */
export function buildBulkEnded({ by }: BulkChange, { text }: Content): Content {
  const told = `The bulk change of <@${by.user}> that you approved has ended. ${text}`;
  return { text: told, blocks: [buildSection(told)] };
}

/** In place of the progress. */
export function buildBulkFinished(durationMs: number): Content {
  const text = `:arrows_counterclockwise: *Bulk change*: ended after ${formatDuration(durationMs)}. The report is below.`;
  return { text, blocks: [buildSection(text)] };
}

export type ShownBulk = { bulk: BulkChange; items: readonly BulkItem[]; ends: readonly ItemEnd[] };

const LINES_PER_PAGE = 15;

/** Counts, each with its reason, and a page (from 0) of the items: what did not go well comes first. */
export function buildBulkReport({ bulk, items, ends }: ShownBulk, page = 0): Content {
  const headline = describeHeadline(bulk, { items, ends });
  const order = [...ends.entries()].sort(([, one], [, other]) => RANKS[one.kind] - RANKS[other.kind]);
  const pageCount = Math.max(1, Math.ceil(order.length / LINES_PER_PAGE));
  const shown = order.slice(page * LINES_PER_PAGE, (page + 1) * LINES_PER_PAGE);
  const lines = shown.map(([index, end]) => shortenLines(describeItem(items[index], end), SECTION_LIMIT));
  const where = pageCount === 1 ? '' : `Page ${page + 1} of ${formatCredits(pageCount)} · `;
  const buttons = [
    ...(page > 0 ? [buildButton(OTHER_PAGE_ACTION, 'Previous', encodePage(bulk.id, page - 1))] : []),
    ...(page < pageCount - 1 ? [buildButton(NEXT_PAGE_ACTION, 'Next', encodePage(bulk.id, page + 1))] : []),
    buildExportButton(BULK_EXPORT, bulk.id),
  ];
  const blocks: KnownBlock[] = [
    ...buildLines([headline, ...countReasons(ends)]),
    { type: 'divider' },
    ...buildLines(lines),
    ...(bulk.leftOut.length === 0 || page > 0
      ? []
      : buildLines(['*Left out of it*', ...describeLeftOut(bulk.leftOut)])),
    { type: 'actions', elements: buttons },
    buildNotes([`${where}Kept for a week. \`/assistant-admin audit ${bulk.id}\` lists each change.`]),
  ];
  return { text: headline, blocks: fitBlocks(blocks) };
}

const pageSchema = z.object({ bulk: z.string(), page: z.int().min(0) });

function encodePage(bulk: string, page: number): string {
  return JSON.stringify({ bulk, page });
}

/** Undefined where it is not the value of such a button. */
export function parseBulkPage(value: string): z.infer<typeof pageSchema> | undefined {
  return parseState(pageSchema, value);
}

/** In this order in lists. */
const RANKS: Record<ItemEnd['kind'], number> = {
  failed: 0,
  conflict: 1,
  skipped: 2,
  applied_not_verified: 3,
  verified: 4,
  recorded: 4,
};

const WORDS: Record<ItemEnd['kind'], string> = {
  verified: '*Verified*',
  recorded: '*Recorded*',
  applied_not_verified: '*Applied, not verified*',
  conflict: '*Conflict*',
  failed: '*Failed*',
  skipped: '*Skipped*',
};

const ICONS: Record<ItemEnd['kind'], string> = {
  verified: ':white_check_mark:',
  recorded: ':white_check_mark:',
  applied_not_verified: ':warning:',
  conflict: ':x:',
  failed: ':x:',
  skipped: ':heavy_minus_sign:',
};

function isDone({ kind }: Pick<ItemEnd, 'kind'>): boolean {
  return kind === 'verified' || kind === 'recorded';
}

function describeHeadline({ ended }: BulkChange, { items, ends }: Pick<ShownBulk, 'items' | 'ends'>): string {
  const done = ends.filter(isDone).length;
  const notShown = ends.filter(isNotShown).length;
  const isAll = done + notShown === ends.length;
  const how = items.every(isClassification)
    ? `${formatCredits(done)} of ${formatCount(ends.length, 'environment')} classified.`
    : describeMade(done, notShown, ends.length);
  const applied = ends.filter((end) => end.kind === 'applied_not_verified' && !isNotShown(end)).length;
  const more = applied === 0 ? '' : ` ${formatCredits(applied)} more were sent, and not verified.`;
  const why = ended === undefined || ended.why === 'done' ? '' : ` ${describeEnding(ended.why)}`;
  return `${isAll ? ':white_check_mark:' : ':warning:'} *Bulk change*: ${how}${more}${why}`;
}

function describeMade(verified: number, notShown: number, total: number): string {
  const made = `${formatCredits(verified + notShown)} of ${formatCount(total, 'change')} made`;
  return notShown === 0
    ? `${made}, and read back.`
    : `${made}. ${formatCount(notShown, 'limit')} could not be read back, because the service does not show limits.`;
}

/** Set, on a service that shows no limits: there is nothing to look at again. */
function isNotShown({ kind, reason }: ItemEnd): boolean {
  return kind === 'applied_not_verified' && reason === 'not_offered';
}

function describeEnding(why: string): string {
  return why === 'stopped' ? 'It was stopped.' : `It could not go on: ${explain('failed', why)}.`;
}

function describeCounts(counts: BulkProgress['counts']): string {
  const entries = Object.entries(counts) as [ItemEnd['kind'], number][];
  return entries.map(([kind, count]) => `${formatCredits(count)} ${WORDS[kind]}`).join(', ');
}

function countReasons(ends: readonly ItemEnd[]): string[] {
  const byReason = Map.groupBy(ends, ({ kind, reason = '' }) => `${kind}:${reason}`);
  const groups = [...byReason.values()].sort(([one], [other]) => rank(one) - rank(other));
  return groups.map((same) => {
    const [first] = same;
    if (first === undefined) return '';
    const why = isDone(first) ? '' : `: ${explain(first.kind, first.reason)}`;
    return `• ${formatCredits(same.length)} ${WORDS[first.kind]}${why}`;
  });
}

function rank(end: ItemEnd | undefined): number {
  return end === undefined ? 0 : RANKS[end.kind];
}

function nameItem(item: BulkItem): string {
  return isClassification(item) ? `*${toMrkdwnName(item.name, 60)}*` : kindOf(item).name(item);
}

function describeItem(change: BulkItem | undefined, { kind, reason, sentence, by }: ItemEnd): string {
  const name = change === undefined ? '' : nameItem(change);
  if (isDone({ kind })) return `${ICONS[kind]} ${name}: ${WORDS[kind]}`;
  const why = sentence === undefined ? `${explain(kind, reason)}.` : toMrkdwnLine(sentence, 300);
  const who = by === undefined ? '' : ` Changed from here by <@${by}>.`;
  return `${ICONS[kind]} ${name}: ${WORDS[kind]}, ${why}${who}`;
}

type Reasons = { [reason: string]: string };

const REFUSALS: Reasons = {
  admin_unauthorized: 'the service did not accept the sign-in any more. Sign in again',
  admin_forbidden: 'the service does not allow it to this account',
  admin_not_found: 'the service does not know it any more',
  admin_rejected: 'the service refused it',
  admin_throttled: 'the service had too much to do, for too long',
  admin_unreachable: 'the service did not answer, for too long',
  admin_failed: 'the service reported an internal error',
  admin_locked_by_policy: "a policy of the environment's group decides the rule",
  admin_unreadable: 'the service answered in a way that this app cannot read',
  not_signed_in: 'the admin is not signed in any more. Sign in again',
  no_access: 'its sign-in and rights could not be checked for an hour',
  fault: 'this app failed; its log says how. Tell whoever runs it',
  register_not_ready: "the register's file cannot be read now, so nothing was recorded. Review again",
  not_admin: 'the admin may not do this any more',
  approver_gone: 'who approved it is not signed in any more, or may not do this any more',
  approver_changed: 'who approved it signed in with another account',
};

const REASONS: Record<ItemEnd['kind'], Reasons> = {
  verified: {},
  recorded: {},
  applied_not_verified: {
    not_offered: 'the service does not show limits, so it is remembered here with its date',
    not_listed: 'the service does not list the new limit yet. Look again in a few minutes',
    stop_not_told: 'the service shows the new values, but not whether the agent is stopped',
    read_back_failed: 'reading it back failed. Look again in a few minutes',
    still_old: 'the service still showed the old values. Look again in a few minutes',
    no_answer: 'the service did not answer, so it may or may not be set. Look again',
    interrupted: 'the app was stopped in the middle, so it may or may not be set. Look again',
  },
  conflict: {
    before_write: 'it is not as the preview showed it any more, so nothing was changed',
    after_write: 'it was sent, but the service shows something else. Look again',
    unanswered: 'the service did not answer, and shows something else now. Look again',
    interrupted: 'the app was stopped in the middle, and the service shows something else. Look again',
    named_meanwhile:
      'the register names this environment by now, or somebody has classified it, so nothing was recorded',
    register_changed: "the register's file was changed since this was reviewed, so nothing was recorded. Review again",
    not_classified: 'the register does not allow it, so nothing was recorded. Review again',
  },
  failed: REFUSALS,
  skipped: {
    ...REFUSALS,
    needs_approval:
      'it allows more than before, or may, and no second admin has approved it. Begin again, and name one',
    stopped: 'it was stopped before its turn, so nothing was changed',
    busy: 'somebody else was changing it, so nothing was changed. Look again',
    kept_failing: 'it could not be begun, so nothing was changed. Look again',
  },
};

/** Half a sentence. */
function explain(kind: ItemEnd['kind'], reason = ''): string {
  return REASONS[kind][reason] ?? `reason: ${toMrkdwnLine(reason, 60)}`;
}

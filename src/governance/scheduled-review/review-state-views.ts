import type { AnyBlock } from '@slack/types';
import { buildSection, formatTime } from '../../slack/views/content.ts';
import type { FindingStatus } from '../review/finding.ts';
import { formatCount } from '../review/finding-words.ts';
import { countNoted, type ReviewSnapshot } from '../review/review-diff.ts';
import type { ReviewStore } from '../review/review-store.ts';
import { buildNotes } from '../shell/blocks.ts';
import type { ReviewSchedule } from './review-schedule.ts';

type ReviewStatePorts = {
  reviews: Pick<ReviewStore, 'lastSnapshot'>;
  /** Undefined: no scheduled review is configured. */
  schedule: Pick<ReviewSchedule, 'findNext'> | undefined;
  timeZone: string;
  now(): number;
};

/** The last scheduled review and the next one, for the home tab of administrators. Throws StoreUnavailableError. */
export async function buildReviewState(ports: ReviewStatePorts): Promise<AnyBlock[]> {
  const { reviews, schedule, timeZone, now } = ports;
  const last = await reviews.lastSnapshot();
  const next = schedule?.findNext(now());
  const lines = [
    last ? describeLast(last, timeZone) : 'There was no scheduled review yet.',
    next === undefined ? 'No review is scheduled.' : `The next one runs ${formatTime(next, timeZone)}.`,
  ];
  return [
    { type: 'header', text: { type: 'plain_text', text: 'Administration' } },
    buildSection(lines.join('\n')),
    buildNotes(['`/assistant-admin review` reviews now, `/assistant-admin help` says what else you can do.']),
  ];
}

const WORDS: Record<FindingStatus, string> = {
  drift: 'drift',
  unclassified: 'unclassified',
  vanished: 'vanished',
  unreadable: 'not readable',
  approved_exception: 'approved exception',
  compliant: 'compliant',
  as_far_as_told: 'as approved, as far as the service tells',
};

/** Unreadable is never compliant: without findings it does not say that all is in order. */
function describeLast(snapshot: ReviewSnapshot, timeZone: string): string {
  const counts = countNoted(snapshot);
  const begun = `The last scheduled review began ${formatTime(snapshot.at, timeZone)}`;
  const { untold = 0 } = snapshot;
  const note =
    untold === 0
      ? ''
      : ` ${formatCount(untold, 'agent counts', 'agents count')} as approved only as far as the service tells: it does not show their limits.`;
  if (counts.size === 0) return `${begun}, and noted no findings.${note}`;
  const parts = Object.entries(WORDS).flatMap(([status, words]) => {
    const count = counts.get(status as FindingStatus);
    return count === undefined ? [] : [`*${count}* ${words}`];
  });
  return `${begun}. Its findings, by environment and agent: ${parts.join(', ')}.${note}`;
}

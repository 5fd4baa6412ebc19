// What a review does not tell where the service does not show the limits of agents, in words for Slack (mrkdwn).
import { formatTime } from '../../slack/views/content.ts';
import { formatCount } from './finding-words.ts';
import type { ReviewSummary } from './review-summary.ts';

/** One line or none. */
export function describeUntold({ untold }: Pick<ReviewSummary, 'untold'>, timeZone: string): string[] {
  if (untold === undefined) return [];
  const { lastSet, firstSetAt, lastSetAt, staleAt, noneSet } = untold;
  const [first, last] = [firstSetAt ?? 0, lastSetAt ?? 0].map((at) => formatTime(at, timeZone));
  const when = first === last ? `on ${first}` : `between ${first} and ${last}`;
  const parts = [
    ...(lastSet === 0 ? [] : [`${formatCount(lastSet, 'agent')} set from here as approved ${when}`]),
    ...(noneSet === 0 ? [] : [`${formatCount(noneSet, 'agent')} without an approved limit, and none set from here`]),
  ];
  const until = staleAt === undefined ? '' : ` From ${formatTime(staleAt, timeZone)} on, the first is to be set again.`;
  return [
    `:information_source: The service does not show these limits: ${parts.join('; ')}. If somebody changed one elsewhere since, this review does not see it.${until}`,
  ];
}

import type { AnyBlock } from '@slack/types';
import { buildSection, formatTime } from '../../slack/views/content.ts';
import { buildNotes } from '../shell/blocks.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { readScheduleState } from './schedule-state.ts';
import type { ScheduledServices } from './slack-delivery.ts';

type StateServices = Pick<ScheduledServices, 'once' | 'now'> & {
  /** Undefined: no scheduled review is configured. */
  schedule: Pick<ScheduledServices['schedule'], 'findNext'> | undefined;
  channelTimeZone: string;
};

/** The last scheduled review and the next one, for the home tab of administrators. Throws StoreUnavailableError. */
export async function buildReviewState(services: StateServices): Promise<AnyBlock[]> {
  const { schedule, channelTimeZone: timeZone, now } = services;
  const last = (await readScheduleState(services))?.snapshot;
  const next = schedule?.findNext(now());
  const found =
    last &&
    `${formatCredits(last.differing)} differed from policy ${last.policy}, ${formatCredits(last.unknown)} unknown.`;
  const lines = [
    last ? `Last scheduled review: ${formatTime(last.at, timeZone)}. ${found}` : 'There was no scheduled review yet.',
    next === undefined ? 'No review is scheduled.' : `The next one is on ${formatTime(next, timeZone)}.`,
  ];
  return [
    { type: 'header', text: { type: 'plain_text', text: 'Administration' } },
    buildSection(lines.join('\n')),
    buildNotes(['`/assistant-admin review` reviews now, `/assistant-admin help` says what else you can do.']),
  ];
}

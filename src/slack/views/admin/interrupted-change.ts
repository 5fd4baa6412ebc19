import type { Change, ChangeOutcome } from '../../../governance/changes/change.ts';
import { formatTime } from '../shown-text.ts';

/** A change from here that was begun, and broke off. Its outcome says what a later look has shown of it. */
export type InterruptedChange = Pick<Change, 'user' | 'at'> & { outcome: ChangeOutcome };

/** What became of it, in mrkdwn. */
export function describeInterrupted({ user, at, outcome }: InterruptedChange, timeZone: string): string {
  return `:warning: A change by <@${user}> of ${formatTime(at, timeZone)} broke off. ${ENDS[outcome.kind]}`;
}

const ENDS: Record<ChangeOutcome['kind'], string> = {
  verified: 'It had been made: the service shows now what it was to set.',
  failed: 'It was not made: the service still shows what was there before.',
  conflict: 'The service shows neither what was there before nor what was to be set: decide from what is there now.',
  applied_not_verified: 'Whether it was made cannot be told here: check it in the admin console.',
};

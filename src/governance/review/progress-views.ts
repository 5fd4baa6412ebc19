// The message that shows how far a review is.
import type { Content } from '../../slack/views/content.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatClock, formatCount, formatDuration } from './finding-words.ts';
import type { WaitCause } from './patient-reader.ts';

export type ShownProgress = {
  /** Undefined: the inventory is still being read. */
  environments: { done: number; total: number } | undefined;
  /** Environments and agents so far. */
  drifting: number;
  /** Until when nothing is asked for, in epoch ms, and why. */
  waiting: { until: number; cause: WaitCause } | undefined;
};

/** Shows when it was last updated, so that a killed review is noticed. */
export function buildProgress(
  { environments, drifting, waiting }: ShownProgress,
  { now, timeZone }: { now: number; timeZone: string },
): Content {
  const headline = environments === undefined ? ':mag: *Review*: reading the inventory…' : describeBar(environments);
  const drift = environments === undefined ? '' : `, ${drifting.toLocaleString('en-US')} with drift so far`;
  const wait =
    waiting === undefined || waiting.until <= now
      ? []
      : [`${CAUSES[waiting.cause]} It goes on at ${formatClock(waiting.until, timeZone)}.`];
  const stuck = 'If this has not moved for a minute, the app was stopped: give the command again.';
  const lines = [`${headline}${drift}`, ...wait, `_As of ${formatClock(now, timeZone)}. ${stuck}_`];
  return buildAdminText(lines.join('\n'));
}

const CAUSES: Record<WaitCause, string> = {
  busy: 'The service has too much to do.',
  no_answer: 'The service does not answer.',
  some_failed: 'Some environments could not be read. They are read once more.',
};

const BAR_LENGTH = 20;

function describeBar({ done, total }: { done: number; total: number }): string {
  const filled = total === 0 ? BAR_LENGTH : Math.floor((done / total) * BAR_LENGTH);
  const bar = `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
  return `:mag: *Review* ${bar} ${done.toLocaleString('en-US')} of ${formatCount(total, 'environment')}`;
}

export function buildFinished(durationMs: number): Content {
  return buildAdminText(`:mag: *Review*: finished in ${formatDuration(durationMs)}. The report is below.`);
}

/** Nothing was changed: a review only reads. */
export function buildInterrupted(progress?: ShownProgress): Content {
  const far = describeFar(progress);
  const text = `:x: *Review*: interrupted${far}, because the app was stopped. Nothing was changed. Give the command again: \`/assistant-admin review\`.`;
  return buildAdminText(text);
}

/** It was given up after so many ms. */
export function buildOverdue(limitMs: number, progress: ShownProgress): Content {
  const text = `:x: *Review*: given up${describeFar(progress)}, because it took longer than ${formatDuration(limitMs)}: the service answers too slowly. Nothing was changed. Give the command again when the service is quicker: \`/assistant-admin review\`.`;
  return buildAdminText(text);
}

function describeFar({ environments }: Partial<ShownProgress> = {}): string {
  if (environments === undefined) return '';
  return ` after ${environments.done.toLocaleString('en-US')} of ${formatCount(environments.total, 'environment')}`;
}

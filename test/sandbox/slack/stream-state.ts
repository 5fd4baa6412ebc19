import type { Message } from './records.ts';

/** Observed, not documented: streams end about 5 min after their start, whatever is appended. */
const MAX_AGE_MS = 5 * 60_000;

/** Whether a message still takes text. Until then it can be neither changed nor deleted. */
export function isStreaming({ stream }: Message): boolean {
  if (stream?.state === 'streaming' && Date.now() - stream.startedAt > MAX_AGE_MS) stream.state = 'finished';
  return stream?.state === 'streaming';
}

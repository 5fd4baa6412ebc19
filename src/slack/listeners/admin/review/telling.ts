import { setTimeout as sleep } from 'node:timers/promises';
import type { DirectMessage } from '../../../../governance/review/review-direct-message.ts';
import type { Log } from '../../../../log.ts';
import { buildProgress, type ShownProgress } from '../../../views/admin/review/progress.ts';
import type { ReviewClaim } from './claim.ts';

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

type Told = {
  direct: DirectMessage;
  /** The message that tells of the review. */
  ts: string;
  claim: ReviewClaim;
  timeZone: string;
  /** As it is when it is asked for. */
  read(): ShownProgress;
};

/**
 * Tells how far the review is, and keeps its claim, until the function that it returns is called. That resolves when no
 * edit is under way any more: what is written then stays.
 */
export function startTelling(
  { direct, ts, claim, timeZone, read }: Told,
  { now, log }: { now: () => number; log: Log },
): () => Promise<void> {
  const end = new AbortController();
  const keepClaim = () => claim.beat(ts).catch((error: unknown) => log.warn({ err: error }, 'review claim not kept'));

  async function tell(): Promise<void> {
    await keepClaim();
    while (await waited(end.signal)) {
      await Promise.all([keepClaim(), direct.touch(ts, buildProgress(read(), { now: now(), timeZone }))]);
    }
  }

  const telling = tell();
  return async () => {
    end.abort();
    await telling;
  };
}

/** False: it was ended. */
function waited(signal: AbortSignal): Promise<boolean> {
  return sleep(EVERY_MS, true, { signal }).catch(() => false);
}

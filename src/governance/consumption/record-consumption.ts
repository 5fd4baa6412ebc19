// Records once a day what each environment has used, with the sign-in of REVIEW_AS, in one replica.
import { codeOf, TransientError } from '../../errors.ts';
import { toDay } from '../../usage/usage.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import { openReviewerSession } from '../scheduled-review/gather-review.ts';
import { type Attempt, attemptOnce, LaneLostError } from '../scheduled-review/review-attempt.ts';
import type { ScheduledReview } from '../scheduled-review/scheduled-review.ts';
import { patiently, type ScheduledReviewPorts } from '../scheduled-review/slack-delivery.ts';
import { type ConsumptionStore, type HistoryName, toHistoryName } from './consumption-history.ts';
import { type ReadUsage, readUsages } from './read-usages.ts';

export type RecordPorts = Parameters<typeof openReviewerSession>[1] &
  Pick<ScheduledReviewPorts, 'once' | 'currency' | 'now' | 'log' | 'wait'> & {
    history: Pick<ConsumptionStore, 'save'>;
  };

/** The day that was recorded last. Stored: never rename. */
const DONE = 'consumption:recorded';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** After a failure. Whoever has to sign in again is told by the scheduled review. */
const RETRY_MS = 30 * 60_000;

/** The same shape as the scheduled review: a lane that one replica has at a time. */
export function createConsumptionRecorder(ports: RecordPorts): ScheduledReview {
  const { now, log, wait, once } = ports;
  const stopping = new AbortController();
  return {
    async run(isHeld) {
      const today = toDay(now());
      // The figures of the day before are complete by then.
      const next = (today + 1) * DAY_MS + HOUR_MS;
      try {
        if ((await once.peek(DONE)) === String(today)) return next;
        const counted = await attemptOnce((attempt) => record(attempt, ports), {
          ...{ isHeld, stopping: stopping.signal, wait },
        });
        await once.put(DONE, String(today), now() + 2 * DAY_MS);
        log.info(counted, 'consumption recorded');
        return next;
      } catch (error) {
        if (stopping.signal.aborted || error instanceof LaneLostError) return undefined;
        log.warn({ code: codeOf(error) }, 'consumption not recorded');
        return now() + RETRY_MS;
      }
    },
    stop: () => stopping.abort(),
  };
}

type Counted = { environments: number; missing: number };

async function record(attempt: Attempt, ports: RecordPorts): Promise<Counted> {
  const { history, currency, now } = ports;
  const session = await openReviewerSession(attempt, ports);
  const { rows, truncated } = await patiently(() => session.findEnvironments(), attempt);
  const environments = rows.map(({ name }) => ({ environmentId: name }));
  const read = await readUsages(environments, { session, currency, now, patience: attempt.signal });
  const unreadable = read.filter(({ usage }) => usage === 'unreadable').length;
  if (unreadable === read.length && unreadable > 0) {
    throw new TransientError('consumption_unread', 'the consumption of no environment could be read');
  }
  const missing = unreadable + (truncated ? 1 : 0);
  if (!attempt.isHeld()) throw new LaneLostError();
  const figures = toFigures(read, toDay(now()));
  if (figures !== undefined) await history.save(figures.day, figures.credits.set('missing', missing));
  return { environments: figures === undefined ? 0 : figures.credits.size - 2, missing };
}

/**
 * Of the day that the service has counted to, which may be the day before. Figures of the month before that day say
 * nothing about its month. Undefined where none counts from the beginning of the month.
 */
export function toFigures(
  read: readonly Pick<ReadUsage<{ environmentId: string }>, 'environmentId' | 'usage'>[],
  today: number,
): { day: number; credits: Map<HistoryName, number> } | undefined {
  const told = read.flatMap(({ environmentId, usage }) => {
    if (typeof usage !== 'object' || !usage.isMonthToDate || usage.consumed === undefined) return [];
    return [{ environmentId, credits: usage.consumed, day: Math.min(today, dayOf(usage, today)) }];
  });
  if (told.length === 0) return undefined;
  const day = told.reduce((latest, one) => Math.max(latest, one.day), 0);
  const ofMonth = told.filter((one) => monthOf(one.day) === monthOf(day));
  const credits = new Map<HistoryName, number>(
    ofMonth.map(({ environmentId, credits }) => [toHistoryName(environmentId), credits]),
  );
  const total = ofMonth.reduce((sum, one) => sum + one.credits, 0);
  return { day, credits: credits.set('total', total) };
}

function dayOf({ asOf }: CreditUsage, today: number): number {
  return asOf === undefined ? today : toDay(asOf);
}

function monthOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 7);
}

// Records once a day what each environment and agent has used, with the sign-in of REVIEW_AS, in one replica.
import { codeOf, TransientError } from '../../errors.ts';
import { toDay } from '../../usage/usage.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { Seen } from '../plan/seen.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { type Attempt, attemptOnce, LaneLostError } from '../schedule/review-attempt.ts';
import { openReviewerSession } from '../schedule/reviewer-session.ts';
import type { ScheduledReview } from '../schedule/scheduled-review.ts';
import type { ScheduledServices } from '../schedule/slack-delivery.ts';
import { endOfMonth, type HistoryName, toAgentName, toHistoryName } from './consumption-history.ts';
import type { CreditUsage } from './credit-usage.ts';
import { type FoundUsage, readUsages } from './read-usages.ts';

/** The day that was recorded last. Stored: never rename. */
const DONE = 'consumption:recorded';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** After a failure. Whoever has to sign in again hears of it from the scheduled review. */
const RETRY_MS = 30 * 60_000;

/** The same shape as the scheduled review: a lane that one replica has at a time. */
export function createConsumptionRecorder(services: ScheduledServices): ScheduledReview {
  const { now, log, wait, once } = services;
  const stopping = new AbortController();
  return {
    async run(isHeld) {
      const today = toDay(now());
      // The figures of the day before are complete by then.
      const next = (today + 1) * DAY_MS + HOUR_MS;
      try {
        if ((await once.peek(DONE)) === String(today)) return next;
        const counted = await attemptOnce((attempt) => record(attempt, services), {
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

type Counted = { environments: number; agents: number; missing: number };

async function record(attempt: Attempt, services: ScheduledServices): Promise<Counted> {
  const { history, currency, now } = services;
  const reviewer = await openReviewerSession(attempt, services);
  const session = createPacedSession(reviewer.session, attempt.signal);
  const seen = await readSeen(session, { agents: 'all', currencies: [currency] }, services);
  const { rows, truncated } = await session.findEnvironments();
  const environments = rows.map(({ name }) => ({ environmentId: name }));
  const read = await readUsages(environments, { session, currency, now });
  const unreadable = read.filter(({ usage }) => usage === 'unreadable').length;
  if (unreadable === read.length && unreadable > 0) {
    throw new TransientError('consumption_unread', 'the consumption of no environment could be read');
  }
  const missing = unreadable + (truncated ? 1 : 0);
  if (!attempt.isHeld()) throw new LaneLostError();
  const figures = toFigures(read, toDay(now()));
  if (figures !== undefined) await history.save(figures.day, figures.credits.set('missing', missing));
  const agents = toAgentFigures(seen, currency);
  const day = figures?.day ?? toDay(now());
  if (agents.size > 0) await history.save(endOfMonth(day), agents.set('agents', day));
  return { environments: (figures?.credits.size ?? 2) - 2, agents: agents.size, missing };
}

/** Where the service shows limits: of one month each, which the next day's replace. */
function toAgentFigures(seen: Seen, currency: string): Map<HistoryName, number> {
  const used = seen.agents.flatMap((agent): [HistoryName, number][] => {
    const shown = seen.threshold(agent, currency);
    return typeof shown === 'object' && shown.used !== undefined ? [[toAgentName(agent), shown.used]] : [];
  });
  return new Map(used);
}

/**
 * Of the day that the service has counted to, which may be the day before. Figures of the month before that day say
 * nothing about its month. Undefined where none counts from the beginning of the month.
 */
export function toFigures(
  read: readonly { environmentId: string; usage: FoundUsage }[],
  today: number,
): { day: number; credits: Map<HistoryName, number> } | undefined {
  const counted = read.flatMap(({ environmentId, usage }) => {
    if (typeof usage !== 'object' || !usage.isMonthToDate || usage.consumed === undefined) return [];
    return [{ environmentId, credits: usage.consumed, day: Math.min(today, dayOf(usage, today)) }];
  });
  if (counted.length === 0) return undefined;
  const day = counted.reduce((latest, one) => Math.max(latest, one.day), 0);
  const ofMonth = counted.filter((one) => endOfMonth(one.day) === endOfMonth(day));
  const credits = new Map<HistoryName, number>(
    ofMonth.map(({ environmentId, credits }) => [toHistoryName(environmentId), credits]),
  );
  const total = ofMonth.reduce((sum, one) => sum + one.credits, 0);
  return { day, credits: credits.set('total', total) };
}

function dayOf({ asOf }: CreditUsage, today: number): number {
  return asOf === undefined ? today : toDay(asOf);
}

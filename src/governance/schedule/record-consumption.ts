// Records once a day what each environment and agent has used, with the sign-in of REVIEW_AS, in one replica.
import { TransientError } from '../../errors.ts';
import { toDay } from '../../usage/usage.ts';
import { endOfMonth, type HistoryName, toAgentName, toHistoryName } from '../consumption/consumption-history.ts';
import { type CreditUsage, type FoundUsage, findUsage, readUsages } from '../consumption/credit-usage.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { Seen } from '../plan/seen.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { type Attempt, createLaneJob, type LaneJob, LaneLostError } from './lane-job.ts';
import { openReviewerSession, type ScheduledServices } from './slack-delivery.ts';

/** The day that was recorded last. Stored: never rename. */
const DONE = 'consumption:recorded';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** After a failure. If somebody has to sign in again, the scheduled review tells them. */
const RETRY_MS = 30 * 60_000;

export function createConsumptionRecorder(services: ScheduledServices): LaneJob {
  const { now, log, once } = services;
  return createLaneJob(
    async (attempt) => {
      const today = toDay(now());
      if ((await once.peek(DONE)) !== String(today)) {
        log.info(await record(attempt, services), 'consumption recorded');
        await once.put(DONE, String(today), now() + 2 * DAY_MS);
      }
      // The figures of the day before are complete by then.
      return (today + 1) * DAY_MS + HOUR_MS;
    },
    { ...services, retryMs: RETRY_MS, failed: 'consumption not recorded' },
  );
}

type Counted = { environments: number; agents: number; missing: number };

async function record(attempt: Attempt, services: ScheduledServices): Promise<Counted> {
  const { history, currency, now } = services;
  const reviewer = await openReviewerSession(attempt, services);
  const session = createPacedSession(reviewer.session, attempt.signal);
  const seen = await readSeen(session, { agents: 'all', currencies: [currency] }, services);
  const { rows, truncated } = await session.findEnvironments();
  const environments = rows.map(({ name }) => ({ environmentId: name }));
  const usages = await readUsages(environments, { session, now });
  const read = usages.map((one) => ({ ...one, usage: findUsage(one.usages, currency) }));
  const unreadable = read.filter(({ usage }) => usage === 'unreadable').length;
  // Also if the service lists none, which may be only for now.
  if (unreadable === read.length) {
    throw new TransientError('consumption_unread', 'the consumption of no environment could be read');
  }
  const missing = unreadable + (truncated ? 1 : 0);
  if (!attempt.isHeld()) throw new LaneLostError();
  const figures = toFigures(read, toDay(now()));
  if (figures !== undefined) await history.save(figures.day, figures.credits.set('missing', missing));
  const agents = toAgentFigures(seen, currency);
  const day = await dayOfAgents(agents, figures?.day ?? toDay(now()), services);
  if (agents.size > 0) await history.save(endOfMonth(day), agents.set('agents', day));
  return { environments: (figures?.credits.size ?? 1) - 1, agents: agents.size, missing };
}

/** What agents have used this month, if the service shows limits. The figures of the next day replace these. */
function toAgentFigures(seen: Seen, currency: string): Map<HistoryName, number> {
  const used = seen.agents.flatMap((agent): [HistoryName, number][] => {
    const shown = seen.threshold(agent, currency);
    return typeof shown === 'object' && shown.used !== undefined ? [[toAgentName(agent), shown.used]] : [];
  });
  return new Map(used);
}

/** The figures of agents have no time. If one has fallen since `day`, the service has begun to count a new month. */
async function dayOfAgents(
  agents: ReadonlyMap<HistoryName, number>,
  day: number,
  { history, now }: Pick<ScheduledServices, 'history' | 'now'>,
): Promise<number> {
  const month = endOfMonth(day);
  const before = await history.read([...agents.keys()], month, month);
  const hasFallen = [...agents].some(([name, used]) => used < (before.get(name)?.[0]?.credits ?? 0));
  return hasFallen ? toDay(now()) : day;
}

/**
 * The figures of the last day that the service has counted, which may be yesterday. Leaves out figures of another month.
 * Undefined: no figure counts from the beginning of the month.
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
  return { day, credits: new Map(ofMonth.map((one) => [toHistoryName(one.environmentId), one.credits])) };
}

function dayOf({ asOf }: CreditUsage, today: number): number {
  return asOf === undefined ? today : toDay(asOf);
}

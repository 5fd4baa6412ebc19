// What was used day by day: kept for a while, so that a month can be compared with the one before.

import { amend, type Document, dropAll, type Kernel } from '../../storage/kernel.ts';
import { toDay } from '../../usage/usage.ts';

/** Credits used since the month began, as counted on that day (days since 1970, in UTC). */
export type Point = { day: number; credits: number };

/**
 * What a figure is of: an environment, all of them together, or (`missing`) how many could not be read for that total.
 * Stored: never rename.
 */
export type HistoryName = `environment:${string}` | 'total' | 'missing';

/** Port: one figure per name and day, of the whole tenant, with nothing about people. */
export type ConsumptionStore = {
  /** Replaces the figures of these names on that day. Throws StoreUnavailableError, as reading does. */
  save(day: number, credits: ReadonlyMap<HistoryName, number>): Promise<void>;
  /** From one day to the other, both included, in their order. A name without figures is left out. */
  read(names: readonly HistoryName[], since: number, until: number): Promise<Map<HistoryName, Point[]>>;
  /** Forgets the days before that one. Returns how many figures, as far as the store does not forget by itself. */
  forget(before: number): Promise<number>;
};

export function toHistoryName(environmentId: string): HistoryName {
  return `environment:${environmentId.toLowerCase()}`;
}

export type Trend = {
  latest: Point;
  /** The month before until the same day; undefined where it was not counted then. */
  before: Point | undefined;
  /** The last figure of the month before. */
  lastBefore: Point | undefined;
  /** What was used on each of the last days, the latest last; undefined where it cannot be told. */
  days: { day: number; used: number | undefined }[];
};

/** As many as a chart shows well. */
const TREND_DAYS = 14;

const DAY_MS = 24 * 3_600_000;

/** The trends of these names, as far as figures are kept. `now`: epoch ms. */
export async function readTrends(
  names: readonly HistoryName[],
  now: number,
  store: Pick<ConsumptionStore, 'read'>,
): Promise<Map<HistoryName, Trend>> {
  const kept = await store.read(names, startOfMonth(toDay(now), -1), toDay(now));
  return new Map(
    [...kept].flatMap(([name, points]) => {
      const trend = toTrend(points);
      return trend === undefined ? [] : [[name, trend] as const];
    }),
  );
}

/** `points`: in the order of their days. Undefined where there are none. */
export function toTrend(points: readonly Point[]): Trend | undefined {
  const latest = points.at(-1);
  if (latest === undefined) return undefined;
  const begin = startOfMonth(latest.day);
  const monthBefore = points.filter(({ day }) => day >= startOfMonth(latest.day, -1) && day < begin);
  const sameDay = Math.min(startOfMonth(latest.day, -1) + latest.day - begin, begin - 1);
  return {
    latest,
    // A day may have been missed.
    before: monthBefore.findLast(({ day }) => day === sameDay || day === sameDay - 1),
    lastBefore: monthBefore.at(-1),
    days: Array.from({ length: TREND_DAYS }, (_, index) => {
      const day = latest.day - TREND_DAYS + 1 + index;
      return { day, used: useOf(day, points) };
    }),
  };
}

/** More days without a figure are not told one by one. */
const MAX_GAP_DAYS = 3;

/** Between two figures a few days apart, each day has its part. Figures may be corrected downwards. */
function useOf(day: number, points: readonly Point[]): number | undefined {
  const next = points.find((point) => point.day >= day);
  if (next === undefined || startOfMonth(next.day) !== startOfMonth(day)) return undefined;
  const begin = startOfMonth(day);
  const earlier = points.findLast((point) => point.day < day && point.day >= begin);
  // A month begins with nothing used.
  const last = earlier ?? { day: begin - 1, credits: 0 };
  if (next.day - last.day > MAX_GAP_DAYS) return undefined;
  return Math.max(0, (next.credits - last.credits) / (next.day - last.day));
}

/** The first day of the month that a day is in; `later`: -1 is the month before. */
function startOfMonth(day: number, later = 0): number {
  const date = new Date(day * DAY_MS);
  return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1));
}

/** Part of what was used by a day: credits by name. */
type DayRecord = { day: number; credits: Partial<Record<HistoryName, number>> };

/** All of them, by their days. */
const CONSUMPTION = 'consumption';

export function createConsumption(kernel: Kernel): ConsumptionStore {
  return {
    async save(day, credits) {
      for (const [part, names] of groupByPart([...credits.keys()])) {
        const key = `${indexOf(part)}:${day}`;
        await amend<DayRecord>(kernel, [key], ([found]) => {
          const counted = Object.fromEntries(names.map((name) => [name, credits.get(name)]));
          const body: DayRecord = { day, credits: { ...found?.body.credits, ...counted } };
          return [{ put: key, body, entries: [CONSUMPTION, indexOf(part)].map((index) => ({ index, at: day })) }];
        });
      }
    },
    async read(names, since, until) {
      const all = new Map<HistoryName, Point[]>();
      for (const [part, some] of groupByPart(names)) {
        const days = (await kernel.range(indexOf(part), { from: since, to: until })) as Document<DayRecord>[];
        for (const { body } of days) {
          for (const name of some) {
            const credits = body.credits[name];
            if (credits !== undefined) all.set(name, [...(all.get(name) ?? []), { day: body.day, credits }]);
          }
        }
      }
      return all;
    },
    forget: (before) => dropAll(kernel, CONSUMPTION, before - 1),
  };
}

/** What is read together: each figure of the tenant by itself, and environments by the last sign of their ids. */
function groupByPart(names: readonly HistoryName[]): Map<string, HistoryName[]> {
  return Map.groupBy(names, (name) => (name.startsWith('environment:') ? `environments:${name.at(-1)}` : name));
}

function indexOf(part: string): string {
  return `${CONSUMPTION}:${part}`;
}

// Stores what was used day by day, so that a month can be compared with the one before.
import { amend, type Document, dropAll, type Kernel } from '../../storage/kernel.ts';
import { toDay } from '../../usage/usage.ts';
import { startOfMonth as toMonthBegin } from './credit-usage.ts';

/** Credits used since the month began, as counted on that day (days since 1970, in UTC). */
export type Point = { day: number; credits: number };

/**
 * What a figure is about: an environment; an agent, with one figure a month, kept under the last day of the month; `agents`:
 * the day on which those were read; `missing`: how many environments could not be read on that day. Stored: never rename.
 */
export type HistoryName = `environment:${string}` | `agent:${string}` | 'agents' | 'missing';

/** Port: one figure per name and day, of the whole tenant, with nothing about people. */
export type ConsumptionStore = {
  /** Replaces the figures of these names on that day. Throws StoreUnavailableError, as reading does. */
  save(day: number, credits: ReadonlyMap<HistoryName, number>): Promise<void>;
  /** The figures of the days from `since` to `until`, both included, in order. A name without figures is left out. */
  read(names: readonly HistoryName[], since: number, until: number): Promise<Map<HistoryName, Point[]>>;
  /** The last figure of every name between the two days, both included. */
  readLast(since: number, until: number): Promise<Map<HistoryName, Point>>;
  /** Forgets the days before `before`. Returns how many documents were removed. */
  forget(before: number): Promise<number>;
};

export function toHistoryName(environmentId: string): HistoryName {
  return `environment:${environmentId.toLowerCase()}`;
}

export function toAgentName({ environmentId, agentId }: { environmentId: string; agentId: string }): HistoryName {
  return `agent:${JSON.stringify([environmentId, agentId])}`.toLowerCase() as HistoryName;
}

/** Ids in lower case. Undefined: it is no name of an agent. */
export function parseAgentName(name: HistoryName): { environmentId: string; agentId: string } | undefined {
  if (!name.startsWith('agent:')) return undefined;
  const [environmentId = '', agentId = ''] = JSON.parse(name.slice('agent:'.length)) as string[];
  return { environmentId, agentId };
}

const DAY_MS = 24 * 3_600_000;

/**
 * What each name had used in the month before, up to the same day of the month as the figure that it is compared with.
 * `days`: the day of that figure. Names without such a figure are left out. `now`: epoch ms.
 */
export async function readMonthBefore(
  days: ReadonlyMap<HistoryName, number>,
  now: number,
  store: Pick<ConsumptionStore, 'read'>,
): Promise<Map<HistoryName, number>> {
  const kept = await store.read([...days.keys()], startOfMonth(toDay(now), -1), toDay(now));
  return new Map(
    [...kept].flatMap(([name, points]) => {
      const credits = findBefore(points, days.get(name) ?? toDay(now))?.credits;
      return credits === undefined ? [] : [[name, credits] as const];
    }),
  );
}

/** The point of the month before on the same day of the month. `points`: in the order of their days. */
export function findBefore(points: readonly Point[], day: number): Point | undefined {
  const begin = startOfMonth(day);
  const beginBefore = startOfMonth(day, -1);
  const monthBefore = points.filter((point) => point.day >= beginBefore && point.day < begin);
  const sameDay = Math.min(beginBefore + day - begin, begin - 1);
  // A day may have been missed.
  return monthBefore.findLast((point) => point.day === sameDay || point.day === sameDay - 1);
}

/** The last day of the month that a day is in. */
export function endOfMonth(day: number): number {
  return startOfMonth(day, 1) - 1;
}

/** The first day of the month that a day is in; `later`: -1 is the month before. */
function startOfMonth(day: number, later = 0): number {
  return toDay(toMonthBegin(day * DAY_MS, later));
}

/** A part of the figures of a day: credits by name. */
type DayRecord = { day: number; credits: Partial<Record<HistoryName, number>> };

/** The index of all parts, by their days. */
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
    async readLast(since, until) {
      const last = new Map<HistoryName, Point>();
      // One page has room for all parts of a day.
      for (let day = since; day <= until; day += 1) {
        const parts = (await kernel.range(CONSUMPTION, { from: day, to: day })) as Document<DayRecord>[];
        for (const [name, credits] of parts.flatMap(({ body }) => Object.entries(body.credits))) {
          if (credits !== undefined) last.set(name as HistoryName, { day, credits });
        }
      }
      return last;
    },
    forget: (before) => dropAll(kernel, CONSUMPTION, before - 1),
  };
}

/** Environments and agents are stored together if their ids have the same last character; other names separately. */
function groupByPart(names: readonly HistoryName[]): Map<string, HistoryName[]> {
  return Map.groupBy(names, (name) => {
    if (name.startsWith('environment:')) return `environments:${name.at(-1)}`;
    return name.startsWith('agent:') ? `agents:${name.at(-3)}` : name;
  });
}

function indexOf(part: string): string {
  return `${CONSUMPTION}:${part}`;
}

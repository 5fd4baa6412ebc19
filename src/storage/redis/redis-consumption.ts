import type { ConsumptionStore, HistoryName, Point } from '../../governance/consumption/consumption-history.ts';
import { CONSUMPTION_DAYS } from '../store.ts';
import type { RedisConnection } from './redis-client.ts';
import { CONSUMPTION } from './redis-keys.ts';

const DAY_S = 86_400;

/** A hash per day, of figures by their names. */
export function createRedisConsumption({ send }: RedisConnection): ConsumptionStore {
  return {
    async save(day, credits) {
      const figures = Object.fromEntries([...credits].map(([name, figure]) => [name, String(figure)]));
      if (credits.size === 0) return;
      const key = `${CONSUMPTION}${day}`;
      await send((client) =>
        client
          .multi()
          .hSet(key, figures)
          .expireAt(key, (day + CONSUMPTION_DAYS) * DAY_S)
          .exec(),
      );
    },
    async read(names, since, until) {
      if (names.length === 0) return new Map();
      const days = Array.from({ length: Math.max(0, until - since + 1) }, (_, index) => since + index);
      const read = days.map((day) => send((client) => client.hmGet(`${CONSUMPTION}${day}`, [...names])));
      const figures = await Promise.all(read);
      const all = names.map((name, place): [HistoryName, Point[]] => [
        name,
        figures.flatMap((ofDay, index) => {
          const figure = ofDay[place];
          return figure == null ? [] : [{ day: since + index, credits: Number(figure) }];
        }),
      ]);
      return new Map(all.filter(([, points]) => points.length > 0));
    },
    // They expire.
    forget: async () => 0,
  };
}

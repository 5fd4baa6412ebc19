// What is counted day by day: questions of each workspace, and the credits of the tenant.
import type { DatabaseSync } from 'node:sqlite';
import type { ConsumptionStore, HistoryName, Point } from '../../governance/consumption/consumption-history.ts';
import type { UsageAddition, UsageName, UsageStore } from '../../usage/usage.ts';
import type { GroupCommit } from './group-commit.ts';

/** A row for each count of a day, and one for each mark with the last day that something was counted of it. */
export function createSqliteUsage(database: DatabaseSync, { write }: GroupCommit): UsageStore {
  const add = database.prepare(`
    INSERT INTO usage (workspace, day, name, count) VALUES (?, ?, ?, ?)
    ON CONFLICT (workspace, day, name) DO UPDATE SET count = count + excluded.count`);
  const addPerson = database.prepare(`
    INSERT INTO usage_people (workspace, name, mark, last_day) VALUES (?, ?, ?, ?)
    ON CONFLICT (workspace, name, mark) DO UPDATE SET last_day = max(last_day, excluded.last_day)`);
  const sumCounts = database.prepare(
    'SELECT name, sum(count) AS total FROM usage WHERE workspace = ? AND day >= ? GROUP BY name',
  );
  const countPeople = database.prepare(`
    SELECT name, count(*) AS total FROM usage_people WHERE workspace = ? AND last_day >= ? GROUP BY name`);
  const first = database.prepare('SELECT min(day) AS day FROM usage WHERE workspace = ? AND day >= ?');
  const forget = database.prepare('DELETE FROM usage WHERE day < ?');
  const forgetPeople = database.prepare('DELETE FROM usage_people WHERE last_day < ?');

  function addOne({ workspace, day, counts, people }: UsageAddition): void {
    for (const [name, count] of counts) add.run(workspace, day, name, count);
    for (const [name, marks] of people) for (const mark of marks) addPerson.run(workspace, name, mark, day);
  }

  return {
    add: (additions) => write(() => additions.forEach(addOne)),
    async read(workspace, since) {
      const firstDay = first.get(workspace, since)?.day;
      return {
        counts: toTotals(sumCounts.all(workspace, since)),
        people: toTotals(countPeople.all(workspace, since)),
        firstDay: typeof firstDay === 'number' ? firstDay : undefined,
      };
    },
    forget: (before) => write(() => Number(forget.run(before).changes) + Number(forgetPeople.run(before).changes)),
  };
}

function toTotals(rows: Record<string, unknown>[]): Partial<Record<UsageName, number>> {
  return Object.fromEntries(rows.map(({ name, total }) => [String(name), Number(total)]));
}

/** A row for each figure of a day. */
export function createSqliteConsumption(database: DatabaseSync, { write }: GroupCommit): ConsumptionStore {
  const save = database.prepare('INSERT OR REPLACE INTO consumption (name, day, credits) VALUES (?, ?, ?)');
  const read = database.prepare(
    'SELECT day, credits FROM consumption WHERE name = ? AND day BETWEEN ? AND ? ORDER BY day',
  );
  const forget = database.prepare('DELETE FROM consumption WHERE day < ?');

  function readPoints(name: string, since: number, until: number): Point[] {
    const rows = read.all(name, since, until);
    return rows.map(({ day, credits }) => ({ day: Number(day), credits: Number(credits) }));
  }

  return {
    save: (day, credits) =>
      write(() => {
        for (const [name, figure] of credits) save.run(name, day, figure);
      }),
    async read(names, since, until) {
      const all = names.map((name): [HistoryName, Point[]] => [name, readPoints(name, since, until)]);
      return new Map(all.filter(([, points]) => points.length > 0));
    },
    forget: (before) => write(() => Number(forget.run(before).changes)),
  };
}

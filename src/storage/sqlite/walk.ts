import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

type Values = Record<string, SQLInputValue>;
type Row = Record<string, SQLOutputValue>;

type Route = {
  table: string;
  /** The columns of its primary key, with values below all others. */
  from: Record<string, string | number>;
  /** The condition that rows must meet, with named values. */
  where: string;
};

/** A batch takes about a millisecond; larger ones would block the event loop. */
const BATCH = 500;

/**
 * Reads a table in the order of its primary key. For queries that are so rare that an index, which every question would
 * pay for, is not worth it.
 */
export function createWalk(database: DatabaseSync, { write }: GroupCommit, route: Route) {
  const { table, from, where } = route;
  const columns = Object.keys(from);
  const key = `(${columns.join(', ')})`;
  const at = `(${columns.map((column) => `:at_${column}`).join(', ')})`;
  const look = database.prepare(`
    SELECT ${columns.join(', ')}, (${where}) AS is_meant FROM ${table}
    WHERE ${key} > ${at} ORDER BY ${columns.join(', ')} LIMIT ${BATCH}`);
  const read = database.prepare(`SELECT * FROM ${table} WHERE ${key} = ${at} AND (${where})`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE ${key} = ${at} AND (${where})`);

  function toKey(row: Values): Values {
    return Object.fromEntries(columns.map((column) => [`at_${column}`, row[column] ?? null]));
  }

  /** The keys of the rows that meet the condition. */
  async function* batches(values: Values): AsyncGenerator<Values[]> {
    for (let last: Values = from; ; ) {
      const rows = look.all({ ...toKey(last), ...values });
      const found = rows.filter((row) => row.is_meant === 1).map((row) => ({ ...toKey(row), ...values }));
      yield found;
      if (rows.length < BATCH) return;
      last = rows.at(-1) ?? last;
      await new Promise(setImmediate);
    }
  }

  return {
    async find(values: Values): Promise<Row[]> {
      const found: Row[] = [];
      for await (const keys of batches(values)) found.push(...keys.flatMap((one) => read.all(one)));
      return found;
    },
    /** Returns how many were removed. */
    async remove(values: Values): Promise<number> {
      let removed = 0;
      for await (const keys of batches(values)) {
        if (keys.length === 0) continue;
        removed += await write(() => keys.reduce((sum, one) => sum + Number(remove.run(one).changes), 0));
      }
      return removed;
    },
  };
}

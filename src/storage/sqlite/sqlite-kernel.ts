import type { DatabaseSync } from 'node:sqlite';
import { CLEARED, type Document, type Entry, type Kernel, PAGE, toKey, toVersion, type Write } from '../kernel.ts';
import type { GroupCommit } from './group-commit.ts';

/** The column `entries` repeats a document's rows in the table `entries`, so that they can be found and deleted. */
export const DOCUMENTS = `
  CREATE TABLE documents (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    expires_at INTEGER,
    entries TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX documents_expiring ON documents (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE entries (
    name TEXT NOT NULL,
    at REAL NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (name, at, place)
  ) STRICT, WITHOUT ROWID;
`;

type Row = Record<string, unknown>;

/** Documents are rows; an index is a range of the rows of `entries`. */
export function createSqliteKernel(database: DatabaseSync, { write }: GroupCommit, now: () => number): Kernel {
  const get = database.prepare(
    'SELECT * FROM documents WHERE key = :key AND (expires_at IS NULL OR expires_at > :now)',
  );
  const insert = database.prepare(`
    INSERT INTO documents (key, version, expires_at, body) VALUES (:key, 1, :expiresAt, :body) RETURNING place`);
  const update = database.prepare(`
    UPDATE documents SET version = version + 1, expires_at = :expiresAt, body = :body WHERE place = :place`);
  const list = database.prepare('UPDATE documents SET entries = ? WHERE place = ?');
  const enter = database.prepare('INSERT INTO entries (name, at, place) VALUES (?, ?, ?)');
  const leave = database.prepare('DELETE FROM entries WHERE name = ? AND at = ? AND place = ?');
  const remove = database.prepare('DELETE FROM documents WHERE place = ?');
  const known = database.prepare('SELECT * FROM documents WHERE key = ?');
  const expired = database.prepare(`SELECT * FROM documents WHERE expires_at <= ? LIMIT ?`);
  const [ascending, descending] = ['ASC', 'DESC'].map((order) =>
    database.prepare(`
      SELECT documents.* FROM entries CROSS JOIN documents USING (place)
      WHERE name = :name AND at >= :from AND at > :after AND at <= :to AND (expires_at IS NULL OR expires_at > :now)
      ORDER BY at ${order}, place ${order} LIMIT :limit`),
  );
  // There are few expired documents, because every write removes some.
  const count = database.prepare(`
    SELECT (SELECT count(*) FROM entries WHERE name = :name AND at >= :from) - (
      SELECT count(*) FROM documents, json_each(documents.entries) AS entry
      WHERE expires_at <= :now AND entry.value ->> 0 = :name AND entry.value ->> 1 >= :from) AS count`);

  function drop(row: Row): void {
    for (const [name, at] of toPlaces(row)) leave.run(name, at, Number(row.place));
    remove.run(Number(row.place));
  }

  function put(row: Row | undefined, { put: key, body, entries, expiresAt }: Extract<Write, { put: string }>): void {
    const values = { expiresAt: expiresAt ?? null, body: JSON.stringify(body) };
    if (row) update.run({ ...values, place: Number(row.place) });
    const place = Number((row ?? insert.get({ ...values, key }))?.place);
    if (entries) enterAll(place, row, entries);
  }

  function enterAll(place: number, row: Row | undefined, entries: readonly Entry[]): void {
    const places = entries.map(({ index, at = place }): Place => [index, at]);
    const text = places.length > 0 ? JSON.stringify(places) : null;
    if (text === (row?.entries ?? null)) return;
    for (const [name, at] of row ? toPlaces(row) : []) leave.run(name, at, place);
    for (const [name, at] of places) enter.run(name, at, place);
    list.run(text, place);
  }

  /** An expired document counts as missing. It is removed, so that a new one can take its key. */
  function find(key: string, time: number): Row | undefined {
    const row = known.get(key);
    if (row?.expires_at == null || Number(row.expires_at) > time) return row;
    drop(row);
    return undefined;
  }

  function clear(time: number, limit: number): number {
    const rows = expired.all(time, limit);
    rows.forEach(drop);
    return rows.length;
  }

  function apply(writes: readonly Write[]): boolean {
    // Read the clock once: nothing expires during one commit.
    const time = now();
    clear(time, CLEARED);
    const found = writes.map((one) => ({ one, row: find(toKey(one), time) }));
    if (!found.every(isWanted)) return false;
    for (const { one, row } of found) {
      if ('put' in one) put(row, one);
      else if (row) drop(row);
    }
    return true;
  }

  return {
    get: async (keys) => keys.map((key) => toDocument(get.get({ key, now: now() }))),
    async range(index, { from = -Infinity, to = Infinity, after = -Infinity, limit = PAGE, isReversed } = {}) {
      const query = isReversed ? descending : ascending;
      const rows = query?.all({ name: index, from, to, after, limit, now: now() }) ?? [];
      return rows.flatMap((row) => toDocument(row) ?? []);
    },
    count: async (name, from) => Number(count.get({ name, from, now: now() })?.count),
    commit: (writes) => write(() => apply(writes)),
    async clear() {
      while ((await write(() => clear(now(), PAGE))) === PAGE);
    },
  };
}

function isWanted({ one: { ifVersion }, row }: { one: Write; row: Row | undefined }): boolean {
  return ifVersion === undefined || ifVersion === (row ? versionOf(row) : 0);
}

function versionOf({ place, version }: Row): number {
  return toVersion(Number(place), Number(version));
}

type Place = [name: string, at: number];

function toPlaces({ entries }: Row): Place[] {
  return entries === null ? [] : JSON.parse(String(entries));
}

function toDocument(row: Row | undefined): Document | undefined {
  if (!row) return undefined;
  const place = Number(row.place);
  return { key: String(row.key), version: versionOf(row), place, body: JSON.parse(String(row.body)) };
}

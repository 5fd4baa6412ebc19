import { StoreUnavailableError } from '../errors.ts';

// All state except turns and threads is kept as documents. SQLite and Redis each store documents in their own way. All
// kinds of records are implemented once, on top of this.

/**
 * JSON under a key. `version`: changes with every put; versions of a dropped document never return. `place`: its place
 * in the order of arrival.
 */
export type Document<Body = unknown> = { key: string; body: Body; version: number; place: number };

/** An entry in an index, which is ordered by `at` and then by arrival. Without `at`: by arrival alone. */
export type Entry = { index: string; at?: number };

/**
 * One change of a document, at most one per key. `ifVersion`: write only if this version is stored; 0: only if none is.
 * `entries`: all its index entries; undefined: unchanged. `expiresAt` (epoch ms): from then on it counts as missing.
 */
export type Write =
  | { put: string; body: unknown; ifVersion?: number; entries?: readonly Entry[]; expiresAt?: number }
  | { drop: string; ifVersion?: number };

/** Documents of an index, in order: `at` is between `from` and `to`, both included, and greater than `after`. */
export type Range = { from?: number; to?: number; after?: number; limit?: number; isReversed?: boolean };

/**
 * Port: documents. When a promise resolves, the write is durable. StoreUnavailableError means that the write failed, or
 * that only its reply was lost.
 */
export type Kernel = {
  /** The documents in the order of the keys; undefined: there is none. */
  get(keys: readonly string[]): Promise<(Document | undefined)[]>;
  /** At most `limit` documents, by default 200. Use `after` only if all documents of the index differ in `at`. */
  range(index: string, range?: Range): Promise<Document[]>;
  /** How many documents of an index have an `at` of at least `from`. */
  count(index: string, from: number): Promise<number>;
  /** Writes all or nothing. False: a version did not match, and nothing was written. */
  commit(writes: readonly Write[]): Promise<boolean>;
  /** Removes all expired documents, a page at a time. Each commit also removes some. */
  clear(): Promise<void>;
};

/** A page takes about a millisecond to read or to remove. Larger ones would block SQLite's process or Redis. */
export const PAGE = 200;

/** How many expired documents a commit removes. */
export const CLEARED = 20;

/** The most puts of a document that is dropped later. With more, its versions could equal those of the next one. */
const PUTS = 2 ** 16;

/** Places are never used again, so versions are not either. `puts`: how often this document was put. */
export function toVersion(place: number, puts: number): number {
  return place * PUTS + puts;
}

export function toKey(write: Write): string {
  return 'put' in write ? write.put : write.drop;
}

export async function read<Body>(kernel: Pick<Kernel, 'get'>, key: string): Promise<Document<Body> | undefined> {
  const [found] = await kernel.get([key]);
  return found as Document<Body> | undefined;
}

/** The bodies of all documents of an index in the order of arrival. */
export async function readAll<Body>(kernel: Pick<Kernel, 'range'>, index: string): Promise<Body[]> {
  const bodies: Body[] = [];
  for (let after = 0; ; ) {
    const page = await kernel.range(index, { after });
    bodies.push(...page.map(({ body }) => body as Body));
    if (page.length < PAGE) return bodies;
    after = page.at(-1)?.place ?? 0;
  }
}

/** Each conflict means that another write succeeded. This many in a row mean a broken store. */
const ROUNDS = 50;

function conflict(): StoreUnavailableError {
  return new StoreUnavailableError(`a record was written by others ${ROUNDS} times in a row`);
}

/** Removes all documents of an index up to `to`, a page at a time; reads changed ones again. Returns how many. */
export async function dropAll(kernel: Pick<Kernel, 'range' | 'commit'>, index: string, to?: number): Promise<number> {
  let dropped = 0;
  for (let conflicts = 0; conflicts < ROUNDS; ) {
    const found = await kernel.range(index, { to });
    if (found.length === 0) return dropped;
    const isDropped = await kernel.commit(found.map(({ key, version }) => ({ drop: key, ifVersion: version })));
    conflicts = isDropped ? 0 : conflicts + 1;
    dropped += isDropped ? found.length : 0;
    if (isDropped && found.length < PAGE) return dropped;
  }
  throw conflict();
}

/**
 * Reads, decides and writes; starts over if another write was faster. Writes to `keys` succeed only if their documents
 * are unchanged. `decide` gets the documents of `keys` and returns the writes, or undefined for none. Resolves with
 * false if there was nothing to write.
 */
export async function amend<Body>(
  kernel: Pick<Kernel, 'get' | 'commit'>,
  keys: readonly string[],
  decide: (found: (Document<Body> | undefined)[]) => readonly Write[] | undefined,
): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = (await kernel.get(keys)) as (Document<Body> | undefined)[];
    const versions = new Map(keys.map((key, at) => [key, found[at]?.version ?? 0]));
    const writes = decide(found);
    if (writes === undefined) return false;
    if (await kernel.commit(writes.map((one) => ({ ifVersion: versions.get(toKey(one)), ...one })))) return true;
  }
  throw conflict();
}

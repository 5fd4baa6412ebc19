import { StoreUnavailableError } from '../errors.ts';

// All state but turns and threads is kept as documents. SQLite and Redis each keep documents in their own way, and every
// kind of record is written once, on top of this.

/**
 * JSON under a key. `version`: another one after every put, and never again one of a document that was dropped. `place`: its
 * place in the order of arrival.
 */
export type Document<Body = unknown> = { key: string; body: Body; version: number; place: number };

/** A place in an index. Documents of an index are in the order of `at`, then of arrival. Without `at`: of arrival alone. */
export type Entry = { index: string; at?: number };

/**
 * One change of a document, one for each key. `ifVersion`: only where the stored version is this one; 0: there is none. `entries`:
 * all indexes that it is in from now on; undefined: as before. `expiresAt` (epoch ms): from then on it is not there.
 */
export type Write =
  | { put: string; body: unknown; ifVersion?: number; entries?: readonly Entry[]; expiresAt?: number }
  | { drop: string; ifVersion?: number };

/** Which documents of an index, in their order: from `from` to `to`, both included, or after one place of it. */
export type Range = { from?: number; to?: number; after?: number; limit?: number; isReversed?: boolean };

/**
 * Port: documents. When a promise resolves, the write is durable. A StoreUnavailableError means that it was not written or
 * that only the reply was lost.
 */
export type Kernel = {
  /** In the order of the keys; undefined where there is none. */
  get(keys: readonly string[]): Promise<(Document | undefined)[]>;
  /** At most `limit` documents, 200 unless it is given. `after` is for indexes in which no two documents have the same `at`. */
  range(index: string, range?: Range): Promise<Document[]>;
  /** How many are in an index from `from` on. */
  count(index: string, from: number): Promise<number>;
  /** All of them or none. False: a version was another, and nothing was written. */
  commit(writes: readonly Write[]): Promise<boolean>;
  /** Removes what has expired and is still kept, a page at a time. Each commit removes some. */
  clear(): Promise<void>;
};

/** A page takes about a millisecond to read, and a batch to remove: larger ones would block SQLite's process or Redis. */
export const PAGE = 200;

/** How many that have expired a commit removes. */
export const CLEARED = 20;

/** Nobody puts a document more often and drops it then. */
const PUTS = 2 ** 16;

/** Places never return, so versions never do. `puts`: how often this document was put. */
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

/** Each conflict means that somebody else has written, so so many in a row mean a broken store. */
const ROUNDS = 50;

function conflict(): StoreUnavailableError {
  return new StoreUnavailableError(`a record was written by others ${ROUNDS} times in a row`);
}

/** Removes all documents of an index up to `to`, a page at a time. Returns how many. What is put meanwhile is looked at again. */
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
 * Reads, decides and writes, again where somebody else was faster: what is written under `keys` is written only over what
 * was read. `decide` gets what is stored under them and returns what to write, or undefined for nothing. Resolves with false
 * where there was nothing to write.
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

// Stores runs: the run, which changes; its plan, which never does; and one document per item, so that two thousand items
// do not rewrite one big document. Also stores what was last sent for each agent.
import { toTargetKey } from '../../policy/target.ts';
import { amend, type Kernel, PAGE, read, readAll, type Write } from '../../storage/kernel.ts';
import type { ThresholdItem } from '../plan/plan.ts';
import type { ReadSent, Sent } from '../plan/seen.ts';
import type { ItemRecord, ItemResult, Lease, Run, RunContent, RunEnd } from './run.ts';

const OPEN = 'runs-open';

/** *Undo* and the CSV of a run work for this long. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Leases last seconds. One that lasts longer than this was stored before the clock was set back. */
const LONGEST_LEASE_MS = 10 * 60_000;

/** Everything throws StoreUnavailableError. */
export type RunStore = {
  /** Begins a run, once, in one commit with the change of the policy. `records`: of items that are sent at once. */
  toWrites(run: Run, content: RunContent, records: readonly ItemRecord[]): Write[];
  get(id: string): Promise<Run | undefined>;
  content(id: string): Promise<RunContent | undefined>;
  /** Runs that have not ended, the oldest first. */
  listOpen(): Promise<Run[]>;
  /** Undefined, and nothing is changed: there is no such run, it has ended, or `change` returns undefined. */
  change(id: string, change: (run: Run) => Run | undefined): Promise<Run | undefined>;
  /** Undefined: another process has the lease, or the run has ended. */
  lease(id: string, lease: Lease, now: number): Promise<Run | undefined>;
  /** False: `holder` does not hold the lease any more. */
  end(id: string, holder: string, end: RunEnd): Promise<boolean>;
  records(id: string): Promise<Map<number, ItemRecord>>;
  /** The results of the items that have ended, by index. */
  results(id: string): Promise<Map<number, ItemResult>>;
  /** False: it was sent before. */
  claim(run: Pick<Run, 'id' | 'begunAt'>, record: ItemRecord): Promise<boolean>;
  save(run: Pick<Run, 'id' | 'begunAt'>, record: ItemRecord, writes?: readonly Write[]): Promise<void>;
};

export function createRunStore(kernel: Kernel): RunStore {
  const toRecordWrite = ({ id, begunAt }: Pick<Run, 'id' | 'begunAt'>, record: ItemRecord) => ({
    put: `run-item:${id}:${record.index}`,
    body: record,
    entries: [{ index: toItemsIndex(id) }],
    expiresAt: begunAt + KEPT_MS,
  });

  const change: RunStore['change'] = (id, decide) =>
    changeDocument(kernel, toKey(id), toWrite, (run: Run) => (run.ended ? undefined : decide(run)));

  return {
    toWrites: (run, content, records) => [
      { ...toWrite(run), ifVersion: 0 },
      { put: toContentKey(run.id), body: content, expiresAt: run.begunAt + KEPT_MS },
      ...records.map((record) => toRecordWrite(run, record)),
    ],
    get: async (id) => (await read<Run>(kernel, toKey(id)))?.body,
    content: async (id) => (await read<RunContent>(kernel, toContentKey(id)))?.body,
    listOpen: () => readAll<Run>(kernel, OPEN),
    change,
    lease: (id, lease, now) =>
      change(id, (run) =>
        run.lease.holder === lease.holder || isFree(run.lease, now) ? { ...run, lease } : undefined,
      ),
    async end(id, holder, ended) {
      return (await change(id, (run) => (run.lease.holder === holder ? { ...run, ended } : undefined))) !== undefined;
    },
    async records(id) {
      const records = await readAll<ItemRecord>(kernel, toItemsIndex(id));
      return new Map(records.map((record) => [record.index, record]));
    },
    async results(id) {
      const records = await readAll<ItemRecord>(kernel, toItemsIndex(id));
      return new Map(records.flatMap(({ index, result }) => (result ? [[index, result] as const] : [])));
    },
    claim: (run, record) => kernel.commit([{ ...toRecordWrite(run, record), ifVersion: 0 }]),
    async save(run, record, writes = []) {
      await kernel.commit([toRecordWrite(run, record), ...writes]);
    },
  };
}

/** Returns the changed document. Undefined, and nothing is changed: there is none, or `decide` returns undefined. */
export async function changeDocument<Body>(
  kernel: Kernel,
  key: string,
  toWrite: (body: Body) => Write,
  decide: (body: Body) => Body | undefined,
): Promise<Body | undefined> {
  let changed: Body | undefined;
  await amend<Body>(kernel, [key], ([found]) => {
    changed = found && decide(found.body);
    return changed && [toWrite(changed)];
  });
  return changed;
}

/** `at`: epoch ms. */
export function isFree({ until }: Lease, at: number): boolean {
  return until <= at || until > at + LONGEST_LEASE_MS;
}

function toWrite(run: Run) {
  return {
    put: toKey(run.id),
    body: run,
    entries: run.ended ? [] : [{ index: OPEN }],
    expiresAt: run.begunAt + KEPT_MS,
  };
}

function toKey(id: string): string {
  return `run:${id}`;
}

function toContentKey(id: string): string {
  return `run-content:${id}`;
}

function toItemsIndex(id: string): string {
  return `run-items:${id}`;
}

/** Throws StoreUnavailableError. */
export type SentStore = {
  /** `key`: see toSentKey. */
  get(key: string): Promise<Sent | undefined>;
  readFor(keys: readonly string[]): Promise<ReadSent>;
  /** For the commit that begins a stop, or that records how an item ended. */
  toWrite(key: string, sent: Sent): Write;
};

export function toSentKey({ agent, currency }: Pick<ThresholdItem, 'agent' | 'currency'>): string {
  return toTargetKey({ ...agent, currency });
}

export function createSentStore(kernel: Kernel): SentStore {
  return {
    get: async (key) => (await read<Sent>(kernel, toSentDocument(key)))?.body,
    async readFor(keys) {
      const found = new Map<string, Sent>();
      for (let from = 0; from < keys.length; from += PAGE) {
        const page = keys.slice(from, from + PAGE);
        const documents = await kernel.get(page.map(toSentDocument));
        for (const [at, key] of page.entries()) {
          const document = documents[at];
          if (document) found.set(key, document.body as Sent);
        }
      }
      return (key) => found.get(key);
    },
    toWrite: (key, sent) => ({ put: toSentDocument(key), body: sent }),
  };
}

function toSentDocument(key: string): string {
  return `sent:${key}`;
}

// A run carries out one plan. Stored are the run, which changes; its plan, which never does; and one document per item, so
// that two thousand items do not rewrite one big document. Also what was last sent for each agent. Fields are added, never
// renamed.
import type { Edit } from '../../policy/edit.ts';
import type { Why } from '../../policy/policy.ts';
import { toTargetKey } from '../../policy/target.ts';
import { amend, type Kernel, PAGE, read, readAll, type Write } from '../../storage/kernel.ts';
import type { Plan, ThresholdItem } from '../plan/plan.ts';
import type { CreditsState, ReadSent, Sent, ThresholdState } from '../plan/seen.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** The process that carries the run out. `until`: epoch ms; after that, another process goes on. */
export type Lease = { holder: string; until: number };

/** `why`: `done`, `stopped` by an admin, or the code of the reason why it ended before all items were tried. */
type RunEnd = { at: number; why: string };

export type Run = {
  /** The id of its plan. */
  id: string;
  by: Caller;
  /** Who approved the plan. The run uses their rights. */
  approver?: Caller | undefined;
  why: Why;
  /** The revision of the policy that the run made. Without edits: the present one. */
  policy: number;
  edits: number;
  items: number;
  /** All items are stops, which wait for nothing. */
  isStop: boolean;
  /** Where the outcome is posted: see click-place.ts. */
  replyTo: string;
  /** Epoch ms. */
  begunAt: number;
  lease: Lease;
  /** Since when the rights of its admin cannot be checked. Epoch ms. */
  waitingSince?: number | undefined;
  /** The `ts` of the progress message, in the direct messages of the person who confirmed the plan. */
  messageTs?: string | undefined;
  /** The Slack user who stopped the rest. */
  stoppedBy?: string | undefined;
  /** How often it failed with an unexpected error. */
  faults?: number | undefined;
  ended?: RunEnd | undefined;
};

/** Written once. `reverse`: puts the policy back as it was. */
export type RunContent = { plan: Plan; reverse: Edit[] };

/**
 * `verified`: the service shows it. `sent_not_shown`: sent, and the service does not show it. `conflict`: somebody else
 * changed it. `left`: not tried.
 */
export type ResultKind = 'verified' | 'sent_not_shown' | 'conflict' | 'failed' | 'left';

/** Whether the service holds what was sent. */
type Written = 'yes' | 'no' | 'perhaps';

export type ItemResult = {
  kind: ResultKind;
  written: Written;
  /** A stable code for the reason, if there is one. */
  reason?: string | undefined;
  /** The service's own words: untrusted. */
  said?: string | undefined;
  /** What the service showed instead. */
  found?: ThresholdState | CreditsState | undefined;
  /** What was sent in the end, if it differs from the plan: see stop-item.ts. */
  after?: ThresholdState | undefined;
  requestIds: string[];
  /** Epoch ms. */
  at: number;
};

/** `sending`: since when the item may have been sent (epoch ms). `seen`: see carry-out-item.ts. */
export type ItemRecord = {
  index: number;
  sending: number;
  seen?: ThresholdState | CreditsState | undefined;
  result?: ItemResult | undefined;
};

/** `results`: of all items, by their index. */
export type EndedRun = { run: Run; content: RunContent; results: ReadonlyMap<number, ItemResult>; why: string };

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

/**
 * As long as the audit log has it. A stop sends the limit again that was last sent, so this may not end soon; but an agent
 * that is gone is never sent anything again.
 */
const SENT_KEPT_MS = 3 * 365 * 24 * 3_600_000;

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
    toWrite: (key, sent) => ({ put: toSentDocument(key), body: sent, expiresAt: sent.at + SENT_KEPT_MS }),
  };
}

function toSentDocument(key: string): string {
  return `sent:${key}`;
}

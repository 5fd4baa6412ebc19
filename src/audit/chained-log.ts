// The audit log in the store: chain, seals, and what the log says about itself.
import { setImmediate } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { amend, type Document, dropAll, type Kernel, read } from '../storage/kernel.ts';
import { type AuditKey, readKeyId, seal } from './audit-key.ts';
import {
  type AuditEnds,
  type AuditEntry,
  type AuditHead,
  type AuditReader,
  type AuditStore,
  CHAIN_BEGIN,
  type FoundEnd,
  type LinkedEntry,
  linkEntry,
  parseEntry,
  type StoredHead,
  toForgottenEntry,
  toSealingEntry,
} from './audit-log.ts';
import { isEndSealed, verifyAudit } from './verify-audit.ts';

export type AuditOptions = {
  /** The newest first: it seals. None: entries are only chained. */
  keys?: readonly AuditKey[] | undefined;
  /** Gets each new head. A head that is kept elsewhere shows later whether entries were cut off or rewritten. */
  log?: Log | undefined;
  now?(): number;
};

/** How many entries are removed at once. More would block the store. */
const MAX_FORGOTTEN = 5_000;

export function createAuditLog(kernel: Kernel, { keys = [], log, now = Date.now }: AuditOptions = {}): AuditStore {
  const reader = createReader(kernel);
  const [key] = keys;
  /** The last place that this process has seen. Only damage or tampering moves the end back. */
  let last = 0;
  /** Additions of one process are serialised, so that only replicas conflict. */
  let adding: Promise<unknown> = Promise.resolve();

  /** Adds what `toEntry` makes of the current ends, which may be called several times. Undefined: it had nothing to add. */
  function add(toEntry: ToEntry): Promise<LinkedEntry | undefined> {
    const added = adding.then(() => addNow(toEntry));
    adding = added.catch(() => undefined);
    return added;
  }

  /** Writes the entry and the ends together, so that the entries of all replicas form one chain. */
  async function addNow(toEntry: ToEntry): Promise<LinkedEntry | undefined> {
    let linked: LinkedEntry | undefined;
    let { origin } = NO_ENTRIES;
    await amend<AuditEnds>(kernel, [ENDS], ([found]) => {
      const ends = found?.body ?? NO_ENTRIES;
      if (ends.head.seq < last) log?.error({ seq: ends.head.seq, before: last }, 'audit log lost entries');
      last = ends.head.seq;
      const added = toEntry(ends);
      origin = added?.cut ?? ends.origin;
      linked = added && linkEntry(added.entry, ends.head, { origin: origin.seq, key });
      if (linked === undefined) return undefined;
      const { seq, hash } = linked;
      return [
        { put: `audit:${seq}`, body: linked, ifVersion: 0, entries: [{ index: AUDIT, at: seq }] },
        { put: ENDS, body: { head: { seq, hash, seal: key && seal({ head: { seq, hash } }, key) }, origin } },
      ];
    });
    if (linked === undefined) return undefined;
    // The entry is stored already. If this fails, the next entry removes the rest.
    await dropAll(kernel, AUDIT, origin.seq).catch(() => undefined);
    log?.info({ seq: linked.seq, hash: linked.hash }, 'audit head');
    return linked;
  }

  /** `isStart`: at a start, sealing begins even if the log ends with a key that we lack. That key may be lost for ever. */
  async function beginSealing({ isStart }: { isStart: boolean }): Promise<void> {
    const found = findEnd(await reader.head(), keys);
    if (found === 'sealed') return;
    if (key === undefined || (found === 'unknown_key' && !isStart)) throw new StoreUnavailableError(KEY_MISSING);
    const begun = await add(({ head }) => {
      const current = findEnd(head, keys);
      return current === 'sealed' ? undefined : { entry: toSealingEntry(key.id, current, now()) };
    });
    if (begun) log?.warn({ seq: begun.seq, key: key.id, found }, 'audit sealing begun');
  }

  async function append(entry: AuditEntry): Promise<LinkedEntry> {
    await beginSealing({ isStart: false });
    // Check again: another replica may seal with a newer key by now, and a seal of an older key after that breaks the log.
    const linked = await add(({ head }) => (findEnd(head, keys) === 'sealed' ? { entry } : undefined));
    if (linked === undefined) throw new StoreUnavailableError(KEY_MISSING);
    return linked;
  }

  async function forgetSome(before: number): Promise<number> {
    const { origin, upTo } = await findCut(reader, before);
    if (upTo.seq === origin.seq) return 0;
    let isOvertaken = false;
    const said = await add((ends) => {
      isOvertaken = ends.origin.seq !== origin.seq;
      if (isOvertaken || findEnd(ends.head, keys) !== 'sealed') return undefined;
      return { entry: toForgottenEntry(upTo, before, now()), cut: upTo };
    });
    // Another replica was faster: look again.
    if (isOvertaken) return forgetSome(before);
    return said ? upTo.seq - origin.seq : 0;
  }

  async function isWhole(): Promise<boolean> {
    const verdict = await verifyAudit(reader, { keys });
    if (!verdict.ok) log?.error({ seq: verdict.seq, problem: verdict.problem }, 'audit log not whole');
    return verdict.ok;
  }

  const isKeyMissing = async () => findEnd(await reader.head(), keys) === 'unknown_key';

  return {
    ...reader,
    append,
    async start() {
      if (key === undefined && (await isKeyMissing())) return log?.error('audit key missing');
      await beginSealing({ isStart: true });
    },
    async forget(before) {
      if (await isKeyMissing()) return 0;
      const { origin, upTo } = await findCut(reader, before);
      // A log that is not whole is kept, because removing entries would hide that.
      if (upTo.seq === origin.seq || !(await isWhole())) return 0;
      let total = 0;
      for (let gone = await forgetSome(before); gone > 0; gone = await forgetSome(before)) total += gone;
      return total;
    },
  };
}

const KEY_MISSING = 'the audit log is sealed with a key that is not in AUDIT_KEY';

/** Without a key, an end without a seal counts as `sealed`. */
function findEnd(head: StoredHead, keys: readonly AuditKey[]): FoundEnd | 'sealed' {
  const [key] = keys;
  const id = readKeyId(head.seal);
  if (key === undefined) return id === undefined ? 'sealed' : 'unknown_key';
  if (isEndSealed(head, [key])) return 'sealed';
  if (isEndSealed(head, keys)) return 'older_key';
  return id === undefined || keys.some((one) => one.id === id) ? 'unsealed' : 'unknown_key';
}

/** `upTo`: the last entry to remove now, or the origin if there is none. */
async function findCut(table: AuditReader, before: number): Promise<{ origin: AuditHead; upTo: AuditHead }> {
  const origin = await table.origin();
  let upTo = origin;
  try {
    for await (const { seq, hash, at } of table.all()) {
      if (at >= before || seq > origin.seq + MAX_FORGOTTEN) break;
      upTo = { seq, hash };
    }
  } catch (error) {
    // An entry that cannot be read is not removed.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { origin, upTo };
}

/** `cut`: up to where entries are removed with it. */
type ToEntry = (ends: AuditEnds) => { entry: AuditEntry; cut?: AuditHead } | undefined;

/** The entries, by their sequence numbers. */
const AUDIT = 'audit';

/** Where the log begins and ends. */
const ENDS = 'audit-ends';

const NO_ENTRIES: AuditEnds = { head: CHAIN_BEGIN, origin: CHAIN_BEGIN };

/** How many entries are read at once. Verifying them takes up to 20 ms, and the event loop has to run in between. */
const PAGE = 100;

/** Each entry is a document that is written once. Another document says where the log begins and ends. */
function createReader(kernel: Kernel): AuditReader {
  const readEnds = async () => (await read<AuditEnds>(kernel, ENDS))?.body ?? NO_ENTRIES;

  /** If an entry of the page is no JSON any more, reads one by one, so that those before it can still be read. */
  async function readPage(after: number, limit = PAGE): Promise<Document[]> {
    try {
      return await kernel.range(AUDIT, { after, limit });
    } catch (error) {
      if (limit === 1 || !(error instanceof SyntaxError)) throw error;
      return readPage(after, 1);
    }
  }

  return {
    async list({ limit, before = Infinity }) {
      const { origin } = await readEnds();
      const found = await kernel.range(AUDIT, { from: origin.seq + 1, to: before - 1, limit, isReversed: true });
      return found.map(({ body }) => body as LinkedEntry);
    },
    head: async () => (await readEnds()).head,
    origin: async () => (await readEnds()).origin,
    async *all() {
      for (let { seq } = (await readEnds()).origin; ; ) {
        const page = await readPage(seq);
        const last = page.at(-1);
        if (last === undefined) return;
        for (const { body } of page) yield parseEntry(body);
        await setImmediate();
        seq = toSeq(last);
      }
    },
  };
}

/** By the key: an entry's own sequence number may have been tampered with. */
function toSeq({ key }: Document): number {
  return Number(key.split(':')[1]);
}

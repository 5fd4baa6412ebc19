// Carries out all items of a run, each once, several in parallel. After a crash the records say which items are done,
// which may have been sent, and which are left.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Item, isStopItem, type ThresholdItem } from '../plan/plan.ts';
import { readThresholds } from '../plan/read-seen.ts';
import { findThreshold, type SeenThreshold, toThresholdState } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { carryOutItem } from './carry-out-item.ts';
import type { RunLog } from './run-log.ts';
import type { LeaseKeeper } from './run-rights.ts';
import type { ItemRecord, ItemResult, Run } from './run-store.ts';
import { toSentKey } from './run-store.ts';
import { stopItem } from './stop-item.ts';

type ItemsWork = {
  run: Run;
  items: readonly Item[];
  /** Access to the service. Calls of `session` are paced; those of `first` are not, for stops. */
  session: AdminSession;
  first: AdminSession;
  log: Pick<RunLog, 'addItem'>;
  keeper: Pick<LeaseKeeper, 'holds' | 'stoppedBy'>;
  /** Of the items that have ended. More are added. */
  results: Map<number, ItemResult>;
};

/** Most of these items wait for the same read: see paced-session.ts. */
const AT_ONCE = 32;

/** After this many failures in a row for the same reason, the run ends: the rest would fail as well. */
const MAX_FAILURES = 20;

/**
 * Returns a code for the reason if it ended before all items were tried. Throws if the store fails, and on a bug. The
 * remaining items are carried out later.
 */
export async function carryOutItems(work: ItemsWork, services: GovernanceServices): Promise<string | undefined> {
  const { run, items, keeper, results } = work;
  const records = await services.runs.records(run.id);
  const failures = countFailures();
  let fault: { error: unknown } | undefined;
  // Not if the run was stopped, or another process has taken it over.
  const goesOn = () => keeper.holds() && keeper.stoppedBy() === undefined && !services.stopping.aborted;

  async function one(index: number, item: Item): Promise<void> {
    const record = records.get(index);
    // Always finish items that may have been sent, even if no other item is started.
    if (!record && (!goesOn() || failures.why() !== undefined || fault)) return;
    const result = record?.result ?? (await endItem({ index, item, record }, { ...work, readLimit }, services));
    if (result === undefined) return;
    await work.log.addItem(item, result);
    results.set(index, result);
    failures.count(result);
  }

  const readLimit = createReadLimit(work.first, services);
  const order = [...items.entries()].toSorted(([, a], [, b]) => Number(isStopItem(b)) - Number(isStopItem(a)));
  await mapConcurrently(order, AT_ONCE, async ([index, item]) => {
    try {
      await one(index, item);
    } catch (error) {
      fault ??= { error };
    }
  });
  // Throw only after all started items have ended.
  if (fault) throw (fault as { error: unknown }).error;
  return failures.why();
}

type ReadLimit = (item: ThresholdItem) => Promise<SeenThreshold>;

/** Reads the limits before a stop that had to guess them. All such stops share one read per currency. */
function createReadLimit(first: AdminSession, { readsLimits }: GovernanceServices): ReadLimit {
  const reads = new Map<string, ReturnType<typeof readThresholds>>();
  const begin = (currency: string) => {
    const reading = readThresholds(first, currency).catch(() => 'unreadable' as const);
    reads.set(currency, reading);
    return reading;
  };
  return async ({ agent, currency }) => {
    if (!readsLimits) return 'hidden';
    const rows = await (reads.get(currency) ?? begin(currency));
    return typeof rows === 'string' ? rows : toThresholdState(findThreshold(rows, agent));
  };
}

type Working = ItemsWork & { readLimit: ReadLimit };

type OneItem = { index: number; item: Item; record: ItemRecord | undefined };

/** Undefined: another process has it, or goes on with it. */
async function endItem(one: OneItem, work: Working, services: GovernanceServices): Promise<ItemResult | undefined> {
  const outcome = await tryItem(one, work, services);
  if (outcome === undefined) return undefined;
  // What waited was cut short, because this process stops: the next one goes on with it.
  const isCutShort = outcome.kind === 'failed' || outcome.reason === 'interrupted';
  if (isCutShort && services.stopping.aborted) return undefined;
  const { index, item, record } = one;
  const result = { ...outcome, at: services.now() };
  const ended = { index, sending: record?.sending ?? result.at, result };
  await services.runs.save(work.run, ended, listSentWrites(item, result, work.run, services));
  return result;
}

/** The record of what was sent. If the service does not show limits, nothing else is known of them. */
export function listSentWrites(item: Item, result: ItemResult, run: Run, { sent }: GovernanceServices) {
  const { kind, written, reason, at } = result;
  if (item.resource !== 'threshold' || kind === 'conflict') return [];
  // Nothing was written, so the earlier record stays valid.
  if (written === 'no' && reason !== 'was_so') return [];
  const { limit, stopped } = result.after ?? item.after;
  const inDoubt = written === 'perhaps' ? { inDoubt: true as const } : {};
  return [sent.toWrite(toSentKey(item), { limit, stopped, at, run: run.id, ...inDoubt })];
}

async function tryItem({ index, item, record }: OneItem, work: Working, services: GovernanceServices) {
  const { run, session, first, readLimit } = work;
  if (!isStopItem(item)) return carryOutItem({ run, index, item, record, session }, services);
  // A run of stops alone has recorded them as it began.
  if (!record && !(await services.runs.claim(run, { index, sending: services.now() }))) return undefined;
  const limitBefore = item.isLimitGuessed && readLimit(item);
  return stopItem({ run, item, session, first, limitBefore }, services);
}

/** Counts failures in a row. `why`: the reason why the rest would fail as well. */
function countFailures() {
  let last = { reason: '', count: 0 };
  let why: string | undefined;
  return {
    why: () => why,
    count({ kind, reason = '' }: ItemResult): void {
      const isSame = kind === 'failed' && last.reason === reason;
      last = { reason, count: kind === 'failed' ? 1 + (isSame ? last.count : 0) : 0 };
      if (kind === 'failed' && (last.count >= MAX_FAILURES || reason === 'admin_unauthorized')) why = reason;
    },
  };
}

// Carries out the items of a bulk change, several at a time, each as a change of its own. Whatever stopped an earlier run:
// the records of these changes tell what is done, what is in doubt and what is left.
import { LockBusyError } from '../../errors.ts';
import { isOver } from '../changes/broken-off.ts';
import { type ChangeOutcome, toBulkItemId } from '../changes/change.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import type { BulkItem } from './bulk-item.ts';
import type { BulkEnding, ItemEnd } from './bulk-records.ts';

export type BulkWork = {
  id: string;
  items: readonly BulkItem[];
  /** A code of why nothing more can be done in the name of its admin. */
  refusal?: string | undefined;
};

export type BulkProgress = { counts: Partial<Record<ItemEnd['kind'], number>>; total: number };

type ItemOutcome = Pick<ChangeOutcome, 'written' | 'reason'> & { kind: Exclude<ItemEnd['kind'], 'skipped'> };

/** `at`: epoch ms. Without `outcome` it has not ended, or its process died. */
export type ItemRecord = { id: string; at: number; outcome?: ItemOutcome | undefined };

/** `outcome`: undefined where its record tells it. The others: see ItemEnd. */
export type CarriedOut = Pick<ItemEnd, 'sentence' | 'by'> & { outcome?: ItemOutcome };

export type BulkRunPorts = {
  /** The record of an attempt at this item. Undefined: it was not begun. */
  readRecord(item: BulkItem, itemId: string): Promise<ItemRecord | undefined>;
  /** A code of why an item may not be begun now; undefined where it may. */
  findObstacle(item: BulkItem): Promise<string | undefined>;
  /** One item, as if it were alone. */
  carryOut(item: BulkItem, itemId: string): Promise<CarriedOut>;
  /** Ends the record of an item that broke off by what is there now. */
  settle(change: BulkItem, changeId: string): Promise<void>;
  /** Ends the record of an item as verified after all, where the service shows by now what was sent. */
  lookAgain(change: BulkItem, changeId: string): Promise<void>;
  /** Whether the service has asked to wait. */
  isPaused(): boolean;
  wait(ms: number): Promise<void>;
  now: () => number;
};

export type BulkControl = {
  /** False: the process stops, or another one has taken over. */
  goesOn(): boolean;
  /** An admin has stopped it. */
  isStopped(): boolean;
  /** Called once: `read` tells how far it is. */
  watch(read: () => BulkProgress): void;
};

/** Undefined: it goes on later, or elsewhere. Otherwise how each item ended. */
export type BulkResult = { why: BulkEnding; ends: ItemEnd[] } | undefined;

/** Most of them wait for the read that they share: see paced-session.ts. */
const IN_FLIGHT = 32;

const GETS_AT_ONCE = 8;

/** An item is tried again where it is known that nothing was changed, and another time may go better. */
const MAX_ATTEMPTS = 4;
const MAY_PASS = [
  'admin_throttled',
  'admin_unreachable',
  'interrupted',
  'not_logged',
  'overtaken',
  'store_unavailable',
];

const BETWEEN_ATTEMPTS_MS = 2_000;

/** What was sent may show a little later, or be read when the service has less to do. */
const MAY_SHOW = ['read_back_failed', 'still_old', 'not_listed', 'no_answer'];
const LOOK_AGAIN_MS = 10_000;

/** How often it is looked whether to go on waiting. */
const TICK_MS = 1_000;

/** After so many failures one after the other for the same reason, the rest would fail as well. */
const MAX_FAILURES = 20;

type State =
  | { kind: 'todo'; attempt: number; isBusy?: boolean }
  | { kind: 'left_out'; reason: string }
  | { kind: 'open'; changeId: string; at: number }
  | { kind: 'ended'; changeId: string; outcome: ItemOutcome; told?: Omit<CarriedOut, 'outcome'> };

/** Throws where the store fails. */
export async function runBulk(work: BulkWork, ports: BulkRunPorts, control: BulkControl): Promise<BulkResult> {
  const states = await mapConcurrently([...work.items.keys()], GETS_AT_ONCE, (index) => readState(work, index, ports));
  const run = createRun(work, states, ports, control);
  for (let round = 1; round <= MAX_ATTEMPTS; round += 1) {
    await run.carryOutLeft();
    await run.settleOpen();
    if (!control.goesOn()) return undefined;
    if (!run.hasMore()) break;
    if (round < MAX_ATTEMPTS) await ports.wait(BETWEEN_ATTEMPTS_MS);
  }
  await run.lookAgain();
  if (!control.goesOn()) return undefined;
  const why = run.givenUp() ?? (control.isStopped() && run.isLeft() ? 'stopped' : 'done');
  return { why, ends: states.map((state) => toEnd(state, why)) };
}

function createRun(work: BulkWork, states: State[], ports: BulkRunPorts, control: BulkControl) {
  let givenUp = work.refusal;
  let failures = { reason: '', count: 0 };
  /** What no item can be blamed for: the store, or a bug. */
  let fault: { error: unknown } | undefined;

  const isAny = (kind: State['kind']) => states.some((state) => state.kind === kind);
  const mayBegin = () => control.goesOn() && !control.isStopped() && givenUp === undefined && fault === undefined;
  control.watch(() => countEnds(states));

  function note(index: number, state: State): void {
    states[index] = state;
    if (state.kind === 'ended') countFailure(state.outcome);
  }

  function countFailure({ kind, reason = '' }: ItemOutcome): void {
    const isSame = kind === 'failed' && failures.reason === reason;
    failures = { reason, count: kind === 'failed' ? 1 + (isSame ? failures.count : 0) : 0 };
    if (kind !== 'failed') return;
    if (failures.count >= MAX_FAILURES || reason === 'admin_unauthorized') givenUp = reason;
  }

  async function tryOne({ index, change, attempt }: { index: number; change: BulkItem; attempt: number }) {
    try {
      const reason = await ports.findObstacle(change);
      if (reason !== undefined) return note(index, { kind: 'left_out', reason });
      const itemId = toBulkItemId(work.id, index, attempt);
      const { outcome, ...told } = await ports.carryOut(change, itemId);
      if (outcome !== undefined) return note(index, { kind: 'ended', changeId: itemId, outcome, told });
      const state = await readState(work, index, ports);
      note(index, state.kind === 'ended' ? { ...state, told } : state);
    } catch (error) {
      if (!(error instanceof LockBusyError)) throw error;
      // Somebody else is changing the same thing.
      note(index, { kind: 'todo', attempt, isBusy: true });
    }
  }

  /** Those of this kind, several at a time. Throws a fault once all that is on its way has come to its end. */
  async function forEach<K extends State['kind']>(
    kind: K,
    carry: (item: { index: number; change: BulkItem; state: Extract<State, { kind: K }> }) => Promise<void>,
  ): Promise<void> {
    const some = states.flatMap((state, index) => {
      const change = work.items[index];
      return change !== undefined && isOfKind(state, kind) ? [{ index, change, state }] : [];
    });
    await mapConcurrently(some, IN_FLIGHT, async (item) => {
      try {
        if (fault === undefined) await carry(item);
      } catch (error) {
        fault ??= { error };
      }
    });
    if (fault !== undefined) throw fault.error;
  }

  return {
    isLeft: () => isAny('todo'),
    hasMore: () => isAny('open') || (mayBegin() && isAny('todo')),
    givenUp: () => givenUp,

    async carryOutLeft(): Promise<void> {
      await forEach('todo', async ({ index, change, state }) => {
        while (mayBegin() && ports.isPaused()) await ports.wait(TICK_MS);
        if (mayBegin()) await tryOne({ index, change, attempt: state.attempt });
      });
    },

    /** What an earlier process may have written a moment before it died is told after a while only. */
    async settleOpen(): Promise<void> {
      if (work.refusal !== undefined) return;
      await forEach('open', async ({ index, change, state }) => {
        while (control.goesOn() && !isOver(state.at, ports.now())) await ports.wait(TICK_MS);
        if (!control.goesOn()) return;
        await ports.settle(change, state.changeId);
        note(index, await readState(work, index, ports));
      });
    },

    async lookAgain(): Promise<void> {
      const mayShowNow = states.some((state) => state.kind === 'ended' && mayShow(state.outcome));
      if (!mayShowNow || work.refusal !== undefined) return;
      await ports.wait(LOOK_AGAIN_MS);
      while (control.goesOn() && ports.isPaused()) await ports.wait(TICK_MS);
      await forEach('ended', async ({ index, change, state }) => {
        if (!mayShow(state.outcome) || !control.goesOn()) return;
        await ports.lookAgain(change, state.changeId);
        note(index, await readState(work, index, ports));
      });
    },
  };
}

function isOfKind<K extends State['kind']>(state: State, kind: K): state is Extract<State, { kind: K }> {
  return state.kind === kind;
}

/** What the records of its attempts tell of an item. */
async function readState({ id, items }: BulkWork, index: number, ports: BulkRunPorts): Promise<State> {
  const item = items[index];
  for (let attempt = 1; ; attempt += 1) {
    const record = item && (await ports.readRecord(item, toBulkItemId(id, index, attempt)));
    if (record === undefined) return { kind: 'todo', attempt };
    const { outcome } = record;
    if (outcome === undefined) return { kind: 'open', changeId: record.id, at: record.at };
    if (attempt === MAX_ATTEMPTS || !mayPass(outcome)) return { kind: 'ended', changeId: record.id, outcome };
  }
}

function mayShow({ kind, reason = '' }: ItemOutcome): boolean {
  return kind === 'applied_not_verified' && MAY_SHOW.includes(reason);
}

function mayPass({ kind, written, reason = '' }: ItemOutcome): boolean {
  return kind === 'failed' && written === 'no' && MAY_PASS.includes(reason);
}

function countEnds(states: readonly State[]): BulkProgress {
  const counts: BulkProgress['counts'] = {};
  for (const state of states) {
    const kind = state.kind === 'left_out' ? 'skipped' : state.kind === 'ended' ? state.outcome.kind : undefined;
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return { counts, total: states.length };
}

function toEnd(state: State, why: BulkEnding): ItemEnd {
  switch (state.kind) {
    case 'ended': {
      const { kind, reason } = state.outcome;
      return kind === 'verified' || kind === 'recorded' ? { kind } : { kind, reason, ...state.told };
    }
    case 'left_out':
      return { kind: 'skipped', reason: state.reason };
    case 'open':
      return { kind: 'applied_not_verified', reason: 'interrupted' };
    case 'todo':
      if (why === 'done') return { kind: 'skipped', reason: state.isBusy === true ? 'busy' : 'kept_failing' };
      return { kind: 'skipped', reason: why };
  }
}

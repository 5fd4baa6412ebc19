// A store of turns as it should be, in a few lines: both stores are compared with it, and the simulation plays on it.
import { isDead, toRevised } from '../../src/backend/record.ts';
import { type Person, toPersonKey } from '../../src/conversation/question.ts';
import type { TurnCounts, TurnStore } from '../../src/conversation/stores.ts';
import type { Stage, Turn } from '../../src/conversation/turn.ts';
import { waitsUntil } from '../../src/conversation/waits.ts';
import type { PersonalRecords } from '../../src/identity/personal-data.ts';
import type { LeaseModel, Sync } from './lease-model.ts';
import { createThreadModel, isOf, type ThreadModel } from './thread-model.ts';

export type TurnModel = {
  turns: Sync<Omit<TurnStore, 'forget'>>;
  threads: ThreadModel;
  personal: Sync<PersonalRecords>;
  /** See Store. */
  purge(workspace: string): number;
  /** In the order in which they were accepted. */
  all(): Turn[];
  /** Whether every turn is done. */
  isIdle(): boolean;
  /** What was written since the last durable write never happened. */
  cutPower(): void;
};

type Kept = { turn: Turn; place: number };

/** `leases`: undefined where a store is for one process, which needs none. */
export function createTurnModel(leases: LeaseModel | undefined): TurnModel {
  const kept = new Map<string, Kept>();
  /** The ids of turns that are not done, in the order of arrival. */
  const lanes = new Map<string, string[]>();
  const threads = createThreadModel();
  /** From when it counts that a turn waits: another time than when it was accepted, once it was parked. */
  const unparked = new Set<string>();
  let undo: (() => void)[] = [];
  let places = 0;
  let runs = 0;

  const find = (id: string) => kept.get(id)?.turn;
  const byPlace = (one: string, other: string) => (kept.get(one)?.place ?? 0) - (kept.get(other)?.place ?? 0);
  const list = (ids: string[]) => ids.flatMap((id) => find(id) ?? []);
  const all = () => list([...kept.keys()]);
  const inLane = (lane: string) => list(lanes.get(lane) ?? []).filter(({ stage }) => stage !== 'parked');

  function set(id: string, next: Kept | undefined): void {
    const [from, to] = [laneOf(kept.get(id)), laneOf(next)];
    if (next) {
      kept.set(id, next);
    } else {
      kept.delete(id);
      unparked.delete(id);
    }
    if (from === to) return;
    const left = (lanes.get(from ?? '') ?? []).filter((one) => one !== id);
    if (from !== undefined && left.length > 0) lanes.set(from, left);
    else if (from !== undefined) lanes.delete(from);
    if (to !== undefined) lanes.set(to, [...(lanes.get(to) ?? []), id].sort(byPlace));
  }

  function put(turn: Turn): void {
    const before = kept.get(turn.id);
    set(turn.id, { turn: freeze(turn), place: before?.place ?? ++places });
    undo.push(() => set(turn.id, before));
  }

  /** A durable write flushes everything before it as well. */
  function flush<T>(result: T): T {
    undo = [];
    return result;
  }

  /** It runs again, or ends, and no longer waits. */
  function rouse(turn: Turn, stage: Stage): void {
    put({ ...turn, fence: turn.fence + 1, settled: turn.fence + 1, stage, notBefore: undefined });
  }

  const parked: TurnModel['turns']['parked'] = (person) =>
    list([...lanes.values()].flat())
      .filter((turn) => turn.stage === 'parked' && (person === undefined || isAskedBy(person, turn)))
      .sort((one, other) => byPlace(one.id, other.id));

  function remove(isMeant: (turn: Turn) => boolean): number {
    const meant = all().filter(isMeant);
    for (const { id } of meant) set(id, undefined);
    return flush(meant.length);
  }

  return {
    turns: {
      accept(turn, changes = [], holder) {
        if (kept.has(turn.id)) return 'duplicate';
        const isAlone = holder !== undefined && inLane(turn.lane).length === 0;
        const isTaken = isAlone && leases?.look(turn.lane, holder) !== 'another';
        if (isTaken) leases?.take(turn.lane, holder);
        put(isTaken ? { ...turn, fence: 1 } : turn);
        for (const change of changes) threads.change(change);
        return flush(isTaken ? 'taken' : 'new');
      },
      get: find,
      head: (lane) => inLane(lane)[0],
      inLane,
      takeHead(lane, at, deaths = Number.MAX_SAFE_INTEGER, holder) {
        if (leases && holder !== undefined && leases.look(lane, holder) !== 'they') return undefined;
        const [turn, second] = inLane(lane);
        if (!turn) return undefined;
        const { fence, settled = 0 } = turn;
        const isTaken = isDue(turn, at) && fence - settled < deaths;
        if (isTaken) put({ ...turn, fence: fence + 1, run: `run ${++runs}` });
        return { turn: find(turn.id) ?? turn, isTaken, isLast: second === undefined };
      },
      save(turn, changes = [], mayBeLost = false) {
        const stored = find(turn.id);
        if (!stored || stored.fence !== turn.fence || stored.run !== turn.run) return false;
        if (stored.stage === 'done' && turn.stage !== 'done') return false;
        put(turn);
        undo.push(...changes.map(threads.change));
        return mayBeLost || flush(true);
      },
      end(id, stage) {
        const turn = find(id);
        if (!turn || ['answered', 'stopped', 'cancelled', 'done'].includes(turn.stage)) return false;
        rouse(turn, stage);
        return flush(true);
      },
      revise(id, said) {
        const turn = find(id);
        const revised = turn && toRevised(turn, said);
        if (revised) put(revised);
        return flush(revised !== undefined);
      },
      unpark(person) {
        const theirs = parked(person);
        for (const turn of theirs) rouse(turn, 'accepted');
        for (const { id } of theirs) unparked.add(id);
        return flush(theirs.map(({ lane }) => lane));
      },
      parked,
      dueLanes(at, holder = '', jobs = []) {
        const free = [...lanes.keys()].filter((lane) => leases?.look(lane, holder) !== 'another');
        const due = free.filter((lane) => isDue(inLane(lane)[0], at));
        return [...due, ...jobs.filter((lane) => leases?.look(lane, holder) === 'one that is gone')];
      },
      deadLetters: (limit) => all().filter(isDead).reverse().slice(0, limit),
      counts: () => toCounts(all(), unparked),
    },
    threads,
    personal: {
      turns: (person) =>
        all()
          .filter((turn) => isAskedBy(person, turn))
          .sort((one, other) => one.acceptedAt - other.acceptedAt),
      threads: threads.of,
      forget: (person) =>
        remove((turn) => turn.stage === 'done' && isAskedBy(person, turn)) +
        threads.remove((kept) => isOf(person, kept)),
    },
    purge: (workspace) =>
      remove(({ question }) => question.workspace === workspace) +
      threads.remove((kept) => kept.workspace === workspace),
    all,
    isIdle: () => lanes.size === 0,
    cutPower() {
      for (const back of undo.reverse()) back();
      undo = [];
    },
  };
}

function isAskedBy(person: Person, { question: { asker } }: Turn): boolean {
  return toPersonKey(asker) === toPersonKey(person);
}

/** What was parked counts from a time that no model knows. */
function toCounts(turns: Turn[], unparked: ReadonlySet<string>): TurnCounts {
  const byStage: TurnCounts['byStage'] = {};
  const waiting: number[] = [];
  for (const { id, stage, acceptedAt } of turns) {
    if (stage !== 'done') byStage[stage] = (byStage[stage] ?? 0) + 1;
    if (stage !== 'done' && stage !== 'parked') waiting.push(unparked.has(id) ? Infinity : acceptedAt);
  }
  return { byStage, oldestAcceptedAt: waiting.length > 0 ? Math.min(...waiting) : undefined };
}

function isDue(turn: Turn | undefined, at: number): boolean {
  return turn !== undefined && waitsUntil(turn, at) === undefined;
}

/** Undefined: it is in no lane. */
function laneOf(one: Kept | undefined): string | undefined {
  return one?.turn.stage === 'done' ? undefined : one?.turn.lane;
}

/** Nobody changes what is stored: it is shared with whoever reads it. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(Object.freeze(value))) freeze(inner);
  return value;
}

// The store of a simulated world: what SQLite and Redis promise, in memory. Every write is one step; what a power cut may lose
// can be taken back.

import { isDead, toRevised } from '../../src/backend/record.ts';
import { toPersonKey } from '../../src/conversation/question.ts';
import type { ThreadStore, TurnStore } from '../../src/conversation/stores.ts';
import type { ThreadChange, ThreadConversation, Turn } from '../../src/conversation/turn.ts';
import { waitsUntil } from '../../src/conversation/waits.ts';
import type { LeaseStore } from '../../src/delivery/leases.ts';

/** What is due begins within this time, unless something is broken: a run that gives way tidies up first. */
const PROMPT_MS = 15_000;

/** A copy: nobody changes it. */
type Kept = { turn: Turn; place: number };

/** Each operation as a plain function: a replica reaches it over a network that delays, loses and cuts. */
export type ModelStore = {
  turns: Sync<TurnStore>;
  threads: Sync<ThreadStore>;
  leases: Sync<LeaseStore>;
  /** All turns, in the order in which they were accepted. */
  all(): Turn[];
  /** The ids of turns that somebody stopped or cancelled. */
  ended: ReadonlySet<string>;
  /** Turns that were due and not begun for so long (ms), by the time (epoch ms) at which they were. */
  late: { id: string; ms: number; at: number }[];
  /** Whether every turn is done. */
  isIdle(): boolean;
  /** What was written since the last flush never happened. */
  cutPower(): void;
};

type Sync<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

/** `now`: the clock of the store, epoch ms. `isShared`: with leases; one process alone needs none. */
export function createModelStore(now: () => number, isShared: boolean): ModelStore {
  const turns = new Map<string, Kept>();
  /** The ids of a lane's turns that are neither done nor parked, and parked ones, in order of arrival. */
  const lanes = new Map<string, Set<string>>();
  const engaged = new Set<string>();
  const conversations = new Map<string, string>();
  const replicas = new Map<string, number>();
  const held = new Map<string, { holder: string; isWanted: boolean }>();
  const ended = new Set<string>();
  const late: ModelStore['late'] = [];
  /** When a run last wrote something in a lane, or its first turn came. */
  const movedAt = new Map<string, number>();
  let undo: (() => void)[] = [];
  let places = 0;

  const find = (id: string) => turns.get(id)?.turn;

  function put(turn: Turn): void {
    const before = turns.get(turn.id);
    const lane = before?.turn.lane;
    const place = before?.place ?? ++places;
    turns.set(turn.id, { turn: JSON.parse(JSON.stringify(turn)), place });
    file(turn.id, lane, turn);
    undo.push(() => {
      if (before === undefined) turns.delete(turn.id);
      else turns.set(turn.id, before);
      file(turn.id, turn.lane, before?.turn);
    });
  }

  /** A turn that comes back into a lane keeps its place there. */
  function file(id: string, from: string | undefined, turn: Turn | undefined): void {
    if (from !== undefined) lanes.get(from)?.delete(id);
    if (turn && turn.stage !== 'done') {
      const ids = [...(lanes.get(turn.lane) ?? []), id];
      const byPlace = (one: string, other: string) => (turns.get(one)?.place ?? 0) - (turns.get(other)?.place ?? 0);
      lanes.set(turn.lane, new Set(ids.length > 1 ? ids.sort(byPlace) : ids));
    }
    if (from !== undefined && lanes.get(from)?.size === 0) lanes.delete(from);
  }

  const inLane = (lane: string) =>
    [...(lanes.get(lane) ?? [])].flatMap((id) => find(id) ?? []).filter(({ stage }) => stage !== 'parked');
  const parked = () =>
    [...lanes.values()]
      .flatMap((ids) => [...ids].flatMap((id) => find(id) ?? []))
      .filter(({ stage }) => stage === 'parked');

  function setMap<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
    const before = map.get(key);
    if (value === undefined) map.delete(key);
    else map.set(key, value);
    undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  function changeThread(change: ThreadChange): void {
    if (change.kind === 'engage') return void engaged.add(`${change.thread} ${change.user}`);
    const { thread, conversation } = change;
    const key = `${thread} ${conversation.heldBy === 'person' ? conversation.owner : ''}`;
    const stored = conversations.get(key);
    const changed = changeConversation(stored === undefined ? undefined : JSON.parse(stored), change);
    if (changed !== 'as_it_is') setMap(conversations, key, changed && JSON.stringify(changed));
  }

  /** A durable write flushes everything before it as well. */
  function flush(): void {
    undo = [];
  }

  /** `at`: by the clock of who takes it, as its `notBefore` is. */
  function noteLateness({ id, lane, notBefore = 0 }: Turn, at: number): void {
    const ms = Math.min(now() - (movedAt.get(lane) ?? 0), at - notBefore);
    if (ms > PROMPT_MS) late.push({ id, ms, at: now() });
    movedAt.set(lane, now());
  }

  const isThere = (token: string) => (replicas.get(token) ?? 0) > now();
  const holds = (lane: string, holder: string) =>
    !isShared || tokenOf(held.get(lane)?.holder ?? '') === tokenOf(holder);
  const tokenOf = (holder: string) => holder.slice(0, 36);

  function takeLane(lane: string, holder: string): 'taken' | 'taken over' | 'held' {
    const present = held.get(lane);
    const isOurs = present !== undefined && tokenOf(present.holder) === tokenOf(holder);
    if (present && !isOurs && isThere(tokenOf(present.holder))) return 'held';
    held.set(lane, { holder, isWanted: false });
    return present && !isOurs ? 'taken over' : 'taken';
  }

  return {
    turns: {
      accept(turn, changes = [], holder) {
        if (turns.has(turn.id)) return 'duplicate';
        const isFirst = inLane(turn.lane).length === 0;
        if (isFirst) movedAt.set(turn.lane, now());
        const isAlone = holder !== undefined && isFirst;
        const isTaken = isAlone && takeLane(turn.lane, holder) !== 'held';
        put(isTaken ? { ...turn, fence: 1 } : turn);
        changes.forEach(changeThread);
        flush();
        return isTaken ? 'taken' : 'new';
      },
      get: find,
      head: (lane) => inLane(lane)[0],
      inLane,
      takeHead(lane, at, deaths = Number.MAX_SAFE_INTEGER, holder) {
        if (holder !== undefined && !holds(lane, holder)) return undefined;
        const [turn, second] = inLane(lane);
        if (!turn) return undefined;
        const ended = turn.stage === 'stopped' || turn.stage === 'cancelled' ? 1 : 0;
        const died = turn.fence - (turn.settled ?? 0) - ended;
        const isTaken = waitsUntil(turn, at) === undefined && died < deaths;
        if (isTaken) {
          noteLateness(turn, at);
          put({ ...turn, fence: turn.fence + 1 });
        }
        return { turn: isTaken ? { ...turn, fence: turn.fence + 1 } : turn, isTaken, isLast: second === undefined };
      },
      save(turn, changes = [], mayBeLost = false) {
        const stored = find(turn.id);
        if (!stored || stored.fence !== turn.fence || (stored.stage === 'done' && turn.stage !== 'done')) return false;
        put(turn);
        movedAt.set(stored.lane, now());
        changes.forEach(changeThread);
        if (!mayBeLost) flush();
        return true;
      },
      end(id, stage) {
        const turn = find(id);
        if (!turn || !['accepted', 'waiting', 'parked', 'asking'].includes(turn.stage)) return false;
        put({ ...turn, fence: turn.fence + 1, stage, notBefore: undefined });
        ended.add(id);
        if (inLane(turn.lane)[0]?.id === id) movedAt.set(turn.lane, now());
        flush();
        return true;
      },
      revise(id, said) {
        const turn = find(id);
        const revised = turn && toRevised(turn, said);
        if (revised) put(revised);
        flush();
        return revised !== undefined;
      },
      unpark(person) {
        const theirs = parked().filter(({ question }) => toPersonKey(question.asker) === toPersonKey(person));
        for (const turn of theirs) {
          movedAt.set(turn.lane, now());
          put({ ...turn, fence: turn.fence + 1, stage: 'accepted', acceptedAt: now(), notBefore: undefined });
        }
        flush();
        return theirs.map(({ lane }) => lane);
      },
      parked: (person) =>
        parked().filter(({ question }) => person === undefined || toPersonKey(question.asker) === toPersonKey(person)),
      dueLanes(at, holder) {
        return [...lanes.keys()].filter((lane) => {
          const [head] = inLane(lane);
          const present = held.get(lane);
          const isOthers =
            present !== undefined &&
            isThere(tokenOf(present.holder)) &&
            tokenOf(present.holder) !== tokenOf(holder ?? '');
          return head !== undefined && waitsUntil(head, at) === undefined && !isOthers;
        });
      },
      deadLetters: (limit) =>
        [...turns.values()]
          .map(({ turn }) => turn)
          .filter(isDead)
          .reverse()
          .slice(0, limit),
      counts: () => ({ byStage: {}, oldestAcceptedAt: undefined }),
      forget: () => 0,
    },
    threads: {
      isEngaged: (thread, user) => engaged.has(`${thread} ${user}`),
      conversation(thread, user) {
        const stored = conversations.get(`${thread} ${user}`) ?? conversations.get(`${thread} `);
        return stored === undefined ? undefined : (JSON.parse(stored) as ThreadConversation);
      },
      forget: () => 0,
    },
    leases: {
      renew(token, leaseMs) {
        const wasThere = isThere(token);
        replicas.set(token, now() + leaseMs);
        return wasThere;
      },
      take(lane, holder) {
        const taken = takeLane(lane, holder);
        const present = held.get(lane);
        if (taken === 'held' && present) present.isWanted = true;
        return taken;
      },
      release(leases) {
        const wanted: string[] = [];
        for (const { lane, holder } of leases) {
          const present = held.get(lane);
          if (present?.holder !== holder) continue;
          held.delete(lane);
          if (present.isWanted) wanted.push(lane);
        }
        return wanted;
      },
    },
    all: () => [...turns.values()].map(({ turn }) => turn),
    ...{ ended, late },
    isIdle: () => lanes.size === 0,
    cutPower() {
      for (const back of undo.reverse()) back();
      undo = [];
    },
  };
}

/** Undefined: it is forgotten. */
function changeConversation(
  known: ThreadConversation | undefined,
  change: Exclude<ThreadChange, { kind: 'engage' }>,
): ThreadConversation | undefined | 'as_it_is' {
  const { conversation } = change;
  const isSame = known?.id === conversation.id;
  if (change.kind === 'keep') {
    return known === undefined || isSame || known.id === change.former ? conversation : 'as_it_is';
  }
  if (!isSame) return 'as_it_is';
  if (change.kind === 'drop') return undefined;
  return { ...conversation, secrecy: Math.max(known.secrecy, conversation.secrecy) as ThreadConversation['secrecy'] };
}

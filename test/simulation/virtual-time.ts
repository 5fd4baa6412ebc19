// Time that passes only where nothing else is left to do. Timers of all kinds go into one queue; each belongs to the process
// that set it, and never fires once that is dead, or only later where it is frozen.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { createOrdered, type Order } from './ordered.ts';

/** A process of the simulation, as far as time is concerned. */
export type Owner = {
  name: string;
  isDead: boolean;
  /** Until then (virtual ms) it does not run. */
  frozenUntil: number;
  /** How far its wall clock is ahead, in ms. */
  clockOffset: number;
};

type Timer = { at: number; order: number; run(): void; owner: Owner | undefined; isOver: boolean };

export type VirtualTime = {
  /** Monotonic, in ms since the world began. */
  now(): number;
  /** As the process that runs now sees it: epoch ms. */
  wall(): number;
  sleep(ms: number): Promise<void>;
  /** Runs work as a process: its timers are that process's own. */
  as<T>(owner: Owner, work: () => T): T;
  current(): Owner | undefined;
  /** At a time, in no process; or in one, if it still runs then. */
  at(at: number, run: () => void, owner?: Owner): void;
  /** What is on its way between processes takes so many ms, or as long as an order says. */
  arrive(ms: number, run: () => void, owner?: Owner): void;
  /** Lets time pass until this is true, or until nothing is left to happen or it is this late. Returns whether it is true. */
  pass(isOver: () => boolean, latest: number): Promise<boolean>;
  /** How many timers have fired. */
  steps(): number;
};

/** The wall clock at the beginning of every world: a day ends soon. */
export const BEGIN = Date.UTC(2027, 0, 4, 23, 57);

const real = { setImmediate: globalThis.setImmediate };

const owners = new AsyncLocalStorage<Owner>();

/** One world has the clock at a time. `restore` gives it back. */
export function installVirtualTime(random: () => number, order?: Order): { time: VirtualTime; restore(): void } {
  const queue = createQueue();
  let now = 0;
  let count = 0;
  let steps = 0;

  function add(run: () => void, ms: unknown): Timer {
    const delay = typeof ms === 'number' && ms > 0 ? ms : 0;
    const timer: Timer = { at: now + delay, order: count++, run, owner: owners.getStore(), isOver: false };
    queue.push(timer);
    return timer;
  }

  function fire(timer: Timer): void {
    const { owner, run } = timer;
    if (timer.isOver || owner?.isDead) return;
    now = Math.max(now, timer.at);
    if (owner && owner.frozenUntil > now) {
      timer.at = owner.frozenUntil;
      queue.push(timer);
      return;
    }
    steps += 1;
    timer.isOver = true;
    if (owner) owners.run(owner, run);
    else run();
  }

  function step(latest: number): boolean {
    const timer = queue.pop(latest);
    if (timer) fire(timer);
    return timer !== undefined;
  }

  const arrived = (run: () => void, owner: Owner | undefined) => fire({ at: now, order: 0, run, owner, isOver: false });
  const ordered = order && createOrdered(order, { now: () => now, arrived, step });

  const time: VirtualTime = {
    now: () => now,
    wall: () => BEGIN + Math.floor(now) + (owners.getStore()?.clockOffset ?? 0),
    sleep: (ms) => new Promise((resolve) => add(resolve, ms)),
    as: (owner, work) => owners.run(owner, work),
    current: () => owners.getStore(),
    at(at, run, owner) {
      queue.push({ at: Math.max(at, now), order: count++, run, owner, isOver: false });
    },
    arrive(ms, run, owner) {
      if (ordered && !ordered.isOver()) ordered.arrive(run, owner);
      else time.at(now + ms, run, owner);
    },
    async pass(isOver, latest) {
      for (;;) {
        await settle();
        if (isOver()) return true;
        if (!(await (ordered ?? { next: step }).next(latest))) return false;
      }
    },
    steps: () => steps,
  };
  return { time, restore: replaceTimers(add, time, random) };
}

/** All promises that can go on have gone on: what is still open waits for a timer. */
function settle(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}

type Add = (run: () => void, ms: unknown) => Timer;

function replaceTimers(add: Add, time: VirtualTime, random: () => number): () => void {
  const promises: Record<string, unknown> = createRequire(import.meta.url)('node:timers/promises');
  const originals = { ...globalThis, now: Date.now, performanceNow: performance.now, random: Math.random };
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = originals;
  const wait = { setTimeout: promises.setTimeout, setImmediate: promises.setImmediate };

  const start = (run: (...args: never[]) => void, ms?: unknown, ...args: never[]) =>
    toHandle(add(() => run(...args), ms));
  const repeat = (run: () => void, ms?: number) => {
    const handle = { isOver: false };
    const next = () => {
      if (handle.isOver) return;
      run();
      add(next, Math.max(1, ms ?? 1));
    };
    add(next, Math.max(1, ms ?? 1));
    return toHandle(handle);
  };
  const stop = (handle: { timer?: { isOver: boolean } } | undefined) => {
    if (handle?.timer) handle.timer.isOver = true;
  };
  Object.assign(globalThis, {
    ...{ setTimeout: start, clearTimeout: stop, setInterval: repeat, clearInterval: stop },
    setImmediate: (run: (...args: never[]) => void, ...args: never[]) => start(run, 0, ...args),
  });
  Date.now = time.wall;
  performance.now = time.now;
  Math.random = random;
  promises.setTimeout = (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      add(() => resolve(value), ms);
    });
  promises.setImmediate = (value?: unknown) => new Promise((resolve) => add(() => resolve(value), 0));
  syncBuiltinESMExports();

  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate });
    Date.now = originals.now;
    performance.now = originals.performanceNow;
    Math.random = originals.random;
    Object.assign(promises, wait);
    syncBuiltinESMExports();
  };
}

function toHandle(timer: { isOver: boolean }) {
  const handle = { timer, ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle };
  return handle;
}

/** By time and then by order; the next one is the last. */
function createQueue() {
  const timers: Timer[] = [];
  const isBefore = (one: Timer, other: Timer | undefined) =>
    other !== undefined && (one.at < other.at || (one.at === other.at && one.order < other.order));

  return {
    push(timer: Timer): void {
      let low = 0;
      for (let high = timers.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (isBefore(timer, timers[middle])) low = middle + 1;
        else high = middle;
      }
      timers.splice(low, 0, timer);
    },
    /** Undefined: none is due by then. */
    pop: (latest: number) => ((timers.at(-1)?.at ?? Infinity) > latest ? undefined : timers.pop()),
  };
}

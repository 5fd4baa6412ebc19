// The processes of a world: they start, die, stand still, and find each other's locks.
import { LockBusyError } from '../../src/errors.ts';
import type { WithLock } from '../../src/with-lock.ts';
import type { Network } from './network.ts';
import type { Random } from './random.ts';
import type { Replica } from './replica.ts';
import type { Owner, VirtualTime } from './virtual-time.ts';

export type Fleet = ReturnType<typeof createFleet>;

export function createFleet(time: VirtualTime, random: Random, build: (owner: Owner) => Replica) {
  const replicas: Replica[] = [];
  const live = () => replicas.filter(({ owner }) => !owner.isDead);

  function start(index: number): void {
    // A machine keeps its clock when the app starts again.
    const clockOffset = replicas[index]?.owner.clockOffset ?? 0;
    replicas[index] = build({ name: `replica ${index}`, isDead: false, frozenUntil: 0, clockOffset });
  }

  /** Does something in a process, once it runs again. */
  function on(replica: Replica | undefined, work: (replica: Replica) => unknown): void {
    if (!replica || replica.owner.isDead) return;
    const { owner } = replica;
    if (owner.frozenUntil > time.now()) time.at(owner.frozenUntil, () => on(replica, work));
    else time.as(owner, () => void work(replica));
  }

  return {
    ...{ start, live, on },
    /** Ends a process, and starts it again after so many ms. */
    kill(owner: Owner | undefined, downMs: number): void {
      const index = replicas.findIndex((replica) => replica.owner === owner);
      if (!owner || owner.isDead || index < 0) return;
      owner.isDead = true;
      time.at(time.now() + downMs, () => start(index));
    },
    find: (index: number): Replica | undefined => replicas[index],
    /** Undefined: none is running. */
    pick(): Replica | undefined {
      const running = live();
      return running.length === 0 ? undefined : random.pick(running);
    },
    freeze(index: number, forMs: number): void {
      const owner = replicas[index]?.owner;
      if (owner) owner.frozenUntil = time.now() + forMs;
    },
    setClock(index: number, byMs: number): void {
      const owner = replicas[index]?.owner;
      if (owner) owner.clockOffset += byMs;
    },
    endAll(): void {
      for (const { owner } of replicas) owner.isDead = true;
    },
  };
}

/** As the lock of Redis: it ends by itself where its holder does not come back. */
const LOCK_MS = 30_000;

/** How long somebody waits for it. */
const PATIENCE_MS = 15_000;

export function createSharedLock(time: VirtualTime, random: Random, network: () => Network): WithLock {
  const locks = new Map<string, { holder: object; until: number }>();
  return async (key, run) => {
    const holder = {};
    const tryLock = () => {
      if ((locks.get(key)?.until ?? 0) > time.now()) return false;
      locks.set(key, { holder, until: time.now() + LOCK_MS });
      return true;
    };
    const begunAt = time.now();
    while (!(await network().store(tryLock))) {
      if (time.now() - begunAt > PATIENCE_MS) throw new LockBusyError(`${key} is locked`);
      await time.sleep(random.between(20, 80));
    }
    const unlock = () => locks.get(key)?.holder === holder && locks.delete(key);
    return run().finally(() =>
      network()
        .store(unlock)
        .catch(() => undefined),
    );
  };
}

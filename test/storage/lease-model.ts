// Who holds which lane, as it should be, in a few lines: see turn-model.ts.
import type { LeaseStore } from '../../src/delivery/leases.ts';

/** Each operation as a plain function: whoever plays with it adds what is between it and its users. */
export type Sync<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

export type LeaseModel = Sync<LeaseStore> & {
  /** Who has it, for this one: a living replica, or one that is gone. */
  look(lane: string, holder: string): 'nobody' | 'they' | 'another' | 'one that is gone';
};

/** `now`: the clock of the store, epoch ms. */
export function createLeaseModel(now: () => number): LeaseModel {
  const replicas = new Map<string, number>();
  const held = new Map<string, { holder: string; isWanted: boolean }>();
  const isThere = (token: string) => (replicas.get(token) ?? 0) > now();

  function look(lane: string, holder: string): ReturnType<LeaseModel['look']> {
    const present = held.get(lane);
    if (!present) return 'nobody';
    if (tokenOf(present.holder) === tokenOf(holder)) return 'they';
    return isThere(tokenOf(present.holder)) ? 'another' : 'one that is gone';
  }

  return {
    look,
    renew(token, leaseMs) {
      const wasThere = isThere(token);
      replicas.set(token, now() + leaseMs);
      return wasThere;
    },
    take(lane, holder) {
      const before = look(lane, holder);
      const present = held.get(lane);
      if (before === 'another' && present) present.isWanted = true;
      else held.set(lane, { holder, isWanted: false });
      if (before === 'another') return 'held';
      return before === 'one that is gone' ? 'taken over' : 'taken';
    },
    release(leases) {
      const ours = leases.filter(({ lane, holder }) => held.get(lane)?.holder === holder);
      const wanted = ours.filter(({ lane }) => held.get(lane)?.isWanted).map(({ lane }) => lane);
      for (const { lane } of ours) held.delete(lane);
      return wanted;
    },
  };
}

/** A holder of a lane begins with the token of its replica. */
function tokenOf(holder: string): string {
  return holder.slice(0, 36);
}

import type { Person } from '../conversation/question.ts';
import { toDecided } from '../conversation/run.ts';
import type { TurnStore } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Log } from '../log.ts';

export type SweepPorts = {
  turns: TurnStore;
  /** Whether this person has signed in by now. */
  isLinked(person: Person): Promise<boolean>;
  wake(lane: string): void;
  /** The sweep interval, in ms. */
  everyMs: number;
  /** Looks for people who have left. Called at every sweep, and not waited for: a slow Slack must not delay the sweeper. */
  lookForLeavers(): void;
  /** Removes records that are past their retention. */
  forgetOld(): Promise<number>;
  now(): number;
  log: Log;
};

/** The name of the sweeper's own lane. It contains no colon, so no turn can have it. */
export const SWEEPER_LANE = 'sweeper';

const FORGET_EVERY_MS = 3_600_000;

/** Periodic work, on one replica. */
export function createSweeper(ports: SweepPorts): () => Promise<number> {
  // Each replica counts its own hour: forgetting twice is harmless.
  let forgottenAt = 0;

  return async function sweep() {
    await sweepParked(ports);
    ports.lookForLeavers();
    if (Math.abs(ports.now() - forgottenAt) > FORGET_EVERY_MS) {
      forgottenAt = ports.now();
      const records = await ports.forgetOld();
      if (records > 0) ports.log.info({ records }, 'old records removed');
    }
    return ports.now() + ports.everyMs;
  };
}

/** Unparks turns whose sign-in completed while they were being parked, and expires old ones. */
async function sweepParked(ports: SweepPorts): Promise<void> {
  for (const turn of await ports.turns.parked()) {
    if ((turn.notBefore ?? 0) <= ports.now()) await expire(turn, ports);
    else if (await ports.isLinked(turn.question.asker)) {
      for (const lane of await ports.turns.unpark(turn.question.asker)) ports.wake(lane);
    }
  }
}

/** Saves the record as listed: if the turn was unparked since, its fence was raised and the save does nothing. */
async function expire(turn: Turn, ports: SweepPorts): Promise<void> {
  const expired = toDecided(turn, { kind: 'notice', code: 'sign_in_expired' }, ports.now());
  if (await ports.turns.save({ ...turn, ...expired })) ports.wake(turn.lane);
}

// Everything that a process does outside itself goes through here: it takes time, it may be cut, and a process that dies or
// stands still on the way never learns what came of it.
import {
  AdminOutcomeUnknownError,
  AdminThrottledError,
  AdminUnreachableError,
} from '../../src/admin-api/admin-errors.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { OutcomeUnknownError } from '../../src/http/http-errors.ts';
import type { SlackMethod } from '../../src/slack/web/methods.ts';
import { SlackRateLimitedError, SlackUnavailableError } from '../../src/slack/web/slack-errors.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * What is wrong with the world at the moment: shares of calls, 0 to 1. `death`: a process dies right before or after a call.
 * `stall`: it stands still just as an answer reaches it, for longer than its leases last.
 */
export type Weather = typeof FAIR;

export const FAIR = {
  ...{ storeCut: 0, storeReplyLost: 0, slackLimited: 0, slackDown: 0, slackInDoubt: 0 },
  ...{ serviceRefuses: 0, serviceInDoubt: 0, providerDown: 0, adminRefuses: 0, adminInDoubt: 0, death: 0, stall: 0 },
};

export type NetworkOptions = {
  /** False: the store is in the process itself. */
  isShared: boolean;
  time: VirtualTime;
  random: Random;
  weather(): Weather;
  /** Ends the process that runs now. */
  kill(): void;
};

export type Network = ReturnType<typeof createNetwork>;

/** A message that Slack takes later than this was never sent: see FIND_AFTER_MS in resume-turn.ts. */
const LATEST_MS = 2_500;

export function createNetwork({ isShared, time, random, weather, kill }: NetworkOptions) {
  /** A process that dies here never gets beyond it. */
  async function mayDie(): Promise<void> {
    if (!random.chance(weather().death)) return;
    kill();
    await time.sleep(0);
  }

  /** What was sent arrives, whatever becomes of its sender; the answer reaches only a process that runs. */
  function send<T>(operation: () => T, { outMs, backMs }: { outMs: number; backMs: number }): Promise<T> {
    const sender = time.current();
    return new Promise((resolve, reject) => {
      time.arrive(outMs, () => {
        let answer: () => void;
        try {
          const result = operation();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error);
        }
        if (sender && random.chance(weather().stall)) sender.frozenUntil = time.now() + random.between(11_000, 20_000);
        time.arrive(backMs, answer, sender);
      });
    });
  }

  async function store<T>(operation: () => T): Promise<T> {
    await mayDie();
    const { storeCut, storeReplyLost } = weather();
    const cut = () => {
      if (random.chance(storeCut)) throw new StoreUnavailableError('the connection is cut');
      return operation();
    };
    if (!isShared) await time.sleep(random.next() * 4);
    const result = isShared ? await send(cut, { outMs: random.next() * 2, backMs: random.next() * 2 }) : cut();
    await mayDie();
    if (random.chance(storeReplyLost)) throw new StoreUnavailableError('the reply is lost');
    return result;
  }

  async function slack(method: SlackMethod, operation: () => object): Promise<object> {
    await mayDie();
    const { slackLimited, slackDown, slackInDoubt } = weather();
    const take = () => {
      if (random.chance(slackLimited)) throw new SlackRateLimitedError(method, random.between(1, 4) * 1_000);
      if (random.chance(slackDown)) throw new SlackUnavailableError(method);
      return operation();
    };
    if (random.chance(slackInDoubt)) {
      await loseSight(operation);
      throw new OutcomeUnknownError('https://slack.example', 'reset');
    }
    const result = await send(take, { outMs: random.between(5, 60), backMs: random.between(5, 60) });
    await mayDie();
    return result;
  }

  /** It is taken now, later, or never; nobody is told. */
  async function loseSight(operation: () => unknown): Promise<void> {
    if (random.chance(0.7)) time.at(time.now() + random.between(1, LATEST_MS), () => void attempt(operation));
    await time.sleep(random.between(10, 10_000));
  }

  async function admin<T>(operation: () => T, isWrite: boolean): Promise<T> {
    await mayDie();
    const { adminRefuses, adminInDoubt } = weather();
    const take = () => {
      if (!random.chance(adminRefuses)) return operation();
      throw random.chance(0.5) ? new AdminThrottledError('it', 2_000) : new AdminUnreachableError('it');
    };
    if (isWrite && random.chance(adminInDoubt)) {
      await loseSight(operation);
      throw new AdminOutcomeUnknownError('it');
    }
    const result = await send(take, { outMs: random.between(5, 100), backMs: random.between(5, 100) });
    await mayDie();
    return result;
  }

  async function call<T>(operation: () => T, tookMs: number): Promise<T> {
    await mayDie();
    const result = await send(operation, { outMs: random.between(5, 40), backMs: tookMs });
    await mayDie();
    return result;
  }

  return { store, slack, admin, call, mayDie };
}

function attempt(operation: () => unknown): void {
  try {
    operation();
  } catch {
    // What it was about is gone by then: nobody hears of that either.
  }
}

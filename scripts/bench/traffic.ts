import { setTimeout as pause } from 'node:timers/promises';
import type { HookedCall } from '@assistant-bridge/sandbox/slack/faults.ts';
import type { World } from '../../test/app/world.ts';
import { toEnding } from './answers.ts';
import { ASKERS, CHANNEL, toQuestion } from './bench-world.ts';

/** How much is asked, and by whom. Each question is a mention that begins a thread. */
export type Load = {
  turns: number;
  /** How many turns run at once. */
  inFlight: number;
  askers?: readonly string[];
  channel?: string;
  /** Whether the service lets all questions wait: then any post counts as the answer. */
  isWaiting?: boolean;
};

/** A turn takes milliseconds, or seconds behind thousands that wait. After this time it will never end. */
const STUCK_MS = 120_000;

/** The work after an answer, such as the end of the turn's record and the last Slack call, belongs to the turn. */
const SETTLE_MS = 150;

/** Asks everything, and returns how many Slack calls that took. */
export async function runTraffic(world: World, eventsUrl: string, load: Load): Promise<number> {
  const asking = beginAsking(world, eventsUrl, load);
  let left = load.turns;
  const goOn = async () => {
    while (left-- > 0) await asking.ask();
  };
  try {
    await Promise.all(Array.from({ length: load.inFlight }, goOn));
  } finally {
    left = 0;
    await asking.end();
  }
  return asking.slackCalls;
}

/** People who ask the same app or bot. */
export function beginAsking(world: World, eventsUrl: string, how: Omit<Load, 'turns' | 'inFlight'> = {}) {
  const { slack, assistant } = world;
  const { askers = ASKERS, channel = CHANNEL, isWaiting = false } = how;
  const asked = new Map<unknown, { number: number; seen: PromiseWithResolvers<void> }>();
  let numbers = 0;
  let slackCalls = 0;

  function notePost({ arguments: post, response }: HookedCall): void {
    const { number, seen } = asked.get(post.thread_ts) ?? {};
    if (number === undefined || !seen) return;
    asked.delete(post.thread_ts);
    const isRight = response?.ok === true && (isWaiting || JSON.stringify(post).includes(toEnding(number)));
    if (isRight) seen.resolve();
    else seen.reject(new Error(`question ${number} got '${post.text}', and Slack said ok: ${response?.ok}`));
  }

  const remove = slack.faults.onProcessed('*', (call) => {
    slackCalls += 1;
    if (call.method === 'chat.postMessage') notePost(call);
  });
  slack.registration.eventsUrl = eventsUrl;

  return {
    get slackCalls() {
      return slackCalls;
    },
    /** Resolves once the answer is in the thread. Rejects if it is a wrong answer. */
    async ask(): Promise<void> {
      const number = numbers++;
      const asker = slack.as(askers[number % askers.length] ?? '');
      const text = `${slack.mention} ${toQuestion(number)}`;
      const { ts } = await asker.say(channel, text, { twins: 'mention-only', await: 'none' });
      const seen = Promise.withResolvers<void>();
      asked.set(ts, { number, seen });
      const timer = setTimeout(() => seen.reject(new Error(`question ${number} got no answer`)), STUCK_MS);
      await seen.promise.finally(() => clearTimeout(timer));
    },
    /** Waits until nothing more happens after the last answer, and clears the stand-ins. */
    async end(): Promise<void> {
      for (let before = -1; before !== slackCalls; ) {
        before = slackCalls;
        await pause(SETTLE_MS);
      }
      remove();
      slack.workspace.messages.clear();
      assistant.ledger.clear();
    },
  };
}

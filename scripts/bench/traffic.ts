import type { HookedCall } from '../../test/sandbox/slack/faults.ts';
import type { World } from '../../test/sandbox/world.ts';
import { watchAcknowledgements } from './acknowledgements.ts';
import { askerOf, CHANNEL } from './bench-world.ts';

export type Load = {
  turns: number;
  inFlight: number;
  /** How many of the turns go on in threads of the others, from 0 to 0.5. */
  followUps: number;
  /** Whether a mention comes once, or with the `message` event that Slack sends beside it where an app asks for both. */
  twins: 'mention-only' | 'mention-first';
};

/** The moments of one turn as the stand-ins saw them, in ms of `performance.now()`. */
export type Moments = { deliveredAt: number; askedAt: number; answeredAt: number; postedAt: number };

type Run = {
  moments: Moments[];
  /** How long Slack waited for the acknowledgement of each event, in ms. */
  acknowledgedMs: number[];
  elapsedMs: number;
  slackCalls: number;
};

/** A turn takes milliseconds: one that takes this long will never end. */
const STUCK_MS = 30_000;

/**
 * Plays people who ask many questions, which are delivered to the addresses in turn, and notes when each gets where.
 * Resolves when the last answer is in its thread.
 */
export async function runTraffic(world: World, load: Load, eventsUrls: string[]): Promise<Run> {
  const { slack, assistant } = world;
  const watch = watchTurns(world);
  const acknowledgements = watchAcknowledgements();
  const startedAt = performance.now();
  try {
    await withinReason(askAll(world, load, { watch, eventsUrls }), () => watch.moments.length);
    const elapsedMs = performance.now() - startedAt;
    const { moments, slackCalls } = watch;
    return { moments, acknowledgedMs: acknowledgements.waits, elapsedMs, slackCalls };
  } finally {
    watch.end();
    acknowledgements.end();
    slack.workspace.messages.clear();
    assistant.ledger.clear();
  }
}

/** So many pieces of work, `inFlight` of them at once. */
export async function inParallel(
  count: number,
  inFlight: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const goOn = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, goOn));
}

/** A thread goes on with who began it. */
type Thread = { ts: string; asker: string };

type Asking = { watch: Watch; eventsUrls: string[] };

async function askAll(world: World, { turns, inFlight, followUps, twins }: Load, asking: Asking): Promise<void> {
  const later = Math.floor(turns * followUps);
  const threads: Thread[] = [];
  await inParallel(turns - later, inFlight, async () => void threads.push(await ask(world, twins, asking)));
  await inParallel(later, inFlight, async (index) => void (await ask(world, twins, asking, threads[index])));
}

/** Returns the thread, once the answer is in it. */
async function ask({ slack }: World, twins: Load['twins'], asking: Asking, begun?: Thread): Promise<Thread> {
  const { watch, eventsUrls } = asking;
  const number = watch.begin();
  slack.registration.eventsUrl = eventsUrls[number % eventsUrls.length];
  const text = `${slack.mention} what is new about project ${number}?`;
  const asker = begun?.asker ?? askerOf(number);
  const thread = begun ? { threadTs: begun.ts } : {};
  const { ts } = await slack.as(asker).say(CHANNEL, text, { twins, await: 'none', ...thread });
  const asked = begun ?? { ts, asker };
  await watch.untilPosted(number, asked.ts);
  return asked;
}

type Watch = {
  /** Of the turns that have ended. */
  moments: Moments[];
  readonly slackCalls: number;
  /** A new turn is on its way from now on. Returns its number. */
  begin(): number;
  untilPosted(number: number, thread: string): Promise<void>;
  end(): void;
};

function watchTurns({ slack, assistant }: World): Watch {
  const moments: Moments[] = [];
  const turns: Moments[] = [];
  const waiting = new Map<string, { turn: Moments; ended: PromiseWithResolvers<void> }>();
  let slackCalls = 0;

  function notePosted({ arguments: given, response }: HookedCall): void {
    const waits = waiting.get(String(given.thread_ts));
    if (!waits) return;
    const { turn, ended } = waits;
    if (response?.ok !== true) ended.reject(new Error(`Slack refused a post: ${JSON.stringify(response)}`));
    if (turn.answeredAt === 0) ended.reject(new Error(`a post that answers nothing: ${JSON.stringify(given)}`));
    waiting.delete(String(given.thread_ts));
    turn.postedAt = performance.now();
    moments.push(turn);
    ended.resolve();
  }

  const note = (moment: 'askedAt' | 'answeredAt') => (chat: { text: string }) => {
    const turn = turns[toNumber(chat.text)];
    if (turn) turn[moment] = performance.now();
  };
  const removers = [
    assistant.onChat(note('askedAt')),
    assistant.onAnswered(note('answeredAt')),
    slack.faults.onProcessed('*', (call) => {
      slackCalls += 1;
      if (call.method === 'chat.postMessage') notePosted(call);
    }),
  ];

  return {
    moments,
    get slackCalls() {
      return slackCalls;
    },
    begin: () => turns.push({ deliveredAt: performance.now(), askedAt: 0, answeredAt: 0, postedAt: 0 }) - 1,
    untilPosted(number, thread) {
      const ended = Promise.withResolvers<void>();
      const turn = turns[number];
      if (turn) waiting.set(thread, { turn, ended });
      return ended.promise;
    },
    end() {
      for (const remove of removers) remove();
    },
  };
}

function toNumber(text: string): number {
  return Number(/project (\d+)/.exec(text)?.[1]);
}

/** Rejects once nothing has moved for long. */
async function withinReason(work: Promise<void>, count: () => number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let last = -1;
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (count() === last) reject(new Error(`no turn has ended for ${STUCK_MS / 1000} s, after ${last} that had`));
      last = count();
    }, STUCK_MS);
  });
  await Promise.race([work, stuck]).finally(() => clearInterval(timer));
}

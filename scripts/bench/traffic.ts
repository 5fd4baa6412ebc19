import type { HookedCall } from '../../test/sandbox/slack/faults.ts';
import type { World } from '../../test/sandbox/world.ts';
import { ASKER, CHANNEL } from './bench-world.ts';

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

type Run = { moments: Moments[]; elapsedMs: number; slackCalls: number };

export type Traffic = {
  /** Asks so many questions, and resolves when the last answer is in its thread. */
  run(load: Load): Promise<Run>;
};

/** A turn takes milliseconds: one that takes this long will never end. */
const STUCK_MS = 30_000;

type Waiting = { moments: Moments; resolve(): void };

/** Plays a person who asks many questions, and notes when each gets where. */
export function createTraffic({ slack, assistant }: World): Traffic {
  const waiting = new Map<string, Waiting>();
  const byNumber = new Map<number, Moments>();
  let lastNumber = 0;
  let slackCalls = 0;
  let problem: Error | undefined;

  slack.faults.onProcessed('*', (call) => {
    slackCalls += 1;
    if (call.method === 'chat.postMessage') notePosted(call);
  });
  assistant.onChat(({ text }) => {
    const moments = byNumber.get(toNumber(text));
    if (moments) moments.askedAt = performance.now();
  });
  assistant.onAnswered(({ text }) => {
    const moments = byNumber.get(toNumber(text));
    if (moments) moments.answeredAt = performance.now();
  });

  function notePosted(call: HookedCall): void {
    const thread = String(call.arguments.thread_ts);
    const turn = waiting.get(thread);
    if (call.response?.ok !== true) problem ??= new Error(`Slack refused a post: ${JSON.stringify(call.response)}`);
    if (!turn?.moments.answeredAt) problem ??= new Error(`a post in thread ${thread} that answers nothing`);
    if (!turn) return;
    waiting.delete(thread);
    turn.moments.postedAt = performance.now();
    turn.resolve();
  }

  /** Returns the thread. */
  async function ask(moments: Moments[], twins: Load['twins'], threadTs?: string): Promise<string> {
    lastNumber += 1;
    const turn: Moments = { deliveredAt: performance.now(), askedAt: 0, answeredAt: 0, postedAt: 0 };
    byNumber.set(lastNumber, turn);
    const text = `${slack.mention} what is new about project ${lastNumber}?`;
    const thread = threadTs === undefined ? {} : { threadTs };
    const { ts } = await slack.as(ASKER).say(CHANNEL, text, { twins, await: 'none', ...thread });
    await new Promise<void>((resolve) => waiting.set(threadTs ?? ts, { moments: turn, resolve }));
    moments.push(turn);
    return threadTs ?? ts;
  }

  async function askAll({ turns, inFlight, followUps, twins }: Load, moments: Moments[]): Promise<void> {
    const later = Math.floor(turns * followUps);
    const threads: string[] = [];
    await inParallel(turns - later, inFlight, async () => void threads.push(await ask(moments, twins)));
    await inParallel(later, inFlight, async (index) => void (await ask(moments, twins, threads[index])));
  }

  return {
    async run(load) {
      const moments: Moments[] = [];
      const callsBefore = slackCalls;
      const startedAt = performance.now();
      await withinReason(askAll(load, moments), () => moments.length);
      const elapsedMs = performance.now() - startedAt;
      if (problem) throw problem;
      byNumber.clear();
      slack.workspace.messages.clear();
      assistant.ledger.clear();
      return { moments, elapsedMs, slackCalls: slackCalls - callsBefore };
    },
  };
}

function toNumber(text: string): number {
  return Number(/project (\d+)/.exec(text)?.[1]);
}

async function inParallel(count: number, inFlight: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const goOn = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, goOn));
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

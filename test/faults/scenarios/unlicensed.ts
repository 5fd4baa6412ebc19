import { setTimeout as sleep } from 'node:timers/promises';
import { ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { createPlainVerifier } from '@assistant-bridge/sandbox/loopback/token-holder.ts';
import type { SaidMessage } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import { startAppProcess } from '../../app/app-process.ts';
import { startRedis } from '../../app/redis-server.ts';
import { startWorld, type World } from '../../app/world.ts';
import type { Scenario } from '../scenario.ts';
import { addSignedInPeople, toUserId } from '../signed-in-people.ts';
import { holds, none, percentile, toPercentiles, type Verdict } from '../verdict.ts';

const UNLICENSED = Array.from({ length: 10 }, (_, index) => `unlicensed${index}`);
const OTHERS = ['one', 'two', 'three'];

const SPEAK_EVERY_MS = 1_000;

/** What the service takes for an answer. */
const LATENCY_MS = 200;

const ANSWER_TIMEOUT_MS = 30_000;

/** A machine that does more takes longer; what waits for a circuit takes fifty times as long. */
const MOST_TIMES_AS_LONG = 3;

export const unlicensed: Scenario = {
  name: 'unlicensed',
  about:
    'for so many seconds, ten people whom the service refuses for good ask once a second, and three others as well',
  counts: { redis: 60, sqlite: 60 },
  async run({ store, count, progress }) {
    const redis = store === 'redis' ? await startRedis() : undefined;
    const world = await startWorld({
      slack: { retry: 'none', echoOwnMessages: false },
      assistant: {
        verifyToken: createPlainVerifier(ASSISTANT_SCOPE),
        answer: ({ text }) => toAnswer(text),
        latencyMs: LATENCY_MS,
      },
    });
    for (const name of UNLICENSED) world.assistant.access.unlicensed.set(name, '500-wrapped-403');
    await addSignedInPeople(world, [...UNLICENSED, ...OTHERS], redis?.url);
    const app = await startAppProcess({ ...world.environment, ...(redis && { REDIS_URL: redis.url }) });
    try {
      progress('others alone');
      const [alone] = await Promise.all(OTHERS.map((name) => askForLong(world, name, Math.ceil(count / 2)))).then(
        merge,
      );
      progress('with ten who may not ask');
      const refusals = UNLICENSED.map((name) => speakForLong(world, name, count));
      const [beside, unanswered] = await Promise.all(OTHERS.map((name) => askForLong(world, name, count))).then(merge);
      return judge(alone, beside, unanswered, await Promise.all(refusals));
    } finally {
      await app.kill('SIGTERM');
      await world.close();
      await redis?.close();
    }
  },
};

/** How long was waited for each answer, in ms, and the questions that got none. */
type Asked = [times: number[], unanswered: string[]];

function merge(all: Asked[]): Asked {
  return [all.flatMap(([times]) => times), all.flatMap(([, unanswered]) => unanswered)];
}

/** One question a second, in a thread of their own. */
async function askForLong(world: World, name: string, seconds: number): Promise<Asked> {
  const times: number[] = [];
  const unanswered: string[] = [];
  await speakEverySecond(world, name, seconds, async (said, text, saidAt) => {
    if (!(await waitFor(world, name, said, toAnswer(text)))) unanswered.push(`${name}: ${text}`);
    times.push(performance.now() - saidAt);
  });
  return [times, unanswered];
}

/** The same, of somebody who is refused each time. Resolves with how often they were told so. */
async function speakForLong(world: World, name: string, seconds: number): Promise<number> {
  let root: SaidMessage | undefined;
  await speakEverySecond(world, name, seconds, async (said) => {
    root ??= said;
  });
  await sleep(SPEAK_EVERY_MS);
  const { dm } = world.slack.as(toUserId(name));
  return repliesIn(world, name, { channel: dm, ts: root?.ts ?? '' }).length;
}

async function speakEverySecond(
  { slack }: World,
  name: string,
  seconds: number,
  onSaid: (said: SaidMessage, text: string, saidAt: number) => Promise<void>,
): Promise<void> {
  const person = slack.as(toUserId(name));
  const pending: Promise<void>[] = [];
  let thread = {};
  for (let second = 0; second < seconds; second++) {
    const text = `question ${second} of ${name} at ${Date.now()}`;
    const saidAt = performance.now();
    const said = await person.say(person.dm, text, { await: 'none', ...thread });
    if (second === 0) thread = { threadTs: said.ts };
    pending.push(onSaid(said, text, saidAt));
    await sleep(SPEAK_EVERY_MS);
  }
  await Promise.all(pending);
}

async function waitFor(world: World, name: string, said: SaidMessage, answer: string): Promise<boolean> {
  const place = { channel: said.channel, ts: said.threadTs ?? said.ts };
  const isThere = () => repliesIn(world, name, place).some((text) => text.includes(answer));
  return world.slack.until(isThere, { timeoutMs: ANSWER_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

function repliesIn({ slack }: World, name: string, { channel, ts }: { channel: string; ts: string }): string[] {
  return slack
    .as(toUserId(name))
    .sees(channel, ts)
    .filter(({ botId }) => botId)
    .map((message) => slack.render(message));
}

function toAnswer(text: string): string {
  return `The answer to ${text}.`;
}

function judge(alone: number[], beside: number[], unanswered: string[], refusals: number[]): Verdict {
  const isAsBefore = (share: number) =>
    percentile(beside, share) <= MOST_TIMES_AS_LONG * Math.max(percentile(alone, share), LATENCY_MS);
  const untold = UNLICENSED.filter((_, index) => !refusals[index]);
  return {
    facts: [
      ['answers to others, alone', toPercentiles(alone)],
      ['answers to others, beside those ten', toPercentiles(beside)],
      ['refusals shown', String(refusals.reduce((sum, shown) => sum + shown, 0))],
    ],
    criteria: [
      none('questions of others without an answer', unanswered),
      none('people who were never told why they may not ask', untold),
      // What is left for the short form is the first: behind an open circuit they wait for longer than they are waited for.
      {
        ...holds('others are answered as if they were not there', isAsBefore(0.5), toPercentiles(beside)),
        isTiming: true,
      },
      { ...holds('even the slowest answer', isAsBefore(1), toPercentiles(beside)), isTiming: true },
    ],
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, SEEDED } from '../cluster.ts';
import type { Said } from '../journal.ts';
import { lookUntil } from '../look-until.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { toUserId } from '../signed-in-people.ts';
import { speak } from '../speak.ts';
import { inCluster } from '../under-load.ts';
import { holds, none, percentile, toPercentiles } from '../verdict.ts';

const UNLICENSED = SEEDED.slice(0, 10);
const OTHERS = SEEDED.slice(10, 13);

const SPEAK_EVERY_MS = 1_000;

/** What the service takes for an answer. */
const ANSWER_MS = 200;

const ANSWER_TIMEOUT_MS = 30_000;

/** A machine that does more takes longer; what waits for a circuit takes fifty times as long. */
const MOST_TIMES_AS_LONG = 3;

export const unlicensed: Scenario = {
  name: 'unlicensed',
  about:
    'for so many seconds, ten people whom the service refuses for good ask once a second, and three others as well',
  counts: { redis: 60, sqlite: 60 },
  run(options) {
    const cluster = { leaseSeconds: USUAL_LEASE_SECONDS, replicas: 1, answerMs: () => ANSWER_MS };
    return inCluster(options, { cluster }, async (running) => {
      const { world, journal } = running;
      options.progress('others alone');
      const alone = await speakForLong(running, OTHERS, Math.ceil(options.count / 2));
      options.progress('with ten who may not ask');
      for (const name of UNLICENSED) world.assistant.access.unlicensed.set(name, '500-wrapped-403');
      const [refused, beside] = await Promise.all([
        speakForLong(running, UNLICENSED, options.count),
        speakForLong(running, OTHERS, options.count),
      ]);
      await lookUntil(() => [...alone, ...beside].every(({ ending }) => ending), ANSWER_TIMEOUT_MS);
      const isTold = (said: Said) => world.slack.as(said.author).sees(said.channel, said.threadTs).length > 1;
      const told = new Set(refused.filter(isTold).map(({ author }) => author));
      for (const { number } of refused) {
        await journal.untilAcknowledged(number);
        // Nobody misses an answer to it.
        journal.deleting(number);
      }
      const unanswered = [...alone, ...beside].filter(({ ending }) => ending !== 'answer');
      const [before, after] = [alone, beside].map((all) =>
        all.map(({ saidAt, repliedAt = Infinity }) => repliedAt - saidAt),
      );
      const isAsBefore = (share: number) =>
        percentile(after ?? [], share) <= MOST_TIMES_AS_LONG * Math.max(percentile(before ?? [], share), ANSWER_MS);
      return () => ({
        facts: [
          ['answers to others, alone', toPercentiles(before ?? [])],
          ['answers to others, beside those ten', toPercentiles(after ?? [])],
        ],
        criteria: [
          none(
            'questions of others without an answer',
            unanswered.map(({ number }) => `item ${number}`),
          ),
          none(
            'people who were never told why they may not ask',
            UNLICENSED.filter((name) => !told.has(toUserId(name))),
          ),
          // What is left for the short form is the first: behind an open circuit they wait for longer than they are waited for.
          {
            ...holds('others are answered as if they were not there', isAsBefore(0.5), toPercentiles(after ?? [])),
            isTiming: true,
          },
          { ...holds('even the slowest answer', isAsBefore(1), toPercentiles(after ?? [])), isTiming: true },
        ],
      });
    });
  },
};

/** Each one question a second, in a thread of their own in their direct messages. */
async function speakForLong(cluster: Cluster, names: readonly string[], seconds: number): Promise<Said[]> {
  const speakEverySecond = async (name: string) => {
    const said: Said[] = [];
    for (let second = 0; second < seconds; second++) {
      said.push(await speak(cluster, { author: toUserId(name), thread: said[0], isDirect: true }));
      await sleep(SPEAK_EVERY_MS);
    }
    return said;
  };
  return (await Promise.all(names.map(speakEverySecond))).flat();
}

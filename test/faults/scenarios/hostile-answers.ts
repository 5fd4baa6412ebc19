import { setTimeout as sleep } from 'node:timers/promises';
import { RenderTimeoutError } from '../../../src/slack/text-out/markdown-tree.ts';
import { MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { renderMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { cpuMs, cpuOf, STAGES } from '../../slack/text-out/held-thread.ts';
import { makeHostileText } from '../../slack/text-out/hostile-texts.ts';
import { watchAcknowledgements } from '../acknowledgements.ts';
import type { Cluster } from '../cluster.ts';
import { toAnswerText } from '../item.ts';
import { lookUntil } from '../look-until.ts';
import { type Scenario, type ScenarioOptions, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { speak } from '../speak.ts';
import { inCluster } from '../under-load.ts';
import { atMost, none, toPercentiles, type Verdict } from '../verdict.ts';

const LENGTH = 60_000;

const HELD_LIMIT_MS = 100;

/** Of the texts, through the whole app: one in so many. */
const APP_SHARE = 40;

/** Of the questions asked of the app, one in so many gets such an answer; the others are those that must not wait. */
const ROUND = 5;

const SPEAK_EVERY_MS = 100;
const PROBE_EVERY_MS = 25;

/** What the machine itself takes, for comparison. */
const QUIET_MS = 3_000;

const OPEN_TIMEOUT_MS = 60_000;

const PROGRESS_EVERY = 100;
const WARM_UP = 100;

export const hostileAnswers: Scenario = {
  name: 'hostile-answers',
  about: `answers of ${LENGTH} characters that are made to be slow to read, so many; one in ${APP_SHARE} through the app`,
  counts: { sqlite: 10_000 },
  async run(options) {
    // The thread that renders keeps no process alive.
    const alive = setInterval(() => undefined, 1_000);
    const rendered = await renderAll(options).finally(() => clearInterval(alive));
    const answered = await answerAll(options);
    return {
      facts: [...rendered.facts, ...answered.facts],
      criteria: [...rendered.criteria, ...answered.criteria],
    };
  },
};

/** In this process, which has nothing else to do: what each text does to the thread that serves everybody. */
async function renderAll({ count, seed, progress }: ScenarioOptions): Promise<Verdict> {
  const worst: Record<string, { ms: number; pattern: string }> = {};
  const unsafe: string[] = [];
  const workerMs: number[] = [];
  let givenUp = 0;
  const note = (name: string, ms: number, pattern: string) => {
    if (ms > (worst[name]?.ms ?? 0)) worst[name] = { ms, pattern };
  };
  warmUp(Math.min(count, WARM_UP));
  for (let number = 0; number < count; number += 1) {
    const { pattern, text } = makeHostileText(number, LENGTH, seed);
    for (const [name, stage] of Object.entries(STAGES)) {
      note(
        name,
        cpuOf(() => stage(text)),
        pattern,
      );
    }
    const [begunAt, cpuBefore] = [performance.now(), cpuMs()];
    const shown = await renderMarkdown(text, MESSAGE_BUDGET).catch(toNothing);
    note('an answer is rendered elsewhere', cpuMs() - cpuBefore, pattern);
    workerMs.push(performance.now() - begunAt);
    if (shown === undefined) givenUp += 1;
    else if (shown.some((part) => part.text.includes('<'))) unsafe.push(pattern);
    if (number % PROGRESS_EVERY === 0) progress(`${number} texts rendered`);
  }
  return {
    facts: [
      ['texts rendered in', toPercentiles(workerMs)],
      ['texts given up, to be shown as they are', String(givenUp)],
      ...Object.entries(worst).map(([name, { ms, pattern }]): [string, string] => [
        `most while ${name}`,
        `${Math.round(ms)} ms: ${pattern}`,
      ]),
    ],
    criteria: [
      none('texts that were rendered with an angle bracket', unsafe),
      atMost('the thread is held', Math.max(...Object.values(worst).map(({ ms }) => ms)), HELD_LIMIT_MS, 'ms'),
    ],
  };
}

/** What is measured is the code as it runs for years, and not that it is compiled. */
function warmUp(texts: number): void {
  for (let number = 0; number < texts; number += 1) {
    for (const stage of Object.values(STAGES)) stage(makeHostileText(number, 3_000, 0).text);
  }
}

function toNothing(error: unknown): undefined {
  if (!(error instanceof RenderTimeoutError)) throw error;
}

/** Through the app: others talk to it meanwhile, and its health is looked at. */
function answerAll(options: ScenarioOptions): Promise<Verdict> {
  const answerText = (item: number) => toAnswer(item, options.seed);
  const setting = {
    cluster: { leaseSeconds: USUAL_LEASE_SECONDS, replicas: 1, answerText },
    // A long answer is several messages.
    ignored: ['duplicates'],
    openTimeoutMs: OPEN_TIMEOUT_MS,
  } as const;
  return inCluster(options, setting, async (cluster) => {
    const acknowledgements = watchAcknowledgements(cluster.balancer);
    const quiet = probeHealth(cluster);
    await sleep(QUIET_MS);
    const quietMs = await quiet.stop();
    const probes = probeHealth(cluster);
    for (let left = Math.ceil(options.count / APP_SHARE); left > 0; left -= 1) {
      options.progress(`${left} answers to go`);
      await playRound(cluster);
    }
    const healthMs = await probes.stop();
    const { facts, criteria } = acknowledgements.judge();
    return () => ({
      facts: [
        ...facts,
        ['/health answered after', toPercentiles(healthMs)],
        ['before anybody asked, after', toPercentiles(quietMs)],
      ],
      criteria: [
        ...criteria,
        atMost('acknowledged', Math.max(...acknowledgements.times()), HELD_LIMIT_MS, 'ms'),
        atMost('/health answered', Math.max(...healthMs), HELD_LIMIT_MS, 'ms'),
      ],
    });
  });
}

function toAnswer(item: number, seed: number): string {
  const said = toAnswerText(item);
  return item % ROUND === 1 ? `${said}\n\n${makeHostileText(item, LENGTH, seed).text}` : said;
}

async function playRound(cluster: Cluster): Promise<void> {
  for (let spoken = 0; spoken < ROUND; spoken += 1) {
    await speak(cluster, { author: spoken === 0 ? 'U0ANA' : 'U0BEN' });
    await sleep(SPEAK_EVERY_MS);
  }
  await lookUntil(() => cluster.journal.open().length === 0, OPEN_TIMEOUT_MS);
}

/** Looks at the replica itself until it is stopped; resolves with how long each look took, in ms. */
function probeHealth({ replicas: [replica] }: Cluster): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      const begunAt = performance.now();
      await fetch(`http://127.0.0.1:${replica?.port}/health`).then((response) => response.text());
      times.push(performance.now() - begunAt);
      await sleep(PROBE_EVERY_MS);
    }
    return times;
  })();
  return {
    stop() {
      isStopped = true;
      return done;
    },
  };
}

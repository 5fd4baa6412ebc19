import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Breach, Checked } from '../../slack/text-out/check-generated.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { none } from '../verdict.ts';

const WORKER = new URL('../../slack/text-out/check-generated-worker.ts', import.meta.url);

const AT_ONCE = 5_000;

/** Enough to see what is wrong. */
const MOST_BREACHES = 50;

export const generatedAnswers: Scenario = {
  name: 'generated-answers',
  about: 'answers out of a grammar of all that could mention somebody or pass for another link, so many',
  counts: { sqlite: 10_000_000 },
  async run(options) {
    const workers = Array.from({ length: Math.min(availableParallelism(), options.count) }, () => new Worker(WORKER));
    try {
      const { answers, texts, breaches } = await checkAll(workers, options);
      return {
        facts: [
          ['answers', String(answers)],
          ['texts in them that Slack reads', String(texts)],
        ],
        criteria: [none('live mentions and forged links', breaches.map(describe))],
      };
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  },
};

async function checkAll(workers: Worker[], { count, seed, progress }: ScenarioOptions): Promise<Checked> {
  const sum: Checked = { answers: 0, texts: 0, breaches: [] };
  let begun = 0;
  const goOn = async (worker: Worker) => {
    while (begun < count && sum.breaches.length < MOST_BREACHES) {
      const from = begun;
      begun = Math.min(count, begun + AT_ONCE);
      worker.postMessage({ from, to: begun, seed });
      const [{ answers, texts, breaches }] = (await once(worker, 'message')) as [Checked];
      sum.answers += answers;
      sum.texts += texts;
      sum.breaches.push(...breaches);
      const last = sum.breaches.at(-1);
      progress(`${sum.answers} answers, ${sum.breaches.length} breaches${last ? `, the last ${describe(last)}` : ''}`);
    }
  };
  await Promise.all(workers.map(goOn));
  return sum;
}

function describe({ number, live, source, shown }: Breach): string {
  return `${number}: ${live}\n  of ${JSON.stringify(source)}\n  as ${JSON.stringify(shown)}`.slice(0, 3_000);
}

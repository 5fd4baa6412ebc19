import type { Cluster } from './cluster.ts';
import type { Ending } from './ending.ts';
import type { Said } from './journal.ts';
import { lookUntil } from './look-until.ts';
import type { ScenarioOptions } from './scenario.ts';
import { speak } from './speak.ts';
import { inCluster } from './under-load.ts';
import { none, type Verdict } from './verdict.ts';

/** A moment of a turn that the outside sees. `called`: the request has come; `processed`: only the answer is missing. */
export type Step =
  | `slack called ${string}`
  | `slack processed ${string}`
  | `service ${'created' | 'asked' | 'answered'}`;

/** What happens at which steps, one after the other in the same turn, and how the turn has to end all the same. */
export type StepCase = { steps: Step[]; ending: Ending };

/** Does something at the step, once it comes, and resolves afterwards. False: it did not come. */
export type Strike = (cluster: Cluster, step: Step, said: Promise<Said>) => Promise<boolean>;

export const STEP_TIMEOUT_MS = 60_000;

/** Plays all cases in each of so many rounds, one turn at a time, and judges them. */
export function playSteps(
  options: ScenarioOptions,
  { replicas, cases, strike }: { replicas: number; cases: readonly StepCase[]; strike: Strike },
): Promise<Verdict> {
  return inCluster(options, { cluster: { replicas } }, async (cluster) => {
    const wrong: string[] = [];
    for (let round = 1; round <= options.count; round++) {
      for (const one of cases) {
        const problem = await play(cluster, one, strike);
        if (problem) wrong.push(`${one.steps.join(', then ')}: ${problem}`);
      }
      options.progress(`${round} rounds of ${cases.length} cases`);
    }
    return () => ({ criteria: [none('unexpected ends', wrong)] });
  });
}

/** Returns what went wrong. */
async function play(cluster: Cluster, { steps, ending }: StepCase, strike: Strike): Promise<string | undefined> {
  const { people, random, journal, replicas } = cluster;
  // A process that remembers nobody asks Slack about them.
  const isAboutPeople = steps.some((step) => step.endsWith(' users.info'));
  for (const replica of isAboutPeople ? replicas : []) await replica.kill().then(replica.start);
  const { promise, resolve } = Promise.withResolvers<Said>();
  const [first, ...later] = steps.map((step) => () => strike(cluster, step, promise));
  const struck = first?.();
  resolve(await speak(cluster, { author: random.pick(people), twins: 'mention-only' }));
  if (!(await struck)) return 'the first step did not come';
  for (const next of later) if (!(await next())) return 'a later step did not come';
  const { number } = await promise;
  const end = () => journal.get(number)?.ending;
  await lookUntil(() => end() !== undefined, STEP_TIMEOUT_MS);
  return end() === ending ? undefined : `ended as ${end()}, not as ${ending}`;
}

/** Calls `strike` whenever the step comes, which goes on when that resolves: `drop`: it does not. Returns what removes it. */
export function hookInto(
  { slack, assistant }: Cluster['world'],
  step: Step,
  strike: () => Promise<'drop' | undefined>,
): () => void {
  const [side, moment, method = ''] = step.split(' ');
  const strikeOnly = async () => void (await strike());
  if (moment === 'created') return assistant.onCreated(strikeOnly);
  if (moment === 'asked') return assistant.onChat(strikeOnly);
  if (moment === 'answered') return assistant.onAnswered(strikeOnly);
  if (side === 'slack' && moment === 'processed') return slack.faults.onProcessed(method, strikeOnly);
  return slack.faults.onCall(method, strike);
}

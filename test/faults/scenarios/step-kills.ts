import { type Cluster, startCluster } from '../cluster.ts';
import type { Ending } from '../ending.ts';
import { lookUntil } from '../look-until.ts';
import type { Scenario } from '../scenario.ts';
import { settle } from '../settle.ts';
import { speak } from '../speak.ts';
import { none, toCriteria, toFacts } from '../verdict.ts';

/** A moment that the outside sees. `called`: the request is lost with the process; `processed`: only the answer is. */
type Step = `slack called ${string}` | `slack processed ${string}` | `service ${'created' | 'asked' | 'answered'}`;

/** Where the process dies, one step after the other in the same turn, and how the turn has to end all the same. */
const CASES: { steps: Step[]; ending: Ending }[] = [
  { steps: ['service created'], ending: 'answer' },
  { steps: ['slack called users.info'], ending: 'answer' },
  { steps: ['slack processed users.info'], ending: 'answer' },
  { steps: ['service asked'], ending: 'interrupted' },
  { steps: ['service answered'], ending: 'interrupted' },
  { steps: ['slack called chat.postMessage'], ending: 'answer' },
  { steps: ['slack processed chat.postMessage'], ending: 'answer' },
  { steps: ['slack processed chat.postMessage', 'slack called conversations.replies'], ending: 'answer' },
  { steps: ['slack processed chat.postMessage', 'slack processed chat.update'], ending: 'answer' },
  { steps: ['service asked', 'slack called chat.postMessage'], ending: 'interrupted' },
  { steps: ['service asked', 'slack processed chat.postMessage'], ending: 'interrupted' },
];

const STEP_TIMEOUT_MS = 60_000;

export const stepKills: Scenario = {
  name: 'step-kills',
  about: 'kill -9 at each step of a turn that the outside sees, and again while it is picked up; so many rounds',
  counts: { redis: 10, sqlite: 10 },
  async run(options) {
    const cluster = await startCluster({ ...options, replicas: 1 });
    const wrong: string[] = [];
    try {
      for (let round = 1; round <= options.count; round++) {
        for (const { steps, ending } of CASES) {
          const problem = await play(cluster, steps, ending);
          if (problem) wrong.push(`${steps.join(', then ')}: ${problem}`);
        }
        options.progress(`${round} rounds of ${CASES.length} cases`);
      }
      const tally = await settle(cluster);
      return { facts: toFacts(tally), criteria: [...toCriteria(tally), none('unexpected ends', wrong)] };
    } finally {
      await cluster.close();
    }
  },
};

/** Returns what went wrong. */
async function play(cluster: Cluster, steps: Step[], ending: Ending): Promise<string | undefined> {
  const { people, random, journal, replicas } = cluster;
  // A process that remembers nobody asks Slack about them.
  for (const replica of replicas) await replica.kill().then(replica.start);
  const [first, ...later] = steps.map((step) => () => killAt(cluster, step));
  const killed = first?.();
  const said = await speak(cluster, { author: random.pick(people), twins: 'mention-only' });
  if (!(await killed)) return 'the first step did not come';
  for (const next of later) if (!(await next())) return 'a later step did not come';
  await lookUntil(() => said.repliedAt !== undefined, STEP_TIMEOUT_MS);
  const found = journal.get(said.number)?.ending;
  return found === ending ? undefined : `ended as ${found}, not as ${ending}`;
}

/** Kills the app at the step, and starts it again. False: the step did not come. */
async function killAt({ world, replicas }: Cluster, step: Step): Promise<boolean> {
  const [replica] = replicas;
  let isKilled = false;
  const remove = hookInto(world, step, async () => {
    if (isKilled) return;
    isKilled = true;
    await replica?.kill();
  });
  const hasCome = await lookUntil(() => isKilled && replica?.state === 'down', STEP_TIMEOUT_MS);
  remove();
  if (hasCome) await replica?.start();
  return hasCome;
}

/** Returns a function that removes the hook. */
function hookInto({ slack, assistant }: Cluster['world'], step: Step, strike: () => Promise<void>): () => void {
  const [side, moment, method = ''] = step.split(' ');
  if (moment === 'created') return assistant.onCreated(strike);
  if (moment === 'asked') return assistant.onChat(strike);
  if (moment === 'answered') return assistant.onAnswered(strike);
  if (side === 'slack' && moment === 'processed') return slack.faults.onProcessed(method, strike);
  return slack.faults.onCall(method, async () => {
    await strike();
    return 'drop';
  });
}

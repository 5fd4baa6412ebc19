import { lookUntil } from '../look-until.ts';
import type { Scenario } from '../scenario.ts';
import { hookInto, playSteps, STEP_TIMEOUT_MS, type StepCase, type Strike } from '../steps.ts';

/** Where the process dies. */
const CASES: StepCase[] = [
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

export const stepKills: Scenario = {
  name: 'step-kills',
  about: 'kill -9 at each step of a turn that the outside sees, and again while it is picked up; so many rounds',
  counts: { redis: 10, sqlite: 10 },
  run: (options) => playSteps(options, { replicas: 1, cases: CASES, strike: kill }),
};

/** Kills the app at the step, and starts it again. */
const kill: Strike = async ({ world, replicas }, step) => {
  const [replica] = replicas;
  let isKilled = false;
  const remove = hookInto(world, step, async () => {
    if (!isKilled) {
      isKilled = true;
      await replica?.kill();
    }
    return 'drop';
  });
  const hasCome = await lookUntil(() => isKilled && replica?.state === 'down', STEP_TIMEOUT_MS);
  remove();
  if (hasCome) await replica?.start();
  return hasCome;
};

import { setTimeout as sleep } from 'node:timers/promises';
import { lookUntil } from '../look-until.ts';
import type { Replica } from '../replica.ts';
import type { Scenario } from '../scenario.ts';
import { hookInto, playSteps, STEP_TIMEOUT_MS, type StepCase, type Strike } from '../steps.ts';

/** Where the replica is frozen that has accepted the turn, and runs it; the other one takes over. */
const CASES: StepCase[] = [
  { steps: ['slack called users.info'], ending: 'answer' },
  { steps: ['slack processed users.info'], ending: 'answer' },
  { steps: ['service created'], ending: 'answer' },
  { steps: ['service asked'], ending: 'interrupted' },
  { steps: ['service answered'], ending: 'interrupted' },
  { steps: ['slack called chat.postMessage'], ending: 'answer' },
  { steps: ['slack processed chat.postMessage'], ending: 'answer' },
];

/** Ten seconds with the usual lease of these runs. */
const FROZEN_LEASES = 2.5;

export const stepFreezes: Scenario = {
  name: 'step-freezes',
  about: 'one of two replicas frozen for 2.5 leases at each step of its turn that the outside sees; so many rounds',
  counts: { redis: 10 },
  run: (options) => playSteps(options, { replicas: 2, cases: CASES, strike: freeze }),
};

/** Freezes the replica at the step, and lets it go on as if nothing had been. */
const freeze: Strike = async ({ world, replicas, journal, leaseMs }, step, said) => {
  let isStruck = false;
  let frozen: Replica | undefined;
  const remove = hookInto(world, step, async () => {
    if (isStruck) return undefined;
    isStruck = true;
    const { number } = await said;
    await journal.untilAcknowledged(number);
    frozen = replicas.find(({ name }) => name === journal.get(number)?.acknowledgedBy);
    frozen?.freeze();
    return undefined;
  });
  const hasCome = await lookUntil(() => frozen !== undefined, STEP_TIMEOUT_MS);
  remove();
  if (hasCome) await sleep(leaseMs * FROZEN_LEASES);
  frozen?.thaw();
  return hasCome;
};

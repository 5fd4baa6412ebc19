import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, by what a whole run took: begun at the end, they would be all that still runs. Those that mostly
 * compute, marked with a star, are not next to each other, but among those that mostly wait.
 */
const LONGEST = [
  'faults/faults',
  'end-to-end/governance-killed',
  'end-to-end/governance-reads',
  'end-to-end/workspace',
  'end-to-end/streaming',
  'end-to-end/kill-stream',
  'faults/short-histories',
  'end-to-end/governance-table',
  'end-to-end/socket-mode',
  'end-to-end/tour',
  'end-to-end/canary',
  'slack/socket-mode/socket-mode',
  'end-to-end/demo',
  'deployment',
  'delivery/bullmq-outage',
  'end-to-end/open-paths',
  'end-to-end/admin-walk',
  'storage/redis-faults',
  'end-to-end/poison',
  'end-to-end/replicas',
  'end-to-end/token-rotation',
  'end-to-end/flood',
  'check-slack',
  'simulation/simulation*',
  'doctor',
  'end-to-end/admin-doctor',
  'end-to-end/admin-access',
  'faults/forgetful-disk',
  'end-to-end/telemetry',
  'end-to-end/signing-secret',
  'end-to-end/outage-for-all',
  'end-to-end/rare-reading',
  'slack/text-out/hostile-texts*',
  'end-to-end/kill-reply',
  'policy-script',
  'end-to-end/outage',
  'conversation/crash',
  'end-to-end/start-errors',
  'compile-cache',
  'end-to-end/one-person-floods',
  'end-to-end/kill-steps',
  'end-to-end/private-answers',
  'end-to-end/store-gone',
  'storage/redis-loss',
  'end-to-end/account',
  'governance/run/killed',
  'slack/catalogue/check-kinds',
  'end-to-end/schedules',
  'identity/pages-in-browser',
  'doctor/sign-in-values',
  'setup-script',
  'slack/payloads/payloads',
  'end-to-end/intake',
  'end-to-end/scheduled-review',
  'end-to-end/backup',
].map((name) => `/test/${name.replace('*', '')}.test.ts`);

/** The last of all: V8 no longer optimises patterns in a process where `exec` was once replaced to count its work. */
const COUNTING = '/growing-cost.test.ts';

/** Begins with these, then the others that start processes, larger ones first; the quick ones fill what is left. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
  if (index !== -1) return index;
  if (project.name !== 'fast') return LONGEST.length;
  return LONGEST.length + (moduleId.endsWith(COUNTING) ? 2 : 1);
}

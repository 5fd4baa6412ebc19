import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest: begun at the end, they would be all that still runs. Those that mostly compute are not next to
 * each other, but among those that mostly wait.
 */
const LONGEST = [
  'faults/faults',
  'faults/forgetful-disk',
  'end-to-end/governance-reads',
  'end-to-end/governance-killed',
  'end-to-end/admin-walk',
  'end-to-end/streaming',
  'end-to-end/kill-stream',
  'end-to-end/one-person-floods',
  'end-to-end/socket-mode',
  'doctor',
  'storage/redis-faults',
  'end-to-end/demo',
  'end-to-end/canary',
  'end-to-end/outage-for-all',
  'doctor/sign-in-values',
  'end-to-end/poison',
  'end-to-end/kill-steps',
  'end-to-end/rare-reading',
  'end-to-end/workspace',
  'end-to-end/start-errors',
  'end-to-end/outage',
  'end-to-end/scheduled-review',
  'delivery/bullmq-outage',
  'storage/redis-settings',
  'end-to-end/kill-reply',
  'end-to-end/windows',
  'slack/web/budget-storm',
  'storage/redis-store',
  'end-to-end/telemetry',
  'deployment',
  'end-to-end/governance-table',
  'end-to-end/admin-access',
  'end-to-end/half-sent',
  'end-to-end/agent-sessions',
  'end-to-end/answers',
  'compile-cache',
  // Of those that start no process.
  'conversation/crash',
  'slack/payloads/payloads',
  'governance/review/review-in-sandbox',
  'slack/text-out/hostile-texts',
  'ops/probes',
  'slack/text-out/generated-answers',
  'slack/socket-mode/socket-mode',
  'slack/text-out/slack-markdown',
  'storage/sqlite-store',
  'slack/text-out/several-messages',
  'slack/web/budgeted-caller',
  'slack/answer-clicks',
  'delivery/in-process-dispatcher',
].map((name) => `/test/${name}.test.ts`);

/** Begins with these, then the others that start processes, larger ones first; the quick ones fill what is left. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
  const place = index === -1 ? LONGEST.length : index;
  return project.name === 'fast' ? place + LONGEST.length + 1 : place;
}

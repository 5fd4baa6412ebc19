import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, by what a whole run took: begun at the end, they would be all that still runs. Those that mostly
 * compute, marked with a star, are not next to each other, but among those that mostly wait.
 */
const LONGEST = [
  'faults/faults',
  'slack/text-out/growing-markdown*',
  'end-to-end/workspace',
  'simulation/simulation*',
  'end-to-end/open-paths',
  'slack/text-out/same-form*',
  'end-to-end/governance-killed',
  'policy-script',
  'end-to-end/streaming',
  'identity/pages-in-browser',
  'end-to-end/governance-reads',
  'audit/audit-script',
  'end-to-end/proxy',
  'end-to-end/tour',
  'faults/short-histories',
  'slack/large-pages*',
  'end-to-end/kill-stream',
  'sign-everybody-out',
  'setup-script',
  'simulation/interleavings*',
  'end-to-end/schedules',
  'end-to-end/backup',
  'end-to-end/admin-walk',
  'governance/plan/sequences*',
  'end-to-end/kill-reply',
  'end-to-end/socket-mode',
  'end-to-end/scheduled-review',
  'end-to-end/governance-stop',
  'faults/forgetful-disk',
  'slack/growing-cost*',
  'end-to-end/channel-rules',
  'storage/kernel',
  'end-to-end/one-person-floods',
  'deployment',
  'slack/catalogue/check-kinds',
  'slack/socket-mode/socket-mode*',
  'end-to-end/kill-steps',
  'slack/text-out/render-markdown*',
  'storage/turns',
  'compile-cache',
  'check-slack',
  'assistant/citations*',
  'delivery/bullmq-outage',
  'end-to-end/demo',
  'end-to-end/canary',
  'conversation/secrecy-seeds*',
].map((name) => `/test/${name.replace('*', '')}.test.ts`);

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
  return project.name === 'fast' ? LONGEST.length + 1 : LONGEST.length;
}

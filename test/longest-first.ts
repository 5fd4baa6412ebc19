import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest: begun at the end, they would be all that still runs. Those that start several processes at
 * once (faults, kills, the scheduled review) are not next to each other.
 */
const LONGEST = [
  'faults/faults',
  'doctor',
  'end-to-end/telemetry',
  'end-to-end/start-errors',
  'end-to-end/kill-steps',
  'end-to-end/demo',
  'end-to-end/canary',
  'storage/redis-faults',
  'end-to-end/kill-reply',
  'end-to-end/admin-access',
  'end-to-end/outage-for-all',
  'end-to-end/scheduled-review',
  'end-to-end/rare-reading',
  'end-to-end/process',
  'conversation/crash',
  'governance/review/review-in-sandbox',
  'ops/probes',
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

import type { UsageAddition, UsageName } from '../../src/usage/usage.ts';

/** Of one day in one workspace, from a writer of its own. */
export function anAddition(
  day: number,
  counts: Partial<Record<UsageName, number>>,
  people: Partial<Record<UsageName, string[]>> = {},
): UsageAddition {
  return {
    writer: crypto.randomUUID(),
    number: 1,
    workspace: 'T1',
    day,
    counts: new Map(Object.entries(counts) as [UsageName, number][]),
    people: new Map(Object.entries(people).map(([name, marks]) => [name as UsageName, new Set(marks)])),
  };
}

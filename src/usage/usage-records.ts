import { amend, type Document, dropAll, type Kernel, type Write } from '../storage/kernel.ts';
import type { Usage, UsageAddition, UsageName, UsageStore } from './usage.ts';

/** The counts of a workspace on a day. */
type DayRecord = { counts: Partial<Record<UsageName, number>> };

/** The last day on which something was counted of a person. */
type MarkRecord = { day: number };

/** All of them, by their days. */
const USAGE = 'usage';

/** Days that are done are read, and forgotten, by their index; so are the marks of people. */
export function createUsage(kernel: Kernel): UsageStore {
  async function add({ workspace, day, counts, people }: UsageAddition): Promise<void> {
    const ofWorkspace = { index: `workspace:${workspace}` };
    const dayKey = `usage:${workspace}:${day}`;
    const marks = [...people].flatMap(([name, some]) =>
      [...some].map((mark) => ({ key: `mark:${workspace}:${name}:${mark}`, index: peopleOf(workspace, name) })),
    );

    await amend<DayRecord & MarkRecord>(kernel, [dayKey, ...marks.map(({ key }) => key)], ([known, ...seen]) => {
      const sums = { ...known?.body.counts };
      for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
      const ofDay: Write = {
        put: dayKey,
        body: { counts: sums } satisfies DayRecord,
        ifVersion: known?.version ?? 0,
        entries: [{ index: USAGE, at: day }, { index: daysOf(workspace), at: day }, ofWorkspace],
      };
      const ofPeople = marks.flatMap(({ key, index }, at): Write[] => {
        if ((seen[at]?.body.day ?? -1) >= day) return [];
        const entries = [{ index: USAGE, at: day }, { index, at: day }, ofWorkspace];
        return [{ put: key, body: { day } satisfies MarkRecord, ifVersion: seen[at]?.version ?? 0, entries }];
      });
      return [ofDay, ...ofPeople];
    });
  }

  return {
    async add(additions) {
      for (const addition of additions) await add(addition);
    },
    async read(workspace, since) {
      const days = (await kernel.range(daysOf(workspace), { from: since })) as Document<DayRecord>[];
      const counts: Usage['counts'] = {};
      for (const { body } of days) {
        for (const [name, count] of Object.entries(body.counts)) {
          counts[name as UsageName] = (counts[name as UsageName] ?? 0) + (count ?? 0);
        }
      }
      const names = Object.keys(counts) as UsageName[];
      const counted = await Promise.all(names.map((name) => kernel.count(peopleOf(workspace, name), since)));
      const people = names.flatMap((name, at) => (counted[at] ? [[name, counted[at]]] : []));
      return { counts, people: Object.fromEntries(people), firstDay: toFirstDay(days) };
    },
    forget: (before) => dropAll(kernel, USAGE, before - 1),
  };
}

function toFirstDay([first]: Document<DayRecord>[]): number | undefined {
  return first && Number(first.key.split(':').at(-1));
}

function daysOf(workspace: string): string {
  return `days:${workspace}`;
}

function peopleOf(workspace: string, name: UsageName): string {
  return `people:${workspace}:${name}`;
}

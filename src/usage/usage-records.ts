import { amend, type Document, dropAll, type Entry, type Kernel, PAGE, type Write } from '../storage/kernel.ts';
import type { Usage, UsageAddition, UsageName, UsageStore } from './usage.ts';

/** The counts of a workspace on a day, and the number of each writer's last addition. */
type DayRecord = { counts: Partial<Record<UsageName, number>>; writers: Record<string, number> };

/** The last day on which something was counted for a person. */
type MarkRecord = { day: number };

/** The index of all usage records, by day. */
const USAGE = 'usage';

/** More processes than ever write at the same time. Older writers are forgotten. */
const WRITERS = 100;

/** Days and marks of people are read and forgotten by their indexes. */
export function createUsage(kernel: Kernel): UsageStore {
  /** A repetition writes nothing. */
  async function addMarks(marks: { key: string; index: string }[], { workspace, day }: UsageAddition): Promise<void> {
    const keys = marks.map(({ key }) => key);
    await amend<MarkRecord>(kernel, keys, (seen) => {
      const isNew = (_mark: unknown, at: number) => (seen[at]?.body.day ?? -1) < day;
      const writes = marks.filter(isNew).map(({ key, index }): Write => {
        const entries = [{ index: USAGE, at: day }, { index, at: day }, ofWorkspace(workspace)];
        return { put: key, body: { day } satisfies MarkRecord, entries };
      });
      return writes.length > 0 ? writes : undefined;
    });
  }

  async function addCounts({ workspace, day, counts, writer, number }: UsageAddition): Promise<void> {
    const key = `usage:${workspace}:${day}`;
    await amend<DayRecord>(kernel, [key], ([known]) => {
      const sums = { ...known?.body.counts };
      const { [writer]: last = 0, ...others } = known?.body.writers ?? {};
      if (last >= number) return undefined;
      for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
      const writers = Object.fromEntries([...Object.entries(others).slice(1 - WRITERS), [writer, number]]);
      const entries = [{ index: USAGE, at: day }, { index: daysOf(workspace), at: day }, ofWorkspace(workspace)];
      return [{ put: key, body: { counts: sums, writers } satisfies DayRecord, entries }];
    });
  }

  return {
    async add(addition) {
      const { workspace, people } = addition;
      const marks = [...people].flatMap(([name, some]) =>
        [...some].map((mark) => ({ key: `mark:${workspace}:${name}:${mark}`, index: peopleOf(workspace, name) })),
      );
      for (let at = 0; at < marks.length; at += PAGE) await addMarks(marks.slice(at, at + PAGE), addition);
      await addCounts(addition);
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

function ofWorkspace(workspace: string): Entry {
  return { index: `workspace:${workspace}` };
}

function daysOf(workspace: string): string {
  return `days:${workspace}`;
}

function peopleOf(workspace: string, name: UsageName): string {
  return `people:${workspace}:${name}`;
}

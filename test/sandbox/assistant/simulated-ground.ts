// What an answer of the simulated assistant rests on, and the facts of its organisation. All of it is made up.
import type { DateTime } from 'luxon';

/** What was said in Slack, as it came along with the question. */
type Quote = { readonly text: string; readonly isByPerson: boolean };

export type Ground = {
  /** Now, in the asker's time zone. */
  readonly now: DateTime;
  readonly name: string;
  /** The question without what was quoted around it. */
  readonly words: string;
  /** Oldest first. */
  readonly quotes: readonly Quote[];
  /** The names of the files that the asker may read. */
  readonly readable: readonly string[];
};

/** The launch is three weeks away, whenever that is asked. */
export function toLaunch({ now }: Ground): string {
  return toDay(toWorkday(now.plus({ weeks: 3 })));
}

/** The next day on which people work. */
export function toWorkday(now: DateTime): DateTime {
  const next = now.plus({ days: 1 });
  return next.isWeekend ? next.startOf('week').plus({ weeks: 1 }) : next;
}

export function toDay(day: DateTime): string {
  return day.toFormat('cccc, d LLLL yyyy');
}

const PLANNED_AND_SPENT = { people: [120_000, 81_400], travel: [15_000, 14_100], tools: [22_000, 9_750] } as const;

type Item = keyof typeof PLANNED_AND_SPENT;

export const ITEMS = Object.keys(PLANNED_AND_SPENT) as Item[];

/** What is planned for it, spent on it, and left of it; without an item all of them together. */
export function readBudget(item?: Item): { planned: string; spent: string; left: string } {
  const items = item ? [PLANNED_AND_SPENT[item]] : Object.values(PLANNED_AND_SPENT);
  const [planned, spent] = [0, 1].map((at) => items.reduce((sum, amounts) => sum + (amounts[at] ?? 0), 0)) as [
    number,
    number,
  ];
  const write = (amount: number) => amount.toLocaleString('en');
  return { planned: write(planned), spent: write(spent), left: write(planned - spent) };
}

export function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

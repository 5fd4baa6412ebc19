import { SECTION_LIMIT } from '../../text-out/message-budget.ts';

/** As many lines as fit into one section, and how many do not. */
export function fitLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > SECTION_LIMIT) return [...kept, `_… and ${lines.length - kept.length} more_`].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

/** Whether fitLines shows them all. */
export function fitsIntoSection(lines: readonly string[]): boolean {
  return lines.reduce((length, line) => length + line.length + 1, 0) <= SECTION_LIMIT;
}

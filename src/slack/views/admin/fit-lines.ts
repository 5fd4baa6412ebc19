/** The limit of Slack for the text of a section, with room for the last line: https://docs.slack.dev/reference/block-kit/blocks/section-block */
const MAX_LENGTH = 2_900;

/** As many lines as fit into one section, and how many do not. */
export function fitLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > MAX_LENGTH) return [...kept, `_… and ${lines.length - kept.length} more_`].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

/** Whether fitLines shows them all. */
export function fitsIntoSection(lines: readonly string[]): boolean {
  return lines.reduce((length, line) => length + line.length + 1, 0) <= MAX_LENGTH;
}

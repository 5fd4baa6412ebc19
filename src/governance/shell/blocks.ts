import type { ActionsBlock, Button, ContextBlock, SectionBlock, StaticSelect } from '@slack/types';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildSection, type Content, fitBlocks, shortenLines, toContent } from '../../slack/views/content.ts';
import { MAX_SECTION_LENGTH } from '../../slack/web/limits.ts';
import { formatCredits } from './numbers.ts';

/** The lines that fit into one section, and how many more there are. */
export function fitLines(lines: readonly string[]): string {
  return shortenLines(lines.join('\n'), SECTION_LIMIT);
}

/** The first `most` lines, and how many more there are. `where`: says where the others are. */
export function cutLines(lines: readonly string[], most: number, where?: string): string[] {
  return [...lines.slice(0, most), ...noteMore(lines.length - most, where)];
}

/** A line that says how many more there are; none if there are no more. */
export function noteMore(more: number, where = ''): string[] {
  return more > 0 ? [`_… and ${formatCredits(more)} more${where}_`] : [];
}

/** *a, b and 3 more*: the first `most` names, and how many more there are. The names have to be escaped already. */
export function joinNames(names: readonly string[], most: number, all = names.length): string {
  const shown = names.slice(0, most);
  const more = all - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${formatCredits(more)} more` : shown.join(', ');
}

/** More would not fit into a message, and Slack refuses one with too many blocks. */
const MAX_SECTIONS = 20;

/**
 * The texts of the sections that hold these lines, and how many more there are. A line that is longer than a section is
 * cut, and says so. `more`: how many lines are left out already.
 */
export function packLines(lines: readonly string[], more = 0): string[] {
  const texts: string[] = [];
  for (const [index, line] of [...lines, ...noteMore(more)].entries()) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= MAX_SECTION_LENGTH) {
      texts[texts.length - 1] = `${last}\n${line}`;
    } else if (texts.length < MAX_SECTIONS) {
      texts.push(shortenLines(line, MAX_SECTION_LENGTH));
    } else {
      return [...texts, ...noteMore(more + lines.length - index)];
    }
  }
  return texts;
}

/** As few sections as possible: see packLines. */
export function buildLines(lines: readonly string[], more = 0): SectionBlock[] {
  return packLines(lines, more).map(buildSection);
}

/** A row of the given elements; none if there are none. */
export function buildActions(elements: readonly (Button | StaticSelect | undefined)[]): ActionsBlock[] {
  const present = elements.filter((one) => one !== undefined);
  return present.length === 0 ? [] : [{ type: 'actions', elements: present }];
}

/** Small print below a list, in mrkdwn. */
export function buildNotes(notes: readonly string[]): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}

/** A message with a section for each text, in mrkdwn. */
export function toSections(headline: string, details: readonly string[]): Content {
  return toContent(fitBlocks([headline, ...details].map(buildSection)));
}

/** The position of a page: `page` counts from 0. */
export type Page = { page: number; pageCount: number };

/** The nearest page that exists: the list may be shorter than when its button was made. `size`: rows of a page. */
export function takePage<Row>(rows: readonly Row[], page: number, size: number): Page & { rows: readonly Row[] } {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(0, Math.trunc(page) || 0), pageCount - 1);
  return { rows: rows.slice(shown * size, (shown + 1) * size), page: shown, pageCount };
}

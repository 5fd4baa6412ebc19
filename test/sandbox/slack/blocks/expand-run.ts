/** What stands between headings, fences, tables and dividers: paragraphs, lists and quotes, with their inline marks. */
import type { Json } from '../records.ts';
import { decodeEntities } from './markup.ts';

const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9})[.)])[ \t]+(\S.*)$/;
const QUOTE = /^ {0,3}>[ \t]?(.*)$/;

/** `indent` is that of a list's items: 0 for the outermost. */
type Part = { type: 'section' | 'quote' | 'list'; lines: string[]; indent?: number; first?: number | undefined };

/** The elements of the rich_text block that Slack makes of these lines. */
export function expandRun(lines: readonly string[]): Json[] {
  return splitParts(lines).flatMap(({ type, lines, indent = 0, first }) => {
    const text = lines.join('\n').trim();
    if (type !== 'list') return text === '' ? [] : [{ type: `rich_text_${type}`, elements: readInline(text) }];
    const elements = lines.map((item) => ({ type: 'rich_text_section', elements: readInline(item) }));
    const order = first === undefined ? { style: 'bullet' } : { style: 'ordered', offset: Math.max(first - 1, 0) };
    return [{ type: 'rich_text_list', ...order, indent, border: 0, elements }];
  });
}

function splitParts(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  /** The columns where the markers of this list and of those around it stand. */
  let columns: number[] = [];
  let isAfterBlank = true;
  for (const line of lines) {
    const last = parts.at(-1);
    const item = readItem(line, last?.type === 'section' && !isAfterBlank);
    if (item) columns = [...columns.filter((column) => column < item.column), item.column];
    const part: Part = item
      ? { type: 'list', lines: [item.text], indent: columns.length - 1, first: item.number }
      : readWords(line);
    if (!last || !goOn(last, part, isAfterBlank)) parts.push(part);
    isAfterBlank = line.trim() === '';
    if (parts.at(-1)?.type !== 'list') columns = [];
  }
  return parts;
}

/** Amid a paragraph, only 1 begins a numbered list. */
function readItem(line: string, isInParagraph: boolean): { column: number; number?: number; text: string } | undefined {
  const [, space = '', digits, text = ''] = ITEM.exec(line) ?? [];
  if (text === '' || (isInParagraph && digits !== undefined && Number(digits) !== 1)) return undefined;
  const column = space.replaceAll('\t', '    ').length;
  return { column, text, ...(digits !== undefined && { number: Number(digits) }) };
}

function readWords(line: string): Part {
  const quoted = QUOTE.exec(line)?.[1];
  return quoted === undefined ? { type: 'section', lines: [line] } : { type: 'quote', lines: [quoted] };
}

/** Whether the new part only goes on with the last one, which has it then. */
function goOn(last: Part, { type, lines, indent, first }: Part, isAfterBlank: boolean): boolean {
  const [line = ''] = lines;
  if (last.type === 'list' && type === 'section') {
    // More of the item: right after it, or indented.
    if (isAfterBlank && /^\S/.test(line)) return false;
    if (line.trim() !== '') last.lines.push(`${last.lines.pop()}\n${line.trim()}`);
    return true;
  }
  const isSame = last.type === type && last.indent === indent && (last.first === undefined) === (first === undefined);
  if (!isSame || (type === 'quote' && isAfterBlank)) return false;
  last.lines.push(line);
  return true;
}

/** Code, a link, bold, struck out, italic. Marks within each other stay in the text, which is enough for the sandbox. */
const MARKED =
  /`(?<code>[^`\n]+)`|\[(?<label>[^[\]\n]*)\]\((?<url>[^()\s]+)\)|\*\*(?<bold>[^*\n]+)\*\*|~~(?<strike>[^~\n]+)~~|(?<![\w*\\])[*_](?<italic>[^\s*_](?:[^*_\n]*[^\s*_\\])?)[*_](?!\w)/g;

const STYLES = ['code', 'bold', 'strike', 'italic'] as const;

function readInline(text: string): Json[] {
  const elements: Json[] = [];
  let from = 0;
  const toText = (written: string) => decodeEntities(written.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
  const addText = (to: number) => {
    if (to > from) elements.push({ type: 'text', text: toText(text.slice(from, to)) });
  };
  for (const match of text.matchAll(MARKED)) {
    const { groups = {} } = match;
    addText(match.index);
    const style = STYLES.find((one) => groups[one] !== undefined);
    const marked = style === undefined ? '' : (groups[style] ?? '');
    elements.push(
      style === undefined
        ? { type: 'link', url: decodeEntities(groups.url ?? ''), text: toText(groups.label ?? '') }
        : { type: 'text', text: style === 'code' ? marked : toText(marked), style: { [style]: true } },
    );
    from = match.index + match[0].length;
  }
  addText(text.length);
  return elements;
}

import type { MarkdownNode } from './markdown-tree.ts';
import { escapeEntities, escapeProse, JOINER } from './neutralise.ts';
import { type Line, readInline, writeInline } from './write-inline.ts';
import { type TablePart, writeTable } from './write-table.ts';

/**
 * A part of a message: a paragraph (also in a list or a quote), a heading, code, a table or a divider. Slack makes a block
 * of each, but joins consecutive paragraphs into one block.
 */
export type Leaf = {
  kind: 'text' | 'heading' | 'code' | 'table' | 'divider';
  /** The text between the previous leaf and this one. */
  gap: string;
  /** The prefix of the first line, such as the markers of a list and a quote, and the prefix of all other lines. */
  first: string;
  rest: string;
  /** The lines around `lines`. If the leaf is divided, each part gets them. */
  opening: string[];
  closing: string[];
  lines: Line[];
};

/** `gap`: before the next leaf. */
type Place = Pick<Leaf, 'gap' | 'first' | 'rest'>;

/** Writes the blocks of a text in Slack's form. `source`: the text that `nodes` were parsed from. */
export function writeBlocks(nodes: readonly MarkdownNode[], source: string): Leaf[] {
  const sourceLines = source.split('\n');
  const leaves: Leaf[] = [];
  const linked = source.includes(']:') ? collectAddresses(nodes) : new Set();

  /** Keeps blank lines, and adds them around tables, so that no other line is taken for a row. */
  function toGap(node: MarkdownNode, before: MarkdownNode | undefined, { gap, rest }: Place): string {
    if (before === undefined) return gap;
    const line = sourceLines[(node.token.map?.[0] ?? 0) - 1] ?? '';
    const isApart = /^[\s>]*$/.test(line) || node.token.type === 'table_open' || before.token.type === 'table_open';
    return isApart ? toBlankLine({ rest }) : '\n';
  }

  function writeAll(siblings: readonly MarkdownNode[], place: Place): void {
    let { first } = place;
    // Definitions that links use are not shown.
    const shown = siblings.filter(({ token: { meta } }) => meta === null || !linked.has(meta.href));
    for (const [index, node] of shown.entries()) {
      const gap = toGap(node, shown[index - 1], place);
      writeOne(node, { gap, first, rest: place.rest });
      first = place.rest;
    }
  }

  function add(
    kind: Leaf['kind'],
    place: Place,
    lines: Line[],
    [opening, closing]: [string[], string[]] = [[], []],
  ): void {
    leaves.push({ kind, ...place, opening, closing, lines });
  }

  function writeOne({ token, children }: MarkdownNode, place: Place): void {
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        return writeList(
          children,
          place,
          token.type === 'bullet_list_open' ? undefined : Number(token.attrGet('start') ?? 1),
        );
      case 'blockquote_open':
        return writeAll(children, { ...place, first: `${place.first}> `, rest: `${place.rest}> ` });
      case 'heading_open':
        return writeHeading(Number(token.tag[1]), children, place);
      case 'fence':
      case 'code_block':
        return writeCode(token.content, token.info, place);
      case 'hr':
        return add('divider', place, [[{ text: '***', isWhole: true }]]);
      case 'table_open':
        return writeTables(writeTable(children, sourceLines), place);
      case 'definition':
        return add('text', place, [[{ text: escapeProse(token.content), isWhole: false }]]);
      default:
        return add('text', place, writeInline(readInline(children)));
    }
  }

  function writeHeading(depth: number, children: readonly MarkdownNode[], place: Place): void {
    const lines = writeInline(readInline(children));
    const line = lines.flatMap((spans, index) => (index > 0 ? [BLANK, ...spans] : spans));
    add('heading', { ...place, first: `${place.first}${'#'.repeat(depth)} ` }, [line]);
  }

  function writeTables(tables: readonly TablePart[], place: Place): void {
    let { gap, first } = place;
    for (const { opening, lines } of tables) {
      add(opening.length > 0 ? 'table' : 'text', { ...place, gap, first }, lines, [opening, []]);
      gap = toBlankLine(place);
      first = place.rest;
    }
  }

  function writeList(items: readonly MarkdownNode[], place: Place, start: number | undefined): void {
    let { first } = place;
    for (const [index, item] of items.entries()) {
      const sign = item.token.markup;
      const marker = start === undefined ? `${sign} ` : `${start + index}${sign} `;
      const gap = toGap(item, items[index - 1], place);
      const inner = { gap, first: first + marker, rest: place.rest + ' '.repeat(marker.length) };
      if (item.children.length === 0) add('text', inner, [[]]);
      else writeAll(item.children, inner);
      first = place.rest;
    }
  }

  function writeCode(content: string, info: string, place: Place): void {
    const code = content.replace(/\n$/, '').replace(LONG_RUN, (run) => [...run].join(JOINER));
    const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = '`'.repeat(longest + 1);
    const language = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0] ?? '';
    const lines = code.split('\n').map((line): Line => [{ text: escapeEntities(line), isWhole: false }]);
    add('code', place, lines, [[fence + language], [fence]]);
  }

  writeAll(nodes, { gap: '', first: '', rest: '' });
  return leaves;
}

function toBlankLine({ rest }: Pick<Place, 'rest'>): string {
  return `\n${rest.trimEnd()}\n`;
}

function collectAddresses(nodes: readonly MarkdownNode[], found = new Set<unknown>()): Set<unknown> {
  for (const { token, children } of nodes) {
    if (token.type === 'link_open' || token.type === 'image') found.add(token.attrGet('href') ?? token.attrGet('src'));
    collectAddresses(children, found);
  }
  return found;
}

const BLANK = { text: ' ', isWhole: false };

/** Longer than any fence that people write: such runs are broken up. */
const LONG_RUN = /`{10,}/g;

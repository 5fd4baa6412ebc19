import { toFenceAfter } from './markdown-lines.ts';
import { type MarkdownNode, readDefinitions, readTextBlocks, toWords } from './markdown-tree.ts';
import { countCharacters, SMALL_BUDGET } from './message-budget.ts';
import {
  escapeCode,
  escapeProse,
  escapeSyntax,
  JOINER,
  NO_WORD,
  quieten,
  toHostSuffix,
  toLastWord,
  toSafeUrl,
} from './neutralise.ts';

/** `final` is code or written by us; `prose` still has to be neutralised, together with its neighbours. */
export type Piece = { kind: 'prose' | 'final'; text: string };

const BLANK: Piece = { kind: 'prose', text: ' ' };

// Longer inline code could be cut, and so become text, when a long answer is split.
const LONGEST_CODE = 1_000;

// As Slack counts it. A longer link could be cut, and the host after it be shown in the next message only.
const LONGEST_LINK = SMALL_BUDGET.characters - 1_000;

type Reading = {
  source: string;
  definitions: Map<string, string>;
  /** HTML and definitions between paragraphs, which will be text. */
  blocks: Set<MarkdownNode>;
  insideLabel: boolean;
};

/** The text of a tree in pieces. Everything but links, images, HTML and code is copied from the source. */
export function toPieces(source: string, root: MarkdownNode): Piece[] {
  const reading = { source, definitions: readDefinitions(root), blocks: readTextBlocks(root), insideLabel: false };
  return toRangePieces({ from: 0, to: source.length }, root.children ?? [], reading);
}

function toRangePieces(range: { from: number; to: number }, nodes: MarkdownNode[], reading: Reading): Piece[] {
  const pieces: Piece[] = [];
  let from = range.from;
  let word = NO_WORD;
  const push = (piece: Piece) => {
    pieces.push(piece);
    word = piece.kind === 'prose' ? toLastWord(word, piece.text) : NO_WORD;
  };
  const copyUntil = (to: number) => {
    if (to > from) {
      const isLineStart = from === 0 || reading.source.charAt(from - 1) === '\n';
      push({ kind: 'prose', text: escapeText(reading.source.slice(from, to), reading, isLineStart) });
      from = to;
    }
  };
  const visit = (node: MarkdownNode) => {
    const { start, end } = toOffsets(node);
    if (start >= from && reading.blocks.has(node)) {
      copyUntil(start);
      push({ kind: 'prose', text: toBlankLines(node, reading.source).before });
    }
    const replacement = start < from ? undefined : toReplacement(node, reading);
    if (replacement !== undefined) {
      copyUntil(start);
      if (word.isAddress) push(BLANK);
      replacement.forEach(push);
      from = end;
      return;
    }
    node.children?.forEach(visit);
  };
  nodes.forEach(visit);
  copyUntil(range.to);
  return pieces;
}

function toReplacement(node: MarkdownNode, reading: Reading): Piece[] | undefined {
  switch (node.type) {
    case 'code':
      return [toCodeBlock(node, toSource(node, reading.source), toLineStart(node, reading.source))];
    case 'inlineCode':
      return [toInlineCode(toSource(node, reading.source))];
    case 'html':
      return [{ kind: 'prose', text: toHtmlText(node, reading) }];
    case 'link':
      return toLink(node, node.url ?? '', reading);
    case 'image':
      return toImage(node, node.url ?? '', reading);
    case 'linkReference':
      return toLink(node, reading.definitions.get(node.identifier ?? '') ?? '', reading);
    case 'imageReference':
      return toImage(node, reading.definitions.get(node.identifier ?? '') ?? '', reading);
    case 'definition':
      return reading.definitions.has(node.identifier ?? '') ? [] : undefined;
    default:
      return undefined;
  }
}

// A line break, which services write in table cells, becomes a space; other HTML is shown as it was written.
function toHtmlText(node: MarkdownNode, { source, blocks }: Reading): string {
  const html = toSource(node, source);
  if (/^<br\s*\/?>$/i.test(html)) {
    return ' ';
  }
  const text = escapeProse(quieten(html.replaceAll('\\', '\\\\')), false).replaceAll('>', '&gt;');
  return blocks.has(node) ? text + toBlankLines(node, source).after : text;
}

function toLink(node: MarkdownNode, address: string, reading: Reading): Piece[] | undefined {
  const written = toSource(node, reading.source);
  if (written.startsWith('<')) {
    return toAutolink(written, address, reading);
  }
  if (!written.startsWith('[')) {
    return toBareAddress(written);
  }
  const url = toSafeUrl(address);
  const label = toLabel(node, { ...reading, insideLabel: reading.insideLabel || url !== undefined });
  // What stands between code, images and text decides whether it reads like an address.
  const words = (node.children ?? []).map(toWords).join(' ').trim();
  if (url === undefined) {
    return [...label, { kind: 'prose', text: toMailSuffix(address, words) }];
  }
  if (isTooLong(node, url.href, reading.source)) return [...label, { kind: 'prose', text: ` (${url.host})` }];
  const shown: Piece[] = words === '' ? [{ kind: 'prose', text: url.host }] : label;
  return [
    { kind: 'prose', text: '[' },
    ...shown,
    { kind: 'prose', text: ']' },
    { kind: 'final', text: `(${url.href})` },
    { kind: 'prose', text: toHostSuffix(words === '' ? url.host : words, url, toFollowing(node, reading)) },
  ];
}

function isTooLong(node: MarkdownNode, href: string, source: string): boolean {
  return countCharacters(toSource(node, source)) + countCharacters(href) > LONGEST_LINK;
}

// Shows its own address, so it stays as it is.
function toBareAddress(written: string): Piece[] | undefined {
  return written.includes('`') ? [{ kind: 'prose', text: escapeSyntax(written.replaceAll('`', '%60')) }] : undefined;
}

function toAutolink(written: string, address: string, { insideLabel }: Reading): Piece[] {
  const url = toSafeUrl(address);
  if (url !== undefined) {
    const shown = escapeSyntax(url.href);
    // A link within a link is none, or takes the place of the other.
    if (insideLabel) return [{ kind: 'prose', text: shown }];
    return [
      { kind: 'prose', text: `[${shown}]` },
      { kind: 'final', text: `(${url.href})` },
    ];
  }
  const text = escapeSyntax(written.slice(1, -1));
  return [{ kind: 'prose', text: text.includes(':') ? `&lt;${text.replace(':', `:${JOINER}`)}&gt;` : text }];
}

function toImage(node: MarkdownNode, address: string, reading: Reading): Piece[] {
  const url = toSafeUrl(address);
  const alt = (node.alt ?? '').replace(/\s+/g, ' ').trim() || 'image';
  const text = escapeSyntax(alt);
  if (url === undefined || reading.insideLabel || isTooLong(node, url.href, reading.source)) {
    return [{ kind: 'prose', text }];
  }
  return [
    { kind: 'prose', text: `[${text}]` },
    { kind: 'final', text: `(${url.href})` },
    { kind: 'prose', text: toHostSuffix(alt, url, toFollowing(node, reading)) },
  ];
}

function toLabel(node: MarkdownNode, reading: Reading): Piece[] {
  const children = node.children ?? [];
  const first = children.at(0);
  const last = children.at(-1);
  if (first === undefined || last === undefined) {
    return [];
  }
  return toRangePieces({ from: toOffsets(first).start, to: toOffsets(last).end }, children, reading);
}

function toFollowing(node: MarkdownNode, { source }: Reading): string {
  return source.slice(toOffsets(node).end);
}

function toMailSuffix(address: string, words: string): string {
  const mail = /^mailto:([^\s?<>()[\]@`]+@[^\s?<>()[\]@`]+)/i.exec(address)?.[1];
  return mail === undefined || mail === words ? '' : ` (${escapeSyntax(mail)})`;
}

function escapeText(source: string, reading: Reading, isLineStart = false): string {
  const text = quieten(escapeProse(source, isLineStart));
  return reading.insideLabel
    ? text.replace(/\\[\s\S]|[[\]]/g, (match) => (match.length > 1 ? match : `\\${match}`))
    : text;
}

/** The position of a node in its source. A node without a position is copied with the text around it. */
function toOffsets(node: MarkdownNode): { start: number; end: number } {
  return { start: node.position?.start.offset ?? -1, end: node.position?.end.offset ?? -1 };
}

/** A node as it was written. */
function toSource(node: MarkdownNode, source: string): string {
  const { start, end } = toOffsets(node);
  return source.slice(start, end);
}

/** The text before a node in its line: the markers of lists and quotes, or other text. */
function toLineStart(node: MarkdownNode, source: string): string {
  const { start } = toOffsets(node);
  return start <= 0 ? '' : source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
}

/**
 * The line breaks that separate a block from its neighbours once it is text. HTML and definitions end the paragraph or
 * table before them; as text they would become part of it.
 */
function toBlankLines(node: MarkdownNode, source: string): { before: string; after: string } {
  const { start, end } = toOffsets(node);
  const lineStart = toLineStart(node, source);
  const lineBreak = `\n${lineStart.replace(/[^\s>]/g, ' ')}`;
  const first = start - lineStart.length;
  const isBlankBefore = first < 2 || isBlankLine(source, source.lastIndexOf('\n', first - 2) + 1);
  const next = source.indexOf('\n', end);
  const isBlankAfter = next < 0 || isBlankLine(source, next + 1);
  return { before: isBlankBefore ? '' : lineBreak, after: isBlankAfter ? '' : lineBreak };
}

function isBlankLine(source: string, start: number): boolean {
  const end = source.indexOf('\n', start);
  return /^[ \t>\r]*$/.test(source.slice(start, end < 0 ? source.length : end));
}

/**
 * A code block in the notation that every Markdown reader takes as code, because in text Slack would read links.
 * `lineStart`: the text before the block in its first line.
 */
function toCodeBlock(node: MarkdownNode, written: string, lineStart: string): Piece {
  const prefix = lineStart.replace(/[^\s>]/g, ' ');
  if (written.startsWith('```')) {
    return { kind: 'final', text: escapeCode(toWholeFence(written, prefix)) };
  }
  if (prefix.includes('>')) {
    return { kind: 'prose', text: escapeCode(quieten(written)) };
  }
  // If a list ends the code, the parser includes the line break.
  const lineBreak = written.endsWith('\n') ? '\n' : '';
  return { kind: 'final', text: escapeCode(toFence(node.value ?? '', prefix)) + lineBreak };
}

/** Inline code. Slack may read it as text if it has several lines, or backticks in it. */
function toInlineCode(written: string): Piece {
  const isPlain = /^`[^`\r\n]+`$/.test(written);
  const code = isPlain
    ? written.slice(1, -1)
    : quieten(written.replace(/^`+ ?| ?`+$/g, '').replace(/\r?\n[ \t>]*/g, ' '));
  if (code.length > LONGEST_CODE || code.trim() === '') {
    return { kind: 'prose', text: escapeCode(code) };
  }
  // If the line becomes a row of a table, as it may when a long answer is split, a bar ends the code.
  const safe = code.includes('|') ? code.replaceAll('](', `]${JOINER}(`) : code;
  return { kind: 'final', text: escapeCode(`\`${safe}\``) };
}

// A list or quote may end before its code does, and a line of code may look like the closing fence to a simple reader.
function toWholeFence(written: string, prefix: string): string {
  const [first = '', ...lines] = written.split('\n');
  const fence = toFenceAfter(first, undefined);
  const last = lines.at(-1);
  if (fence === undefined) {
    return written;
  }
  const isClosed = last !== undefined && toFenceAfter(last, fence) === undefined;
  // To some readers, spaces of other scripts are spaces, too.
  const code = (isClosed ? lines.slice(0, -1) : lines).map((line) =>
    toFenceAfter(line.replace(/\s/g, ' '), fence) === undefined ? line.replace(/`(?=`)/g, `$&${JOINER}`) : line,
  );
  if (isClosed) {
    return [first, ...code, last].join('\n');
  }
  // If the list or quote ends the code, the parser includes the line break.
  const isBroken = last === '';
  return [first, ...(isBroken ? code.slice(0, -1) : code), prefix + fence.marker].join('\n') + (isBroken ? '\n' : '');
}

function toFence(code: string, indent: string): string {
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return [fence, ...code.split('\n'), fence].join(`\n${indent}`);
}

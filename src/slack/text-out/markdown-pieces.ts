import { toCodeBlock, toInlineCode } from './code-pieces.ts';
import { type MarkdownNode, readDefinitions, readTextBlocks, toWords } from './markdown-tree.ts';
import { escapeProse, escapeSyntax, JOINER, NO_WORD, quieten, toLastWord } from './neutralise.ts';
import { toBlankLines, toLineStart, toOffsets, toSource } from './node-source.ts';
import type { Piece } from './piece.ts';
import { toHostSuffix, toSafeUrl } from './safe-url.ts';

const BLANK: Piece = { kind: 'prose', text: ' ' };

type Reading = {
  source: string;
  definitions: Map<string, string>;
  /** HTML and definitions between paragraphs, which will be text. */
  blocks: Set<MarkdownNode>;
  insideLabel: boolean;
};

/** The text of a tree, piece by piece. What is not a link, an image, HTML or code is copied from the source. */
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

// A line break, which services write in table cells, is a blank; everything else is shown as it was written.
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
    return toAutolink(written, address);
  }
  if (!written.startsWith('[')) {
    return toBareAddress(written);
  }
  const url = toSafeUrl(address);
  const label = toLabel(node, { ...reading, insideLabel: reading.insideLabel || url !== undefined });
  const words = toWords(node).trim();
  if (url === undefined) {
    return [...label, { kind: 'prose', text: toMailSuffix(address, words) }];
  }
  const shown: Piece[] = words === '' ? [{ kind: 'prose', text: url.host }] : label;
  return [
    { kind: 'prose', text: '[' },
    ...shown,
    { kind: 'prose', text: ']' },
    { kind: 'final', text: `(${url.href})` },
    { kind: 'prose', text: toHostSuffix(words === '' ? url.host : words, url, toFollowing(node, reading)) },
  ];
}

// Shows itself and stays.
function toBareAddress(written: string): Piece[] | undefined {
  return written.includes('`') ? [{ kind: 'prose', text: escapeSyntax(written.replaceAll('`', '%60')) }] : undefined;
}

function toAutolink(written: string, address: string): Piece[] {
  const url = toSafeUrl(address);
  if (url !== undefined) {
    return [
      { kind: 'prose', text: `[${escapeSyntax(url.href)}]` },
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
  if (url === undefined || reading.insideLabel) {
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

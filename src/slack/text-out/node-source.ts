import type { MarkdownNode } from './markdown-tree.ts';

/** Where a node stands in its source. A node without a position is nowhere, and is copied with what is around it. */
export function toOffsets(node: MarkdownNode): { start: number; end: number } {
  return { start: node.position?.start.offset ?? -1, end: node.position?.end.offset ?? -1 };
}

/** A node as it was written. */
export function toSource(node: MarkdownNode, source: string): string {
  const { start, end } = toOffsets(node);
  return source.slice(start, end);
}

/** What stands before a node in its line: the marks of the lists and quotes it is in, or text. */
export function toLineStart(node: MarkdownNode, source: string): string {
  const { start } = toOffsets(node);
  return start <= 0 ? '' : source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
}

/**
 * The line breaks that keep a block apart from its neighbours once it is text: HTML and definitions end a paragraph or a
 * table before them, and as text would become part of it.
 */
export function toBlankLines(node: MarkdownNode, source: string): { before: string; after: string } {
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

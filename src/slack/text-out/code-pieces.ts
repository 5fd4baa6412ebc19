import { toFenceAfter } from './fences.ts';
import type { MarkdownNode } from './markdown-tree.ts';
import { escapeCode, JOINER, quieten } from './neutralise.ts';
import type { Piece } from './piece.ts';

// What is longer would be cut into text where a long answer is.
const LONGEST_CODE = 1_000;

/**
 * A code block in the one notation that any reader of Markdown takes for code, from its first fence to its last: what
 * Slack took for text could hold links. `lineStart` is what stands before the block in its first line.
 */
export function toCodeBlock(node: MarkdownNode, written: string, lineStart: string): Piece {
  const prefix = lineStart.replace(/[^\s>]/g, ' ');
  if (written.startsWith('```')) {
    return { kind: 'final', text: escapeCode(toWholeFence(written, prefix)) };
  }
  if (prefix.includes('>')) {
    return { kind: 'prose', text: escapeCode(quieten(written)) };
  }
  return { kind: 'final', text: escapeCode(toFence(node.value ?? '', prefix)) };
}

/** Code within a line. Over several lines, or with backticks in it, Slack may read it as text. */
export function toInlineCode(written: string): Piece {
  const isPlain = /^`[^`\r\n]+`$/.test(written);
  const code = isPlain
    ? written.slice(1, -1)
    : quieten(written.replace(/^`+ ?| ?`+$/g, '').replace(/\r?\n[ \t>]*/g, ' '));
  if (code.length > LONGEST_CODE || code.trim() === '') {
    return { kind: 'prose', text: escapeCode(code) };
  }
  // Where a line turns out to be a row of a table, as it may once a long answer is cut, a bar ends the code.
  const safe = code.includes('|') ? code.replaceAll('](', `]${JOINER}(`) : code;
  return { kind: 'final', text: escapeCode(`\`${safe}\``) };
}

// A list or quote may end before its code does, and a line of code may look like the end to a reader that knows less.
function toWholeFence(written: string, prefix: string): string {
  const [first = '', ...lines] = written.split('\n');
  const fence = toFenceAfter(first, undefined);
  const last = lines.at(-1);
  if (fence === undefined) {
    return written;
  }
  const isClosed = last !== undefined && toFenceAfter(last, fence) === undefined;
  const code = (isClosed ? lines.slice(0, -1) : lines).map((line) =>
    toFenceAfter(line, fence) === undefined ? line.replace(/`(?=`)/g, `$&${JOINER}`) : line,
  );
  if (isClosed) {
    return [first, ...code, last].join('\n');
  }
  // The parser counts the line break to code that its list or quote cut short.
  const isBroken = last === '';
  return [first, ...(isBroken ? code.slice(0, -1) : code), prefix + fence.marker].join('\n') + (isBroken ? '\n' : '');
}

function toFence(code: string, indent: string): string {
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return [fence, ...code.split('\n'), fence].join(`\n${indent}`);
}

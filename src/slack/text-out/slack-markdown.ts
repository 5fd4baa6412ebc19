import { toFenceAfter } from './markdown-lines.ts';
import { type Piece, toPieces } from './markdown-pieces.ts';
import { createParsingBudget, type ParsingBudget, parseMarkdown } from './markdown-tree.ts';
import {
  dropOverrides,
  escapeAngles,
  escapeProse,
  hasUserName,
  JOINER,
  LONGEST_ENTITY_NAME,
  NO_WORD,
  neutralise,
  toHostSuffix,
  toLastWord,
  toSafeUrl,
} from './neutralise.ts';

/**
 * Converts the service's Markdown into text for a Slack `markdown` block that is safe whatever the service wrote: it
 * mentions nobody, only http(s) links remain, each with its host shown, and images and HTML become text. Tables, lists,
 * headings, quotes and code keep their notation. Split the result, not the source. In long or hostile text that would be
 * slow to parse, links become text.
 */
export function toSlackMarkdown(text: string): string {
  return joinParts(readParts(text), createParsingBudget());
}

/** The same, or undefined if so much of the text needs the parser that it would block the thread noticeably. */
export function toSlackMarkdownAtOnce(text: string): string | undefined {
  const parts = readParts(text);
  const length = parts.reduce((sum, { kind, text }) => (kind === 'source' ? sum + text.length : sum), 0);
  return length > LONGEST_PARSED_AT_ONCE ? undefined : joinParts(parts, createParsingBudget());
}

// Measured: 20 ms for the worst text of this length that a search found, 4 ms for an ordinary text.
const LONGEST_PARSED_AT_ONCE = 1_000;

/** `source` needs the parser; `shown` is final. */
type Part = { kind: 'source' | 'shown'; text: string };

function readParts(text: string): Part[] {
  // A byte order mark would shift all positions of the parser.
  const source = dropOverrides(text).replace(/^\uFEFF+/, '');
  if (!needsTree(source)) return [{ kind: 'shown', text: escapeAngles(source) }];
  if (ENDLESS_FENCE.test(source)) return [{ kind: 'shown', text: degrade(source) }];
  return toSegments(source).map(readPart);
}

function readPart(segment: string): Part {
  if (!needsTree(segment)) return { kind: 'shown', text: escapeAngles(segment) };
  const plain = readPlainLinks(segment);
  return plain === undefined ? { kind: 'source', text: segment } : { kind: 'shown', text: joinPieces(plain) };
}

function joinParts(parts: Part[], budget: ParsingBudget): string {
  return parts.map(({ kind, text }) => (kind === 'source' ? rewrite(text, budget) : text)).join('');
}

// Everything that has another meaning in code than in prose, or that may start a link, an image, HTML or a definition.
// Text without any of it is safe once its angle brackets are escaped. Most answers are like that, and parsing costs more
// than the rest of a turn.
const NEEDS_TREE = new RegExp(
  [
    '<[a-z!/?]',
    '\\][(:]',
    '\\\\[<>&]',
    '&(?:lt|gt|amp|colon|commat|sol|period|#x?[0-9a-f]{1,8});',
    '(?<![a-z0-9])@(?:here|channel|everyone|group)(?![a-z0-9])',
    '(?<!\\bhttps?)://',
  ].join('|'),
  'i',
);

function needsTree(text: string): boolean {
  return NEEDS_TREE.test(text) || hasUserName(text);
}

// Nobody writes such a fence, and it could not be repeated where a long text is split.
const ENDLESS_FENCE = /`{20}|~{20}/;

function rewrite(segment: string, budget: ParsingBudget): string {
  const root = parseMarkdown(segment, budget);
  const isUnclear = root?.children?.some((node) => node.type === 'html' && /```|~~~/.test(node.value ?? ''));
  // Once the tags of HTML are text, a fence in it becomes a real fence, so the tree is wrong about the text after it.
  if (root === undefined || isUnclear) {
    return degrade(segment);
  }
  return joinPieces(toPieces(segment, root));
}

// Safe without knowing what is code: there are no links, and what looks like one is broken by joiners.
function degrade(source: string): string {
  return neutralise(escapeProse(source));
}

// Two pieces that are harmless alone can be a mention or a link together, so neighbours are neutralised together.
function joinPieces(pieces: Piece[]): string {
  let joined = '';
  let prose = '';
  for (const piece of pieces) {
    if (piece.kind === 'prose') {
      prose += (isEntity(prose, piece.text) ? JOINER : '') + piece.text;
    } else {
      joined += neutralise(prose) + piece.text;
      prose = '';
    }
  }
  return joined + neutralise(prose);
}

/** Whether the end of one text and the beginning of the next are an entity together. */
function isEntity(before: string, after: string): boolean {
  const begun = /&#?\w*$/.exec(before.slice(-LONGEST_ENTITY_NAME))?.[0];
  return begun !== undefined && /^&#?\w+;/.test(begun + after.slice(0, LONGEST_ENTITY_NAME));
}

/**
 * Splits a text into parts that can be read independently, so that only those that need it are parsed: before unindented
 * lines after a blank line. Does not split texts with definitions, which apply everywhere, or with code blocks inside
 * lists or quotes, whose end only the parser knows.
 */
function toSegments(source: string): string[] {
  const lines = source.split(/(?<=\n)/);
  if (source.includes(']:') || source.includes('~~~') || lines.some(hasFenceInside)) {
    return [source];
  }
  const segments: string[] = [];
  let segment = '';
  let wasBlank = false;
  let fence: ReturnType<typeof toFenceAfter>;
  for (const line of lines) {
    if (wasBlank && fence === undefined && /^\S/.test(line)) {
      segments.push(segment);
      segment = '';
    }
    segment += line;
    fence = toFenceAfter(line, fence);
    wasBlank = line.trim() === '';
  }
  segments.push(segment);
  return segments;
}

function hasFenceInside(line: string): boolean {
  return line.includes('```') && !line.startsWith('```');
}

/** A label and an address in which nothing could mean anything else. */
const PLAIN_LINK =
  /\[((?!\^)[^\s[\]|*_~](?:[^\r\n\t[\]|*_~]*[^\s[\]|*_~])?)\]\((https?:\/\/[^\s\p{Cc}()<>[\]|;`\\]+)\)/giu;

/** The parser's part knows what to do with longer ones. */
const LONGEST_PLAIN_LINK = 500;

/** Any other syntax that matters, or may matter, around the links and in their labels. */
const OTHER_SYNTAX = new RegExp(
  [
    '[`<\\\\@\\t\\r\\0]',
    '~~~',
    '&#?\\w+;',
    '!\\[',
    '\\](?=[(:])',
    '://',
    'www\\.',
    // Indented far enough to be code, also inside lists and quotes.
    '^(?:[ >]|[-*+] |\\d{1,9}[.)] )* {4}',
  ].join('|'),
  'im',
);

/**
 * Reads text whose only relevant syntax is links, as the parser would, at about a fiftieth of the cost. Most answers with
 * links are like that. Undefined if the text needs the parser.
 */
export function readPlainLinks(source: string): Piece[] | undefined {
  if (OTHER_SYNTAX.test(source.replace(PLAIN_LINK, '[$1]'))) return undefined;
  const pieces: Piece[] = [];
  let from = 0;
  let suffix = '';
  for (const match of source.matchAll(PLAIN_LINK)) {
    const [written, label = '', address = ''] = match;
    const url = toSafeUrl(address);
    if (
      url === undefined ||
      written.length > LONGEST_PLAIN_LINK ||
      toLastWord(NO_WORD, suffix + source.slice(from, match.index)).isAddress
    )
      return undefined;
    const end = match.index + written.length;
    suffix = toHostSuffix(label, url, source.slice(end));
    pieces.push(
      toProse(source, from, match.index),
      { kind: 'prose', text: `[${escapeAngles(label, false)}]` },
      { kind: 'final', text: `(${url.href})` },
      { kind: 'prose', text: suffix },
    );
    from = end;
  }
  return [...pieces, toProse(source, from, source.length)];
}

function toProse(source: string, from: number, to: number): Piece {
  const isLineStart = from === 0 || source.charAt(from - 1) === '\n';
  return { kind: 'prose', text: escapeAngles(source.slice(from, to), isLineStart) };
}

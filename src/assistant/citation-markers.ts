// Finds the private markers that the service writes into Markdown. Every pattern starts at one known character and is
// bounded, so that a hostile text costs linear time.
import { findCode } from './find-code.ts';

export type Marker = { start: number; end: number } & MarkerMeaning;

type MarkerMeaning =
  /** `[^2^]`: the second citation. A marker may have several numbers; without a number it cannot be resolved. */
  | { kind: 'citation'; numbers: number[] }
  /** `[1](address#key)` */
  | { kind: 'link'; target: string }
  /** A reference of the service's own surfaces, which means nothing to a reader. */
  | { kind: 'noise' }
  /** `<Person>` or `</Person>` around a name. `isSure`: a documented tag, which counts even without its other half. */
  | { kind: 'tag'; name: string; isClosing: boolean; isSure: boolean };

/** The markers of a text outside its code, in order. */
export function findMarkers(text: string): Marker[] {
  const markers: Marker[] = [];
  // U+E200 to U+E20F enclose references on other surfaces; further private-use characters may be icons or bullets.
  const start = /[[<【\uE200-\uE20F]|\b(?:file)?citeturn\d/g;
  let code: ReturnType<typeof findCode> | undefined;
  let region = 0;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    code ??= findCode(text);
    while ((code[region]?.end ?? Number.POSITIVE_INFINITY) <= match.index) region += 1;
    const inside = code[region];
    if (inside && inside.start <= match.index) {
      start.lastIndex = inside.end;
      continue;
    }
    const marker = readMarker(text, match.index);
    if (!marker) continue;
    markers.push(marker);
    start.lastIndex = marker.end;
  }
  return markers;
}

/** Unfinished markers, as they may stand at the end of a text that is still growing. */
const BEGINNINGS: { first: string; pattern: RegExp }[] = [
  { first: '[', pattern: /^\[(?:\^[\w,;:^ -]{0,64}\]?|\[?\d{0,3}\]{0,2})(?:\([^\s)]{0,4096})?$/ },
  { first: '<', pattern: /^<\/?(?:[A-Z][A-Za-z]{0,31}(?:\s[^<>\n]{0,300})?)?$/ },
  { first: '【', pattern: /^【[^【】\n]{0,132}$/ },
  { first: '\uE200', pattern: /^\uE200[^\uE201\n]{0,200}$/ },
];

/** The longest text that a pattern above matches. */
const LOOK_BACK = 4200;

/** Removes an unfinished marker at the end of a growing or broken-off text. */
export function dropUnfinishedMarker(text: string): string {
  const tail = text.slice(-LOOK_BACK);
  let end = tail.length;
  for (const { first, pattern } of BEGINNINGS) {
    const at = tail.lastIndexOf(first);
    // `[[1](…` begins with the first of the two brackets.
    const start = first === '[' && tail[at - 1] === '[' ? at - 1 : at;
    if (start !== -1 && pattern.test(tail.slice(start))) end = Math.min(end, start);
  }
  return end === tail.length ? text : text.slice(0, text.length - tail.length + end);
}

function readMarker(text: string, start: number): Marker | undefined {
  const first = text[start];
  if (first === '[') return readBracket(text, start);
  if (first === '<') return readTag(text, start);
  const pattern = first === '【' ? /【[^【】\n]{0,32}†[^【】\n]{0,100}】/y : REFERENCE;
  const end = matchAt(pattern, text, start)?.end;
  return end === undefined ? undefined : { start, end, kind: 'noise' };
}

/** An enclosed reference, or the rest of one whose enclosing characters are broken or lost. */
const REFERENCE =
  /\uE200[^\uE200\uE201\n]{0,200}\uE201|[\uE200-\uE20F]+(?:(?:file)?cite)?(?:[\uE200-\uE20F]*turn\d{1,4}[a-z]{1,16}\d{1,4})*[\uE200-\uE20F]*|(?:file)?cite(?:turn\d{1,4}[a-z]{1,16}\d{1,4})+/y;

const BRACKET = /\[(?:\^([\w,;:^ -]{1,64})\^|\[\d{1,3}\]|\d{1,3})\]/y;

function readBracket(text: string, start: number): Marker | undefined {
  const bracket = matchAt(BRACKET, text, start);
  if (!bracket) return undefined;
  const content = bracket.groups[1];
  const link = text[bracket.end] === '(' ? readTarget(text, bracket.end) : undefined;
  // Parentheses after `[^1^]` may be a remark instead of an address.
  if (link && (content === undefined || /^(?:https?:|#)/i.test(link.target))) return { start, kind: 'link', ...link };
  // A bare `[1]` is not a marker: it may be anything.
  if (content === undefined) return undefined;
  const numbers = content.split(/[^\w]+/).filter((part) => /^\d{1,4}$/.test(part));
  return { start, end: bracket.end, kind: 'citation', numbers: numbers.map(Number) };
}

/** Our own limit, above the longest addresses of documents with all their parameters. */
const MAX_TARGET_LENGTH = 4096;

/** The target of a Markdown link whose `(` is at `open`; parentheses inside must be balanced. */
function readTarget(text: string, open: number): { target: string; end: number } | undefined {
  const start = text[open + 1] === '<' ? open + 2 : open + 1;
  let depth = 0;
  let at = start;
  // Characters that no address contains unencoded end the search. `[` begins the next marker: nothing is read twice.
  for (; at < text.length && at - start <= MAX_TARGET_LENGTH; at += 1) {
    const character = text[at] as string;
    if (' \n\t\r<>"[]'.includes(character)) break;
    if (character === '(') depth += 1;
    else if (character === ')' && depth === 0) break;
    else if (character === ')') depth -= 1;
  }
  const close = matchAt(/>?(?:[ \t]{1,4}"[^"\n[]{0,200}")?[ \t]{0,4}\)/y, text, at);
  return close && depth === 0 ? { target: text.slice(start, at), end: close.end } : undefined;
}

/** The service may be newer than its documentation and use more tags. */
const DOCUMENTED_TAGS = new Set(['Person', 'Event', 'File']);

function readTag(text: string, start: number): Marker | undefined {
  const tag = matchAt(/<(\/?)([A-Z][A-Za-z]{0,31})(\s[^<>\n]{0,300})?>/y, text, start);
  if (!tag) return undefined;
  const name = tag.groups[2] ?? '';
  const isSure = DOCUMENTED_TAGS.has(name);
  if (!isSure && tag.groups[3] !== undefined) return undefined;
  return { start, end: tag.end, kind: 'tag', name, isClosing: tag.groups[1] === '/', isSure };
}

function matchAt(pattern: RegExp, text: string, at: number): { end: number; groups: RegExpExecArray } | undefined {
  pattern.lastIndex = at;
  const groups = pattern.exec(text);
  return groups ? { end: pattern.lastIndex, groups } : undefined;
}

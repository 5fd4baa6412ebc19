// The private markers that the service writes into Markdown, as positions in the text. Patterns start at one known
// character and are bounded, so that a hostile text costs linear time.
export type Marker = { start: number; end: number } & MarkerMeaning;

type MarkerMeaning =
  /** `[^2^]`: the second citation; several numbers in one marker are possible, none means nothing we can resolve. */
  | { kind: 'citation'; numbers: number[] }
  /** `[1](address#key)` */
  | { kind: 'link'; target: string }
  /** Something of the service's surfaces that means nothing to a reader. */
  | { kind: 'noise' }
  /** `<Person>` or `</Person>` around a name. `isSure`: one of the documented names, without need for its other half. */
  | { kind: 'tag'; name: string; isClosing: boolean; isSure: boolean };

/** The markers of a text outside its code, in order. */
export function findMarkers(text: string): Marker[] {
  const markers: Marker[] = [];
  // U+E200 to U+E20F enclose references on sibling surfaces; other private-use characters may be icons or bullets.
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

function readMarker(text: string, start: number): Marker | undefined {
  const first = text[start];
  if (first === '[') return readBracket(text, start);
  if (first === '<') return readTag(text, start);
  const pattern = first === '【' ? /【[^【】\n]{0,32}†[^【】\n]{0,100}】/y : REFERENCE;
  const end = matchAt(pattern, text, start)?.end;
  return end === undefined ? undefined : { start, end, kind: 'noise' };
}

/** Enclosed, or, where the enclosing is broken or was lost on the way, what is left of it. */
const REFERENCE =
  /\uE200[^\uE200\uE201\n]{0,200}\uE201|[\uE200-\uE20F]+(?:(?:file)?cite)?(?:[\uE200-\uE20F]*turn\d{1,4}[a-z]{1,16}\d{1,4})*[\uE200-\uE20F]*|(?:file)?cite(?:turn\d{1,4}[a-z]{1,16}\d{1,4})+/y;

const BRACKET = /\[(?:\^([\w,;:^ -]{1,64})\^|\[\d{1,3}\]|\d{1,3})\]/y;

function readBracket(text: string, start: number): Marker | undefined {
  const bracket = matchAt(BRACKET, text, start);
  if (!bracket) return undefined;
  const content = bracket.groups[1];
  const link = text[bracket.end] === '(' ? readTarget(text, bracket.end) : undefined;
  // What follows `[^1^]` in parentheses may be a remark.
  if (link && (content === undefined || /^(?:https?:|#)/i.test(link.target))) return { start, kind: 'link', ...link };
  // A bare `[1]` is not a marker: it may be anything.
  if (content === undefined) return undefined;
  const numbers = content.split(/[^\w]+/).filter((part) => /^\d{1,4}$/.test(part));
  return { start, end: bracket.end, kind: 'citation', numbers: numbers.map(Number) };
}

/** Our own bound: addresses of documents with all their parameters stay below it. */
const MAX_TARGET_LENGTH = 4096;

/** The target of a Markdown link whose `(` is at `open`; parentheses inside must be balanced. */
function readTarget(text: string, open: number): { target: string; end: number } | undefined {
  const start = text[open + 1] === '<' ? open + 2 : open + 1;
  let depth = 0;
  let at = start;
  // What no address contains unencoded ends the search; `[` also begins the next marker, so nothing is read twice.
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

/** Tags with other names are seen where the service is newer than its documentation. */
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

// Where Markdown text is code: what looks like a marker there is what the answer is about.

/** From `start` up to, not including, `end`. */
type Region = { start: number; end: number };

/** Backticks or tildes in a row. `partner`: the next run of backticks of the same length, which closes inline code. */
type Run = Region & { index: number; length: number; isTilde: boolean; partner: Run | undefined };

/** The fenced blocks and inline code of a text, in order; an unclosed fence lasts to the end. Linear in its length. */
function findCode(text: string): Region[] {
  const runs = findRuns(text);
  const nextBlankLine = createBlankLineFinder(text);
  const regions: Region[] = [];
  let next: Run | undefined;
  for (let run = runs[0]; run; run = next) {
    next = runs[run.index + 1];
    if (isFence(text, run, next)) {
      const close = findFenceEnd(text, runs, run);
      regions.push({ start: run.start, end: close?.end ?? text.length });
      next = close && runs[close.index + 1];
    } else if (run.partner && run.partner.start < nextBlankLine(run.end)) {
      regions.push({ start: run.start, end: run.partner.end });
      next = runs[run.partner.index + 1];
    }
  }
  return regions;
}

function findRuns(text: string): Run[] {
  const runs = Array.from(text.matchAll(/`+|~{3,}/g), (match, index): Run => {
    const [{ length }] = match;
    const isTilde = match[0].startsWith('~');
    return { index, start: match.index, end: match.index + length, length, isTilde, partner: undefined };
  });
  const nextOfLength = new Map<number, Run>();
  for (const run of runs.toReversed()) {
    if (run.isTilde) continue;
    run.partner = nextOfLength.get(run.length);
    nextOfLength.set(run.length, run);
  }
  return runs;
}

/** Inline code ends with its paragraph. Asked with growing positions only, so that the text is searched once. */
function createBlankLineFinder(text: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const blank = /\n[ \t\r]*\n/g;
    blank.lastIndex = from;
    next = blank.exec(text)?.index ?? text.length;
    return next;
  };
}

function isFence(text: string, run: Run, next: Run | undefined): boolean {
  if (run.length < 3 || !startsLine(text, run.start, /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?$/)) return false;
  if (run.isTilde || !next || next.isTilde) return true;
  // Backticks further along the line make it inline code.
  const lineEnd = text.indexOf('\n', run.end);
  return lineEnd !== -1 && lineEnd < next.start;
}

function findFenceEnd(text: string, runs: Run[], open: Run): Run | undefined {
  for (let run = runs[open.index + 1]; run; run = runs[run.index + 1]) {
    if (run.isTilde !== open.isTilde || run.length < open.length) continue;
    if (startsLine(text, run.start, /^[\s>]*$/) && endsLine(text, run.end)) return run;
  }
  return undefined;
}

/** What may stand before a fence is short; looking no further keeps the search linear. */
const LOOK_BACK = 32;

function startsLine(text: string, at: number, allowed: RegExp): boolean {
  const before = text.slice(Math.max(0, at - LOOK_BACK), at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length < LOOK_BACK && allowed.test(line);
}

function endsLine(text: string, from: number): boolean {
  const rest = /[ \t\r]*(?:\n|$)/y;
  rest.lastIndex = from;
  return rest.test(text);
}

/** From `start` up to, not including, `end`. */
type Region = { start: number; end: number };

/** Backticks or tildes in a row. `partner`: the next run of backticks of the same length, which closes inline code. */
type Run = Region & { index: number; length: number; isTilde: boolean; partner: Run | undefined };

/**
 * The code in Markdown text: fenced blocks and inline code, in order; an unclosed fence lasts to the end. In code, text
 * that looks like a marker is none. Linear in the length of the text.
 */
export function findCode(text: string): Region[] {
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

/** Inline code ends with its paragraph. Call with growing positions only: then the text is searched once. */
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

/** The longest text before a fence. The limit keeps the search linear. */
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

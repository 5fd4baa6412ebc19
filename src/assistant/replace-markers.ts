import { findMarkers, type Marker } from './citation-markers.ts';

/** The text with `[1]` where a marker has numbers, and without the other markers. */
export function replaceMarkers(text: string, numbersOf: (marker: Marker) => number[]): string {
  const markers = findMarkers(text);
  if (markers.length === 0) return text;
  const isTag = createTagFilter(markers);
  const written = createWriting();
  let from = 0;
  for (const marker of markers) {
    if (marker.kind === 'tag' && !isTag(marker)) continue;
    const before = text.slice(from, marker.start);
    from = marker.end;
    if (marker.kind === 'tag') written.addText(before);
    else written.addNumbers(before, numbersOf(marker), text[from]);
  }
  written.addText(text.slice(from));
  return written.toText();
}

function createWriting() {
  const pieces: string[] = [];
  /** The numbers just before, with at most a space between them. */
  let said = new Set<number>();
  let endsInNumber = false;

  function addText(text: string): void {
    if (text === '') return;
    // A parenthesis right after a number would make a Markdown link of both.
    pieces.push(endsInNumber && text.startsWith('(') ? ` ${text}` : text);
    endsInNumber = false;
  }

  function addNumbers(before: string, numbers: number[], next: string | undefined): void {
    if (before !== '' && before !== ' ') said = new Set();
    const fresh = [...new Set(numbers)].filter((number) => !said.has(number));
    addText(fresh.length > 0 ? before : dropSpace(before, next));
    for (const number of fresh) {
      said.add(number);
      pieces.push(`[${number}]`);
      endsInNumber = true;
    }
  }

  return { addText, addNumbers, toText: () => pieces.join('') };
}

/** A marker that vanishes takes the space before it along where nothing or a punctuation mark follows. */
function dropSpace(before: string, next: string | undefined): string {
  return before.endsWith(' ') && (next === undefined || ' \n.,;:!?)'.includes(next)) ? before.slice(0, -1) : before;
}

/** Angle brackets are also what people write: a tag of an unknown name counts only where its other half follows. */
function createTagFilter(markers: Marker[]): (tag: Marker & { kind: 'tag' }) => boolean {
  const lastClosing = new Map<string, number>();
  for (const marker of markers)
    if (marker.kind === 'tag' && marker.isClosing) lastClosing.set(marker.name, marker.start);
  const open = new Map<string, number>();
  return (tag) => {
    if (tag.isSure) return true;
    const depth = open.get(tag.name) ?? 0;
    if (tag.isClosing) open.set(tag.name, Math.max(0, depth - 1));
    else if ((lastClosing.get(tag.name) ?? -1) > tag.start) open.set(tag.name, depth + 1);
    else return false;
    return !tag.isClosing || depth > 0;
  };
}

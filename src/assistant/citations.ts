// Turns the service's private citation markers into `[1]`, numbered in order of first use, and lists the sources.
import type { Source } from '../conversation/outcome.ts';
import { isObject } from '../json.ts';
import { findMarkers, type Marker } from './citation-markers.ts';
import { readText, type ServiceMessage } from './conversation-body.ts';

/** Several replies are joined by an empty line and share one numbering. */
export function citeSources(replies: readonly ServiceMessage[]): { text: string; sources: Source[] } {
  const numbering = createNumbering();
  const cited = replies.map((reply) => ({ reply, sources: readCitedSources(reply) }));
  const texts = cited.map(({ reply, sources }) =>
    replaceMarkers(reply.text, (marker) => toNumbers(marker, sources, numbering)),
  );
  for (const { sources } of cited) numbering.addRest(sources.all);
  return { text: joinReplies(texts), sources: numbering.sources };
}

function joinReplies(texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Our own limit: the service may return every document that it searched. */
const MAX_SOURCES = 50;

type Numbering = { sources: Source[]; numberOf(target: Target): number; addRest(targets: Target[]): void };

function createNumbering(): Numbering {
  const sources: Source[] = [];
  const numbers = new Map<string, number>();

  function numberOf({ url, title }: Target): number {
    const known = numbers.get(url);
    if (known !== undefined) return known;
    const number = sources.length + 1;
    numbers.set(url, number);
    sources.push({ number, title, url });
    return number;
  }

  function addRest(targets: Target[]): void {
    for (const target of targets) {
      if (sources.length >= MAX_SOURCES) return;
      numberOf(target);
    }
  }

  return { sources, numberOf, addRest };
}

function toNumbers(marker: Marker, sources: CitedSources, numbering: Numbering): number[] {
  if (marker.kind === 'link') return [sources.byLink(marker.target) ?? []].flat().map(numbering.numberOf);
  if (marker.kind !== 'citation') return [];
  return marker.numbers.flatMap((number) => sources.byNumber(number) ?? []).map(numbering.numberOf);
}

/** A source that may be shown. `url`: http or https, normalised. */
type Target = { url: string; title: string };

/** The targets of a message's citations, from attributions (the documented shape) and references (the newer one). */
type CitedSources = {
  /** The nth citation, counted from 1. */
  byNumber(number: number): Target | undefined;
  /** The target of a link marker: the reference that its fragment names, or else its address. */
  byLink(link: string): Target | undefined;
  /** Everything that counts as cited, in the service's order. */
  all: Target[];
};

function readCitedSources(message: Pick<ServiceMessage, 'attributions' | 'references'>): CitedSources {
  const citations = readCitations(message.attributions);
  const names = new Map(citations.flatMap(({ url, name }) => (url && name ? [[url, name]] : [])) as [string, string][]);
  const references = readReferences(message.references);
  const addresses = new Set(Array.from(references.values(), ({ url }) => url));

  function toTarget(url: string | undefined): Target | undefined {
    return url === undefined ? undefined : { url, title: names.get(url) ?? buildTitle(url) };
  }

  function byLink(link: string): Target | undefined {
    const hash = link.lastIndexOf('#');
    const named = hash === -1 ? undefined : references.get(decode(link.slice(hash + 1)));
    if (named) return toTarget(named.url);
    const page = hash === -1 ? undefined : toWebAddress(link.slice(0, hash));
    return toTarget(page && (addresses.has(page) || names.has(page)) ? page : toWebAddress(link));
  }

  const cited = [...citations, ...[...references.values()].filter(({ isCited }) => isCited)];
  return {
    byNumber: (number) => toTarget(citations[number - 1]?.url),
    byLink,
    all: cited.flatMap(({ url }) => toTarget(url) ?? []),
  };
}

/** Annotations name people and files in the text; every other kind is counted as a citation. */
function readCitations(attributions: unknown): { url: string | undefined; name: string | undefined }[] {
  if (!Array.isArray(attributions)) return [];
  return attributions
    .filter((value) => isObject(value) && value.attributionType !== 'annotation')
    .map((value) => ({
      url: toWebAddress(value.seeMoreWebUrl),
      name: toOneLine(readText(value, 'providerDisplayName') ?? ''),
    }));
}

function readReferences(references: unknown): Map<string, { url: string; isCited: boolean }> {
  const found = new Map<string, { url: string; isCited: boolean }>();
  if (!isObject(references)) return found;
  for (const [key, value] of Object.entries(references)) {
    const url = isObject(value) ? toWebAddress(value.targetLink) : undefined;
    if (url !== undefined) found.set(key, { url, isCited: isObject(value) && value.isCitedInResponse !== false });
  }
  return found;
}

/** The last segment of the path, usually the document's name, else the host. */
function buildTitle(url: string): string {
  const { pathname, host } = new URL(url);
  const segment = pathname.split('/').findLast((part) => part !== '') ?? '';
  return toOneLine(decode(segment)) || host;
}

/** Our own bounds: Slack takes 3000 characters of an address, and a title is one line. */
const MAX_URL_LENGTH = 3000;
const MAX_TITLE_LENGTH = 150;

/** Undefined if it is not an address that may be shown. */
function toWebAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url && ['http:', 'https:'].includes(url.protocol) && url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

function toOneLine(text: string): string {
  const line = text
    .slice(0, MAX_TITLE_LENGTH * 4)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  // Not half a character either.
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1).replace(/[\s\p{C}]+$/u, '')}…` : line;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text with `[1]` where a marker has numbers, and without the other markers. */
function replaceMarkers(text: string, numbersOf: (marker: Marker) => number[]): string {
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
  /** The numbers directly before, with at most a space between them. */
  let said = new Set<number>();
  let endsInNumber = false;

  function addText(text: string): void {
    if (text === '') return;
    // `[1](` would begin a Markdown link, and `[1]: word` is a definition, which is not shown.
    const gap = text.startsWith('(') ? ' ' : text.startsWith(':') ? '\u2060' : '';
    pieces.push(endsInNumber ? gap + text : text);
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

/** Removes the space before a removed marker, if punctuation or the end follows. */
function dropSpace(before: string, next: string | undefined): string {
  return before.endsWith(' ') && (next === undefined || ' \n.,;:!?)'.includes(next)) ? before.slice(0, -1) : before;
}

/** People write angle brackets, too: a tag with an unknown name counts only if its closing tag follows. */
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

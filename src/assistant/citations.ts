// The service's private citation markers become `[1]`, numbered in order of first use, and a list of sources.
import type { Source } from '../conversation/outcome.ts';
import type { Marker } from './citation-markers.ts';
import { type CitedSources, readCitedSources, type Target } from './cited-sources.ts';
import type { ServiceMessage } from './conversation-body.ts';
import { replaceMarkers } from './replace-markers.ts';

export type CitedText = { text: string; sources: Source[] };

/** Several replies are joined by an empty line and share one numbering. */
export function citeSources(replies: readonly ServiceMessage[]): CitedText {
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

/** Our own bound: a list longer than this helps nobody, and the service may return every document it looked at. */
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

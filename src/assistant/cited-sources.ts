// What a message's citations point to: attributions (the documented shape) and references (the newer one).
import type { ServiceMessage } from './conversation-body.ts';
import { isObject, readText } from './json.ts';

/** An address that may be shown: http or https, normalised. */
export type Target = { url: string; title: string };

export type CitedSources = {
  /** The nth citation, counted from 1. */
  byNumber(number: number): Target | undefined;
  /** What a link marker points to: the reference its fragment names, else the reference or page of that address. */
  byLink(link: string): Target | undefined;
  /** Everything that counts as cited, in the service's order. */
  all: Target[];
};

export function readCitedSources(message: Pick<ServiceMessage, 'attributions' | 'references'>): CitedSources {
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

/** The last segment of the path, which mostly names the document, else the host. */
function buildTitle(url: string): string {
  const { pathname, host } = new URL(url);
  const segment = pathname.split('/').findLast((part) => part !== '') ?? '';
  return toOneLine(decode(segment)) || host;
}

/** Our own bounds: Slack takes 3000 characters of an address, and a title is one line. */
const MAX_URL_LENGTH = 3000;
const MAX_TITLE_LENGTH = 150;

/** Undefined where it is no address that may be shown. */
function toWebAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url && ['http:', 'https:'].includes(url.protocol) && url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

function toOneLine(text: string): string {
  const line = text
    .slice(0, MAX_TITLE_LENGTH * 4)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…` : line;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { toFileName } from '../../conversation/file-uses.ts';
import type { UnusableFile, Upload } from '../../conversation/question.ts';
import type { JsonObject } from '../../json.ts';
import { readString } from './rich-text.ts';

/** What was shared with a message: links that the assistant may be able to read, and the rest with the reason. */
export type Shared = { links: string[]; unusable: UnusableFile[] };

// Longer addresses would be refused before they reach the service.
const LONGEST_URL = 2048;

const LONGEST_NAME = 100;

/** Sorts addresses and attached files into https links, in order, each once, and unusable ones. */
export function sortShared(addresses: string[], files: JsonObject[]): Shared {
  const links = new Set<string>();
  const unusable = new Map<string, UnusableFile>();
  const attached = files.flatMap(readFile);
  for (const item of [...addresses.flatMap(readAddress), ...attached]) {
    if (typeof item === 'string') {
      links.add(item);
    } else {
      unusable.set(`${item.reason}:${item.name}`, item);
    }
  }
  return { links: [...links], unusable: [...unusable.values()] };
}

function readAddress(address: string): (string | UnusableFile)[] {
  const url = URL.parse(address.trim());
  // A user name or password in an address disguises its host, and may be a secret: ignore such links.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return [];
  }
  url.hash = '';
  if (isSlackHost(url.hostname)) {
    return isSlackFile(url) ? [{ name: toFileName(url), reason: 'upload' }] : [];
  }
  if (url.protocol === 'http:') {
    return [{ name: toFileName(url), reason: 'not_https' }];
  }
  return url.href.length <= LONGEST_URL ? [url.href] : [];
}

/** Files kept elsewhere are links. Slack's own files can only be read with our token, which we never pass on. */
function readFile(file: JsonObject): (string | UnusableFile)[] {
  const mode = readString(file, 'mode');
  if (mode === 'tombstone' || mode === 'hidden' || mode === 'hidden_by_limit') {
    return [];
  }
  if (file.is_external === true || mode === 'external') {
    const places = [readString(file, 'url_private'), readString(file, 'external_url')].flatMap(readAddress);
    const link = places.find((place) => typeof place === 'string') ?? places[0];
    if (link !== undefined) {
      return [link];
    }
  }
  return [{ name: toName(file), reason: 'upload' }];
}

/** Extensions and Slack types of text files: https://docs.slack.dev/reference/objects/file-object#file_types */
const TEXT = /^(?:txt|text|md|markdown|csv|tsv|json|log)$/i;

/** Text files kept by Slack, and files that may be text: for some, Slack sends only the id. */
export function readUploads(files: JsonObject[]): Upload[] {
  return files.flatMap((file) => {
    const id = readString(file, 'id');
    const name = toName(file);
    if (id !== '' && readString(file, 'file_access') === 'check_file_info') return [{ id, name }];
    const url = readString(file, 'url_private');
    if (id === '' || url === '' || file.is_external === true || !isTextual(file)) return [];
    return [{ id, name, url, ...(typeof file.size === 'number' && { size: file.size }) }];
  });
}

/** A snippet is text whatever its language is. */
function isTextual(file: JsonObject): boolean {
  const mode = readString(file, 'mode');
  if (mode === 'snippet') return true;
  const ending = readString(file, 'name').split('.').at(-1) ?? '';
  return mode === 'hosted' && (TEXT.test(ending) || TEXT.test(readString(file, 'filetype')));
}

function toName(file: JsonObject): string {
  const name = (readString(file, 'name') || readString(file, 'title')).replace(/\p{C}/gu, '').trim();
  return name === '' ? 'a file' : name.slice(0, LONGEST_NAME);
}

function isSlackHost(host: string): boolean {
  return /(?:^|\.)slack(?:-gov|-files)?\.com$/.test(host);
}

function isSlackFile({ hostname, pathname }: URL): boolean {
  return hostname.startsWith('files.') || hostname.includes('slack-files') || pathname.startsWith('/files/');
}

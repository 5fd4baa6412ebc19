import type { UnusableFile } from './question.ts';

/**
 * Hosts whose documents may be passed to the service. `files.example.com` allows that host alone; `.example.com` allows
 * all subdomains of example.com, but not example.com itself.
 */
export type FileRules = { allowedHosts: readonly string[] };

/** Files per question. */
const CAP = 10;

const LONGEST_NAME = 100;

const DOCUMENT = /\.(?:docx?|dotx?|xls[xmb]?|pptx?|ppsx|pdf|txt|md|csv|tsv|rtf|odt|ods|odp|vsdx|one|loop|eml|msg)$/i;

// Addresses of shared documents in document libraries: `/:w:/s/…` and `/_layouts/15/Doc.aspx?sourcedoc=…`.
const SHARED_DOCUMENT = /^\/:[a-z]:\/|\/_layouts\/15\/\w*doc\w*\.aspx$/i;

/**
 * `used`: the links that the service is asked to read, in order and without duplicates. `unusable`: the files that were
 * not read, for a note to the person. A link to an ordinary web page is neither: it stays part of the question.
 */
export function fileUses(
  links: readonly string[],
  unusable: readonly UnusableFile[],
  { allowedHosts }: FileRules,
): { used: string[]; unusable: UnusableFile[] } {
  const used = new Set<string>();
  const rest: UnusableFile[] = unusable.filter((file) => isWorthSaying(file, allowedHosts));
  const seen = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link);
    if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '' || seen.has(url.href)) {
      continue;
    }
    seen.add(url.href);
    if (!isAllowed(url, allowedHosts)) {
      rest.push(...(isDocument(url) ? [{ name: toFileName(url), reason: 'other_host' as const }] : []));
    } else if (used.size < CAP) {
      used.add(url.href);
    } else {
      rest.push({ name: toFileName(url), reason: 'too_many' });
    }
  }
  return { used: [...used], unusable: rest };
}

/** A link as shown to people: host and path, without query and fragment, which may hold secrets. */
export function toFileName(url: URL): string {
  const start = url.protocol === 'https:' ? '' : `${url.protocol}//`;
  return `${start}${url.host}${decode(url.pathname)}`.replace(/\/$/, '').slice(0, LONGEST_NAME);
}

// Slack turns any bare domain into an http link, so most of them were never meant as a file.
function isWorthSaying({ name, reason }: UnusableFile, allowedHosts: readonly string[]): boolean {
  const url = reason === 'not_https' ? URL.parse(name) : null;
  return url === null || isDocument(url) || isAllowed(url, allowedHosts);
}

function isAllowed({ hostname, port }: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((entry) => {
    const [host = '', allowedPort = ''] = entry.trim().toLowerCase().split(':');
    if (host === '' || host === '.' || allowedPort !== port) {
      return false;
    }
    return host.startsWith('.') ? hostname.endsWith(host) : hostname === host;
  });
}

function isDocument({ pathname }: URL): boolean {
  return DOCUMENT.test(pathname) || SHARED_DOCUMENT.test(pathname);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path).replace(/\p{C}/gu, '');
  } catch {
    return path;
  }
}

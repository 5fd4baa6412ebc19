// Cookies as browsers keep them (RFC 6265bis), with one difference that makes the sandbox honest: hosts that differ in
// their port only are kept apart, as the app, Slack and the identity provider are different sites where it counts.
type Cookie = {
  readonly origin: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  readonly isHttpOnly: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none';
  /** Epoch ms; undefined for a cookie of the browser session. */
  readonly expiresAt: number | undefined;
};

type CookieRequest = { readonly url: URL; readonly method: string; readonly isCrossSite: boolean };

export type CookieJar = ReturnType<typeof createCookieJar>;

export function createCookieJar() {
  let cookies: Cookie[] = [];
  const refused: { cookie: string; reason: string }[] = [];
  const alive = () => {
    cookies = cookies.filter((cookie) => cookie.expiresAt === undefined || cookie.expiresAt > Date.now());
    return cookies;
  };
  const storeOne = (url: URL, line: string) => {
    const parsed = parseSetCookie(url, line);
    if (typeof parsed === 'string') {
      refused.push({ cookie: line.split('=')[0] ?? '', reason: parsed });
      return;
    }
    const isSame = (one: Cookie) =>
      one.origin === parsed.origin && one.name === parsed.name && one.path === parsed.path;
    cookies = [...cookies.filter((one) => !isSame(one)), parsed];
  };
  return {
    /** Cookies that were offered and refused, with the reason: for tests that look for a mistake. */
    refused,
    store(url: URL, lines: readonly string[]): void {
      for (const line of lines) storeOne(url, line);
    },
    /** The `Cookie` header of a top-level navigation, or undefined. */
    header(request: CookieRequest): string | undefined {
      const sent = alive().filter((cookie) => isSent(cookie, request));
      sent.sort((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
    list: (url?: string) => alive().filter((cookie) => url === undefined || cookie.origin === new URL(url).origin),
    get: (url: string, name: string) =>
      alive().find((cookie) => cookie.origin === new URL(url).origin && cookie.name === name),
  };
}

function isSent(cookie: Cookie, { url, method, isCrossSite }: CookieRequest): boolean {
  if (cookie.origin !== url.origin || !isPathWithin(url.pathname, cookie.path)) return false;
  if (cookie.isSecure && !isTrustworthy(url)) return false;
  if (!isCrossSite || cookie.sameSite === 'none') return true;
  return cookie.sameSite === 'lax' && method === 'GET';
}

/** The cookie of one `Set-Cookie` line, or why a browser refuses it. */
function parseSetCookie(url: URL, line: string): Cookie | string {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  if (equals < 1) return 'no name';
  const attributes = new Map(rest.map(readAttribute));
  const path = attributes.get('path');
  const sameSite = attributes.get('samesite')?.toLowerCase();
  const cookie: Cookie = {
    origin: url.origin,
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    path: path?.startsWith('/') ? path : toDefaultPath(url.pathname),
    isSecure: attributes.has('secure'),
    isHttpOnly: attributes.has('httponly'),
    sameSite: sameSite === 'strict' || sameSite === 'none' ? sameSite : 'lax',
    expiresAt: readExpiry(attributes),
  };
  return findObjection(cookie, attributes, url) ?? cookie;
}

function findObjection(cookie: Cookie, attributes: ReadonlyMap<string, string>, url: URL): string | undefined {
  const domain = attributes.get('domain');
  if (cookie.isSecure && !isTrustworthy(url)) return 'Secure over plain http';
  if (cookie.sameSite === 'none' && !cookie.isSecure) return 'SameSite=None without Secure';
  if (domain !== undefined && domain.replace(/^\./, '') !== url.hostname) return 'Domain of another host';
  if (/^__(Host|Secure)-/i.test(cookie.name) && !cookie.isSecure) return 'prefix without Secure';
  const isHost = /^__Host-/i.test(cookie.name);
  if (isHost && (domain !== undefined || attributes.get('path') !== '/'))
    return '__Host- with a Domain or another Path';
  return undefined;
}

function readAttribute(part: string): [string, string] {
  const equals = part.indexOf('=');
  return equals === -1
    ? [part.toLowerCase(), '']
    : [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()];
}

function readExpiry(attributes: ReadonlyMap<string, string>): number | undefined {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge))
    return Number(maxAge) <= 0 ? 0 : Date.now() + Number(maxAge) * 1000;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(expires) ? undefined : expires;
}

function toDefaultPath(pathname: string): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isPathWithin(pathname: string, path: string): boolean {
  if (pathname === path) return true;
  return pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

// Browsers treat loopback as trustworthy: https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy
function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
}

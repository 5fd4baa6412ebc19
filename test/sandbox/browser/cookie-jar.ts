// Cookies as browsers keep them, with one difference that makes the sandbox honest: hosts that differ in their port only
// are kept apart, as the app, Slack and the identity provider are different sites where it counts.
import { Cookie, CookieJar as Jar } from 'tough-cookie';

type CookieRequest = { readonly url: URL; readonly method: string; readonly isCrossSite: boolean };

export type CookieJar = ReturnType<typeof createCookieJar>;

export function createCookieJar() {
  const jars = new Map<string, Jar>();
  const refused: { cookie: string; reason: string }[] = [];
  const jarOf = ({ origin }: URL): Jar => {
    const jar = jars.get(origin) ?? new Jar(undefined, { prefixSecurity: 'strict', rejectPublicSuffixes: false });
    jars.set(origin, jar);
    return jar;
  };
  const storeOne = (url: URL, line: string) => {
    try {
      jarOf(url).setCookieSync(readCookie(line), url.href);
    } catch (error) {
      refused.push({ cookie: line.split('=')[0] ?? '', reason: String(error) });
    }
  };
  const list = (url?: string) =>
    [...jars].flatMap(([origin, jar]) => {
      if (url !== undefined && new URL(url).origin !== origin) return [];
      return (jar.serializeSync()?.cookies ?? [])
        .map((one) => Cookie.fromJSON(one) as Cookie)
        .filter((cookie) => (cookie.expiryTime() ?? Number.POSITIVE_INFINITY) > Date.now())
        .map(({ key, value, httpOnly, secure }) => ({ name: key, value, isHttpOnly: httpOnly, isSecure: secure }));
    });
  return {
    /** Cookies that were offered and refused, with the reason: for tests that look for a mistake. */
    refused,
    store(url: URL, lines: readonly string[]): void {
      for (const line of lines) storeOne(url, line);
    },
    /** The `Cookie` header of a top-level navigation, or undefined. */
    header({ url, method, isCrossSite }: CookieRequest): string | undefined {
      const sameSiteContext = !isCrossSite ? 'strict' : method === 'GET' ? 'lax' : 'none';
      return jarOf(url).getCookieStringSync(url.href, { sameSiteContext }) || undefined;
    },
    /** Of one site, or of all. */
    list,
    get: (url: string, name: string) => list(url).find((one) => one.name === name),
  };
}

function readCookie(line: string): Cookie {
  const cookie = Cookie.parse(line);
  if (!cookie) throw new Error('no name');
  // What browsers do with a cookie that says nothing, and with one that says too much.
  cookie.sameSite ??= 'lax';
  if (cookie.sameSite === 'none' && !cookie.secure) throw new Error('SameSite=None without Secure');
  return cookie;
}

import type { IncomingMessage } from 'node:http';
import { isSecretShaped } from './secret.ts';

const BODY_LIMIT_BYTES = 16 * 1024;

/** The fields of a form; undefined where the body is not a form, is larger than 16 KB, or breaks off. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Without destroying the request: its connection still has to carry our answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Whether a form was sent by a page of ours. Browsers say so in Sec-Fetch-Site, older ones (and all of them over plain
 * http) in Origin; a request with neither is no browser's: https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(request: IncomingMessage, origin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? request.headers.origin === origin : site === 'same-origin';
}

/** The secret that ties a sign-in to a browser, if it looks like one of ours. */
export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2).map((part) => part.trim());
    if (key === name && isSecretShaped(value)) return value;
  }
  return undefined;
}

import type { IncomingMessage } from 'node:http';
import { TooManyBodiesError } from '../../http/http-errors.ts';
import { readBody } from '../../http/read-body.ts';

/**
 * Whether a form was sent by our own page. Browsers send Sec-Fetch-Site; old ones, and all with plain http, Origin.
 * A request with neither is not from a browser: https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(request: IncomingMessage, origin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? request.headers.origin === origin : site === 'same-origin';
}

const BODY_LIMIT_BYTES = 16 * 1024;

/**
 * The fields of a form. Undefined: the body is no form, is larger than 16 KB, or breaks off. Throws TooManyBodiesError
 * if too much is being sent to the app.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  try {
    const body = await readBody(request, BODY_LIMIT_BYTES);
    return new URLSearchParams(body.toString('utf8'));
  } catch (error) {
    if (error instanceof TooManyBodiesError) throw error;
    return undefined;
  }
}

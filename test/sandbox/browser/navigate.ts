// One request of a navigation, with the headers a browser would send.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';

export type Step = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body: string | undefined;
  /** The page the navigation started from; undefined for the address bar. */
  readonly from: { readonly origin: string; readonly referrerPolicy: string } | undefined;
  /** True once a redirect led to another origin. */
  readonly hasLeft: boolean;
};

export type StepAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly html: string };

export function isCrossSite({ url, from, hasLeft }: Step): boolean {
  return hasLeft || (from !== undefined && from.origin !== url.origin);
}

/** Sends the request; no `Referer` ever, so that nothing may depend on one. */
export function sendStep(step: Step, cookie: string | undefined): Promise<StepAnswer> {
  if (step.url.protocol !== 'http:') throw new Error(`The sandbox browser stays on loopback: ${step.url.origin}`);
  return new Promise((resolve, reject) => {
    const request = httpRequest(step.url, { method: step.method, headers: toHeaders(step, cookie) }, (response) => {
      readText(response).then(
        (html) => resolve({ status: response.statusCode ?? 0, headers: response.headers, html }),
        reject,
      );
    });
    request.once('error', reject);
    request.end(step.body);
  });
}

function toHeaders(step: Step, cookie: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0 (sandbox browser)',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-fetch-user': '?1',
    'sec-fetch-site': toFetchSite(step),
  };
  if (cookie !== undefined) headers.cookie = cookie;
  if (step.method !== 'POST') return headers;
  headers.origin = toOrigin(step);
  headers['content-type'] = 'application/x-www-form-urlencoded';
  headers['content-length'] = String(Buffer.byteLength(step.body ?? ''));
  return headers;
}

function toFetchSite(step: Step): string {
  if (isCrossSite(step)) return 'cross-site';
  return step.from === undefined ? 'none' : 'same-origin';
}

// https://fetch.spec.whatwg.org/#append-a-request-origin-header: a page without a referrer posts with the origin `null`.
function toOrigin(step: Step): string {
  if (step.from === undefined || step.hasLeft || step.from.referrerPolicy === 'no-referrer') return 'null';
  if (step.from.referrerPolicy === 'same-origin' && isCrossSite(step)) return 'null';
  return step.from.origin;
}

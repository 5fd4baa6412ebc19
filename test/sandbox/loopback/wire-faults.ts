// Faults of the connection itself, the same for every stand-in.
import type { ServerResponse } from 'node:http';
import { waitWhileConnected } from './reply.ts';

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Never answers; ends when the client gives up or the stand-in is closed. */
export function hang(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', () => resolve());
  });
}

export type Payload = { readonly status: number; readonly contentType: string; readonly text: string };

/** Sends the headers at once and the body a few bytes at a time, `ms` apart. */
export async function drip(response: ServerResponse, payload: Payload, ms = 5): Promise<void> {
  response.writeHead(payload.status, { 'content-type': payload.contentType });
  response.flushHeaders();
  for (let at = 0; at < payload.text.length; at += 4) {
    if (!(await waitWhileConnected(response, ms))) return;
    response.write(payload.text.slice(at, at + 4));
  }
  response.end();
}

/** Announces the whole body, sends half of it, and cuts the connection. */
export function cutHalfway(response: ServerResponse, payload: Payload): void {
  const bytes = Buffer.from(payload.text);
  response.writeHead(payload.status, { 'content-type': payload.contentType, 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** `Retry-After` in its second form, an HTTP-date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after. It has whole
 * seconds: rounded up, so that the wait is never shorter than asked. */
export function toRetryDate(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
}

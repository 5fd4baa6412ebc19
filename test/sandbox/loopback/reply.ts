import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';

/** What a stand-in answers: an object is sent as JSON; a string, a page unless its headers say otherwise, and bytes as they are. */
export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
};

export function toText(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'text/plain' }, body: text };
}

export function toRedirect(location: string): Reply {
  return { status: 302, headers: { location } };
}

export function sendReply(response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  noteSent(response, reply.body);
  const { status, body = '' } = reply;
  const isSentAsItIs = typeof body === 'string' || body instanceof Uint8Array;
  const headers: Record<string, string> = {};
  if (body !== '')
    headers['content-type'] = isSentAsItIs ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { ...headers, ...reply.headers }).end(isSentAsItIs ? body : JSON.stringify(body));
}

const sent = new WeakMap<ServerResponse, Reply['body']>();

/** What the ledger shows as the answer; a Node response does not keep it. */
export function noteSent(response: ServerResponse, body: Reply['body']): void {
  sent.set(response, body);
}

export function readSent(response: ServerResponse): Reply['body'] {
  return sent.get(response);
}

// Far above anything a client of these interfaces sends.
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** Reads the whole request body as text; undefined where the client went away or sent more than 4 MB. */
export function readRequestText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let received = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > BODY_LIMIT_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('close', () => resolve(undefined));
  });
}

export function isJsonRequest(request: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

/** Resolves after `ms`, or at once with `false` when the client has gone. */
export function waitWhileConnected(response: ServerResponse, ms: number): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (ms <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onClose = () => finish(false);
    const timer = setTimeout(() => finish(true), ms);
    const finish = (connected: boolean) => {
      clearTimeout(timer);
      response.off('close', onClose);
      resolve(connected);
    };
    response.once('close', onClose);
  });
}

/** Thrown by whatever serves a request: the server answers with it. */
export class Refused extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

/** How a service words an error. */
type BuildError = (status: number, code: string, message: string) => Reply;

/** The JSON of a request: 413 where it is too large, 415 and 400 where it is none. */
export async function readJson(request: IncomingMessage, buildError: BuildError): Promise<unknown> {
  const text = await readRequestText(request);
  if (text === undefined) throw new Refused(buildError(413, 'RequestEntityTooLarge', 'The request is too large.'));
  if (!isJsonRequest(request))
    throw new Refused(buildError(415, 'UnsupportedMediaType', 'Content-Type must be application/json.'));
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Refused(buildError(400, 'BadRequest', 'The body is not JSON.'));
  return parsed.value;
}

/** The value as the schema has it; 400 with all that is wrong where it has not. */
export function check<T>(schema: z.ZodType<T>, value: unknown, buildError: BuildError): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Refused(buildError(400, 'BadRequest', problems.join('; ')));
}

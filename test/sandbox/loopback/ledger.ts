import type { IncomingMessage, ServerResponse } from 'node:http';
import { readSent } from './reply.ts';

/** One request as a stand-in saw it. Token values are never kept: `Authorization` is reduced to its scheme. */
export type LedgerEntry = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  subject?: string;
  body?: unknown;
  /** What was answered. */
  answer?: unknown;
  /** Undefined while the request is open, and for good where the connection was cut before an answer. */
  status?: number;
  cut?: boolean;
  /** Epoch ms of the end, however it came. */
  closedAt?: number;
};

type RecordingLedger = ReturnType<typeof createRequestLedger>;
export type RequestLedger = Omit<RecordingLedger, 'record'>;

export function createRequestLedger() {
  const requests: LedgerEntry[] = [];
  return {
    requests: requests as readonly LedgerEntry[],
    /** How many requests end with this path, or fit this test; all of them without an argument. */
    count(match?: string | ((entry: LedgerEntry) => boolean)): number {
      if (match === undefined) return requests.length;
      const fits = typeof match === 'string' ? (entry: LedgerEntry) => entry.path.endsWith(match) : match;
      return requests.filter(fits).length;
    },
    clear(): void {
      requests.length = 0;
    },
    record(request: IncomingMessage, response: ServerResponse): LedgerEntry {
      const entry = buildEntry(request);
      requests.push(entry);
      response.once('finish', () => {
        entry.status = response.statusCode;
      });
      response.once('close', () => {
        entry.closedAt = Date.now();
        entry.answer = readSent(response);
        if (!response.writableFinished) entry.cut = true;
      });
      return entry;
    },
  };
}

function buildEntry(request: IncomingMessage): LedgerEntry {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'cookie' && value !== undefined) headers[name] = String(value);
  }
  if (headers.authorization !== undefined) headers.authorization = headers.authorization.split(' ')[0] ?? '';
  return {
    at: Date.now(),
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
  };
}

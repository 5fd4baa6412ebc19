// What is checked before an operation is looked at: the version, the token, the form of the body.
import type { IncomingMessage } from 'node:http';
import type { LedgerEntry } from '../loopback/ledger.ts';
import { isJsonRequest, parseJson, type Reply, readRequestText } from '../loopback/reply.ts';
import { ADMIN_SCOPE, toAudience } from '../loopback/scopes.ts';
import { readBearerToken, type VerifyToken } from '../loopback/token-holder.ts';
import { buildError } from './faults.ts';

export const API_VERSION = '2024-10-01';

export function checkVersion({ query }: LedgerEntry): Reply | undefined {
  const version = query['api-version'];
  if (version === undefined) return buildError(400, 'MissingApiVersionParameter', 'api-version is missing.');
  return version === API_VERSION ? undefined : buildError(400, 'UnsupportedApiVersion', `Use ${API_VERSION}.`);
}

// Only a signed-in administrator: people without the role and applications of their own are refused.
export async function checkToken(
  verifyToken: VerifyToken,
  request: IncomingMessage,
  entry: LedgerEntry,
): Promise<Reply | undefined> {
  const challenge = { 'www-authenticate': 'Bearer realm="admin.sandbox", error="invalid_token"' };
  const token = readBearerToken(request);
  const holder = token === undefined ? undefined : await verifyToken(token);
  const scopes = holder?.scope.split(' ') ?? [];
  if (!holder || !scopes.some((scope) => scope.startsWith(toAudience(ADMIN_SCOPE)))) {
    return buildError(401, 'Unauthorized', 'The token is missing, expired, or for another audience.', challenge);
  }
  entry.subject = holder.subject;
  const isAllowed =
    scopes.includes(ADMIN_SCOPE) && holder.isAppOnly !== true && holder.roles?.includes('admin') === true;
  return isAllowed ? undefined : buildError(403, 'Forbidden', 'A signed-in administrator is required.');
}

export type BodyRead = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reply: Reply };

export async function readBody(request: IncomingMessage, entry: LedgerEntry): Promise<BodyRead> {
  const text = await readRequestText(request);
  if (entry.method === 'GET') return { ok: true, value: undefined };
  if (!isJsonRequest(request)) {
    return { ok: false, reply: buildError(415, 'UnsupportedMediaType', 'Content-Type must be application/json.') };
  }
  const parsed = parseJson(text ?? '');
  if (!parsed.ok) return { ok: false, reply: buildError(400, 'BadRequest', 'The body is not JSON.') };
  entry.body = parsed.value;
  return parsed;
}

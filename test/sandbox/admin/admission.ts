// What is checked before an operation is looked at: the version and the token.
import type { IncomingMessage } from 'node:http';
import type { LedgerEntry } from '../loopback/ledger.ts';
import { Refused } from '../loopback/refused.ts';
import { ADMIN_SCOPE, toAudience } from '../loopback/scopes.ts';
import { readBearerToken, type VerifyToken } from '../loopback/token-holder.ts';
import { buildError } from './faults.ts';

export const API_VERSION = '2024-10-01';

export function checkVersion({ query }: LedgerEntry): void {
  const version = query['api-version'];
  if (version === undefined)
    throw new Refused(buildError(400, 'MissingApiVersionParameter', 'api-version is missing.'));
  if (version !== API_VERSION) throw new Refused(buildError(400, 'UnsupportedApiVersion', `Use ${API_VERSION}.`));
}

/** Only a signed-in administrator: people without the role and applications of their own are refused. */
export async function checkToken(
  verifyToken: VerifyToken,
  request: IncomingMessage,
  entry: LedgerEntry,
): Promise<void> {
  const challenge = { 'www-authenticate': 'Bearer realm="admin.sandbox", error="invalid_token"' };
  const token = readBearerToken(request);
  const holder = token === undefined ? undefined : await verifyToken(token);
  const scopes = holder?.scope.split(' ') ?? [];
  if (!holder || !scopes.some((scope) => scope.startsWith(toAudience(ADMIN_SCOPE)))) {
    const message = 'The token is missing, expired, or for another audience.';
    throw new Refused(buildError(401, 'Unauthorized', message, challenge));
  }
  entry.subject = holder.subject;
  const isAdministrator = holder.isAppOnly !== true && holder.roles?.includes('admin') === true;
  if (!scopes.includes(ADMIN_SCOPE) || !isAdministrator)
    throw new Refused(buildError(403, 'Forbidden', 'A signed-in administrator is required.'));
}

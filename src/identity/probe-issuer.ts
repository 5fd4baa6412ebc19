import type { HttpClient } from '../http/http-client.ts';
import { toConfigurationFault, toShownValue } from './configuration-fault.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { toSafeCode } from './provider-errors.ts';
import { unchecked, unreachable, type Verdict } from './verdict.ts';

const TIMEOUT_MS = 10_000;

const NAMES = { client: 'AUTH_CLIENT_ID', credential: 'AUTH_CLIENT_SECRET', scope: 'ASSISTANT_SCOPE' };

/**
 * Compares the issuer that the app expects in id tokens with the one that the identity provider publishes. The contract
 * promises no such document, so where there is none nothing is wrong.
 */
export async function probeIssuer(
  { discoveryUrl, issuer: expected }: Pick<IdentityProvider, 'discoveryUrl' | 'issuer'>,
  http: HttpClient,
): Promise<Verdict> {
  const document = await read(discoveryUrl, http);
  if ('verdict' in document) return document;
  const { issuer, error, error_codes: codes } = document.body;
  if (typeof error === 'string') {
    const numbers = Array.isArray(codes) ? codes.filter((code) => typeof code === 'number') : [];
    const fault = toConfigurationFault({ error: toSafeCode(error), codes: numbers }, NAMES);
    // The request names a tenant and no client: whatever else is refused is not about our values.
    return fault?.variable === 'AUTH_TENANT_ID'
      ? { verdict: 'wrong', fault }
      : unchecked('the identity provider refuses to show its discovery document');
  }
  // An address for the accounts of several tenants names none of them.
  if (typeof issuer !== 'string' || issuer.includes('{')) {
    return unchecked('the discovery document names no single issuer');
  }
  if (issuer === expected) return { verdict: 'right' };
  return { verdict: 'wrong', fault: { variable: 'AUTH_ISSUER', expected, found: toShownValue(issuer) } };
}

async function read(url: string, http: HttpClient): Promise<{ body: Record<string, unknown> } | Verdict> {
  try {
    const answer = await http.send({ method: 'GET', url, subject: 'probe', totalTimeoutMs: TIMEOUT_MS });
    const body: unknown = JSON.parse(await answer.text());
    const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
    const isWanted = answer.status === 200 || (isRecord && 'error' in body);
    return isRecord && isWanted ? { body: body as Record<string, unknown> } : NO_DOCUMENT;
  } catch (error) {
    return error instanceof SyntaxError ? NO_DOCUMENT : unreachable(error);
  }
}

const NO_DOCUMENT = unchecked('the identity provider publishes no discovery document');

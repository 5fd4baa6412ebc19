import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import type { Purpose } from './account-link.ts';
import { readAuthorizeFault } from './callback-error.ts';
import { type ConfigurationFault, UNKNOWN_ERROR } from './configuration-fault.ts';
import type { IdentityProvider, SignInStep } from './identity-provider.ts';
import { toSafeCode } from './provider-errors.ts';
import { unchecked, unreachable, type Verdict } from './verdict.ts';

const TIMEOUT_MS = 10_000;

type Visit = { purpose: Purpose; step: SignInStep; http: HttpClient };

/**
 * Opens the page on which people sign in. It shows what never comes back to the app: an unknown tenant, client or
 * redirect address. Some check the scope only after a person has signed in.
 */
export async function probeSignInPage(provider: IdentityProvider, { purpose, step, http }: Visit): Promise<Verdict> {
  const url = await provider.buildSignInUrl(purpose, step);
  try {
    const headers = { accept: 'text/html' };
    const answer = await http.send({ method: 'GET', url, subject: 'probe', headers, totalTimeoutMs: TIMEOUT_MS });
    const location = [answer.headers.location].flat()[0];
    return location === undefined
      ? readPage(answer, purpose)
      : readRedirect(new URL(location, url), new URL(url), purpose);
  } catch (error) {
    return unreachable(error);
  }
}

/** To where people sign in; or back to us, or to a page of the provider's own, with an error. */
function readRedirect({ searchParams, origin, pathname }: URL, asked: URL, purpose: Purpose): Verdict {
  const error = searchParams.get('error');
  // Whoever only names another host has not looked at the values yet.
  if (error === null && pathname === asked.pathname) return unchecked(`the sign-in page has moved to ${origin}`);
  if (error === null) return { verdict: 'right' };
  const code = toSafeCode(error);
  const fault = readAuthorizeFault(code, purpose, findCodes(searchParams.get('error_description') ?? ''));
  return fault ? { verdict: 'wrong', fault } : unchecked(`the sign-in page says ${code}`);
}

const SIGN_IN_FIELD = /<input[^>]+type=["']?(password|email|text)\b/i;

async function readPage(answer: HttpResponse, purpose: Purpose): Promise<Verdict> {
  const { status } = answer;
  const html = await answer.text();
  const fault = findFault(status, html, purpose);
  if (fault) return { verdict: 'wrong', fault };
  if (status === 200 && SIGN_IN_FIELD.test(html)) return { verdict: 'right' };
  return unchecked(
    status === 200 ? 'only a browser can read the sign-in page' : `the sign-in page has status ${status}`,
  );
}

function findFault(status: number, html: string, purpose: Purpose): ConfigurationFault | undefined {
  const [word = UNKNOWN_ERROR] = status >= 400 && status < 500 ? (ERROR_WORDS.exec(html) ?? []) : [];
  const fault = readAuthorizeFault(word, purpose, findCodes(html));
  if (fault) return fault;
  if (status === 404 || status === 405) return { variable: 'AUTH_TENANT_ID or AUTH_URL', status };
  // RFC 6749 section 4.1.2.1: shown instead of sent back where the client or its redirect address is not known.
  return status === 400 ? { variable: 'AUTH_CLIENT_ID or PUBLIC_URL', status } : undefined;
}

const ERROR_WORDS =
  /\b(invalid_client|unauthorized_client|invalid_redirect_uri|invalid_scope|invalid_resource|invalid_target|invalid_tenant)\b/;

/** The numbers of configuration-fault.ts, as they are written in texts for people. */
function findCodes(text: string): number[] {
  return [...text.matchAll(/\bAADSTS(\d{4,8})\b/g)].map(([, digits]) => Number(digits));
}

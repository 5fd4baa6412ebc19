// Checks without a person whether people can sign in. Otherwise wrong values in the configuration show only in people's
// browsers, on pages of the identity provider or Slack.
import { randomUUID } from 'node:crypto';
import { BridgeError } from '../errors.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { type JsonObject, parseObject } from '../json.ts';
import type { Purpose } from './account-link.ts';
import {
  type ConfigurationFault,
  faultOf,
  readAuthorizeFault,
  toConfigurationFault,
  toShownValue,
  UNKNOWN_ERROR,
} from './configuration-fault.ts';
import { AuthorizationEndedError, IdentityProviderUnavailableError, toSafeCode, toSilence } from './identity-errors.ts';
import {
  createIdentityProvider,
  createStep,
  type IdentityProvider,
  type IdentityProviderOptions,
  type SignInStep,
} from './identity-provider.ts';
import { createSlackSignIn, SlackAnswerError, type SlackSignInOptions } from './slack-sign-in.ts';

/** The configured values that sign-ins depend on. */
export type SignInValues = {
  publicUrl: string;
  provider: Omit<IdentityProviderOptions, 'http' | 'now'>;
  slackClient: Omit<SlackSignInOptions, 'http'>;
};

/** An invalid code: if only the code is refused, the client is accepted. */
const MADE_UP_CODE = 'a-code-that-nobody-issued';

/** Checks the values with the identity provider. Takes 30 s at most and changes nothing. */
export async function probeSignIn(values: SignInValues, http: HttpClient, now: () => number): Promise<ProbeFinding[]> {
  const provider = createIdentityProvider({ ...values.provider, http, now });
  const redirectUri = `${values.publicUrl}/link/account/callback`;
  const openPage = (at: IdentityProvider, purpose: Purpose) =>
    probeSignInPage(at, { purpose, step: createStep(redirectUri), http });
  const [issuer, client, page, adminPage] = await Promise.all([
    probeIssuer(provider, http),
    probeClient(provider, redirectUri),
    openPage(provider, 'assistant'),
    values.provider.scopes.admin === undefined ? undefined : openPage(provider, 'admin'),
  ]);
  const nobody = createIdentityProvider({ ...values.provider, clientId: randomUUID(), http, now });
  return weighFindings([
    { subject: 'issuer', ...issuer },
    { subject: 'client', ...(await tellApart(client, page, () => openPage(nobody, 'assistant'))) },
    { subject: 'sign_in_page', ...page },
    ...(adminPage ? [{ subject: 'admin_sign_in_page' as const, ...adminPage }] : []),
  ]);
}

/** Some providers validate the code's format before the client, with this error. */
const MALFORMED_CODE = 9002313;

async function probeClient(provider: IdentityProvider, redirectUri: string): Promise<Verdict> {
  try {
    await provider.exchange('assistant', new URLSearchParams({ code: MADE_UP_CODE }), createStep(redirectUri));
    return unchecked('the identity provider took a code that nobody issued');
  } catch (error) {
    const isRefused = error instanceof AuthorizationEndedError && error.oauthError === 'invalid_grant';
    return isRefused && !error.codes.includes(MALFORMED_CODE) ? { verdict: 'right' } : toVerdict(error);
  }
}

/** Checks the client of Sign in with Slack. */
export async function probeSlackClient(values: SignInValues, http: HttpClient): Promise<ProbeFinding> {
  const { slackClient, publicUrl } = values;
  const subject = 'slack_client';
  const step = createStep(`${publicUrl}/link/slack/callback`);
  const callback = new URLSearchParams({ code: MADE_UP_CODE, state: step.state });
  const nobody = { person: { team: '', user: '' }, workspace: '' };
  try {
    await createSlackSignIn({ ...slackClient, http }).finish(callback, step, nobody);
    return { subject, ...unchecked('Slack took a code that nobody issued') };
  } catch (error) {
    const answer = error instanceof BridgeError ? error.cause : undefined;
    const isRight = answer instanceof SlackAnswerError && answer.code === 'invalid_code';
    return { subject, ...(isRight ? { verdict: 'right' } : toVerdict(error)) };
  }
}

/**
 * Distinguishes a wrong client id from a wrong credential: the sign-in page checks the id alone. That counts only if it
 * refuses an unknown id.
 */
async function tellApart(client: Verdict, page: Verdict, openAsNobody: () => Promise<Verdict>): Promise<Verdict> {
  if (client.verdict !== 'wrong') return client;
  const [id, other] = client.fault.variable.split(' or ');
  if (id !== 'AUTH_CLIENT_ID' || other === undefined) return client;
  const isIdWrong = page.verdict === 'wrong' && page.fault.variable === id;
  if (isIdWrong) return { ...client, fault: { ...client.fault, variable: id } };
  if (page.verdict !== 'right' || (await openAsNobody()).verdict !== 'wrong') return client;
  return { ...client, fault: { ...client.fault, variable: other } };
}

const TIMEOUT_MS = 10_000;

const NAMES = { client: 'AUTH_CLIENT_ID', credential: 'AUTH_CLIENT_SECRET', scope: 'ASSISTANT_SCOPE' };

/**
 * Compares the expected issuer of id tokens with the published one. The contract promises no discovery document, so a
 * missing document is not a fault.
 */
async function probeIssuer(
  { discoveryUrl, issuer: expected }: Pick<IdentityProvider, 'discoveryUrl' | 'issuer'>,
  http: HttpClient,
): Promise<Verdict> {
  const document = await read(discoveryUrl, http);
  if ('verdict' in document) return document;
  const { issuer, error, error_codes: codes } = document.body;
  if (typeof error === 'string') {
    const numbers = Array.isArray(codes) ? codes.filter((code) => typeof code === 'number') : [];
    const fault = toConfigurationFault({ error: toSafeCode(error), codes: numbers }, NAMES);
    // The request names a tenant and no client, so other errors are not about our values.
    return fault?.variable === 'AUTH_TENANT_ID'
      ? { verdict: 'wrong', fault }
      : unchecked('the identity provider refuses to show its discovery document');
  }
  // A multi-tenant endpoint publishes a template.
  if (typeof issuer !== 'string' || issuer.includes('{')) {
    return unchecked('the discovery document names no single issuer');
  }
  if (issuer === expected) return { verdict: 'right' };
  return { verdict: 'wrong', fault: { variable: 'AUTH_ISSUER', expected, found: toShownValue(issuer) } };
}

async function read(url: string, http: HttpClient): Promise<{ body: JsonObject } | Verdict> {
  try {
    const answer = await http.send({ method: 'GET', url, subject: 'probe', totalTimeoutMs: TIMEOUT_MS });
    const body = parseObject(await answer.text());
    return answer.status === 200 || 'error' in body ? { body } : NO_DOCUMENT;
  } catch (error) {
    return unreachable(error);
  }
}

const NO_DOCUMENT = unchecked('the identity provider publishes no discovery document');

type Visit = { purpose: Purpose; step: SignInStep; http: HttpClient };

/**
 * Opens the sign-in page. It shows errors that the app never gets: an unknown tenant, client or redirect URL. Some
 * providers check the scope only after a person has signed in.
 */
async function probeSignInPage(provider: IdentityProvider, { purpose, step, http }: Visit): Promise<Verdict> {
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

/** The redirect leads to the sign-in, or, with an error, back to us or to a page of the provider. */
function readRedirect({ searchParams, origin, pathname }: URL, asked: URL, purpose: Purpose): Verdict {
  const error = searchParams.get('error');
  // Only the host has changed: the values were not checked yet.
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
  // RFC 6749 section 4.1.2.1: if the client or its redirect URL is unknown, the error is only shown.
  return status === 400 ? { variable: 'AUTH_CLIENT_ID or PUBLIC_URL', status } : undefined;
}

const ERROR_WORDS =
  /\b(invalid_client|unauthorized_client|invalid_redirect_uri|invalid_scope|invalid_resource|invalid_target|invalid_tenant)\b/;

/** The numbers of configuration-fault.ts, as written in error pages. */
function findCodes(text: string): number[] {
  return [...text.matchAll(/\bAADSTS(\d{4,8})\b/g)].map(([, digits]) => Number(digits));
}

/**
 * The result of checking a value. `unchecked`: the check was not possible, for `reason`; `variable`: what to check
 * first, if known.
 */
type Verdict =
  | { verdict: 'right' }
  | { verdict: 'wrong'; fault: ConfigurationFault }
  | { verdict: 'unchecked'; reason: string; variable?: string };

function toVerdict(error: unknown): Verdict {
  const fault = faultOf(error);
  if (fault) return { verdict: 'wrong', fault };
  if (!(error instanceof BridgeError)) return unchecked('an unexpected error');
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const isAway = error instanceof IdentityProviderUnavailableError;
  return { ...unchecked(error.message + cause), ...(isAway && { variable: 'AUTH_URL' }) };
}

/** A request without a response. */
function unreachable(error: unknown): Verdict {
  return toVerdict(new IdentityProviderUnavailableError(toSilence(error)));
}

function unchecked(reason: string): Verdict & { verdict: 'unchecked' } {
  return { verdict: 'unchecked', reason };
}

export type ProbeSubject = 'issuer' | 'client' | 'sign_in_page' | 'admin_sign_in_page' | 'slack_client';

export type ProbeFinding = { subject: ProbeSubject } & Verdict;

/** If the identity provider accepts the client, these variables are right. */
const PROVED_BY_CLIENT = new Set(['AUTH_CLIENT_ID', 'AUTH_TENANT_ID', 'AUTH_URL']);

/** Drops faults that another finding contradicts, and reports each variable once. */
function weighFindings(findings: ProbeFinding[]): ProbeFinding[] {
  const right = findings.filter(({ verdict }) => verdict === 'right');
  const isClientRight = right.some(({ subject }) => subject === 'client');
  const weighed = findings.map((finding) => {
    if (finding.verdict !== 'wrong') return finding;
    const { subject, fault } = finding;
    const isDoubtful = (right.length > 0 && restsOnStatus(fault)) || (isClientRight && isProvedByClient(fault));
    return isDoubtful ? { subject, ...toDoubt(fault) } : finding;
  });
  const seen = new Set<string>();
  return weighed.filter((finding) => {
    if (finding.verdict !== 'wrong') return true;
    const isNew = !seen.has(finding.fault.variable);
    seen.add(finding.fault.variable);
    return isNew;
  });
}

/** A status alone is weak evidence: a gateway may send it. Only 401 is specific: RFC 6749 section 5.2. */
function restsOnStatus({ status }: ConfigurationFault): boolean {
  return status !== undefined && status !== 401;
}

function isProvedByClient({ variable }: ConfigurationFault): boolean {
  return variable.split(' or ').every((name) => PROVED_BY_CLIENT.has(name));
}

function toDoubt({ variable, providerError, providerCode, status }: ConfigurationFault): Verdict {
  const said = providerError ?? providerCode ?? `status ${status}`;
  const reason = `the identity provider answers ${said} here, but takes the same values in another request`;
  return { ...unchecked(reason), variable };
}

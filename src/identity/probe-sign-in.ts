// Whether people will be able to sign in, as far as that can be seen without a person: what a wrong value of the
// configuration leads to at the identity provider and at Slack, which the person alone would see otherwise.
import { randomUUID } from 'node:crypto';
import { BridgeError } from '../errors.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Purpose } from './account-link.ts';
import { AuthorizationEndedError } from './identity-errors.ts';
import { createIdentityProvider, type IdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
import { probeIssuer } from './probe-issuer.ts';
import { probeSignInPage } from './probe-sign-in-page.ts';
import { createSecret } from './secret.ts';
import { SlackAnswerError } from './slack-answer.ts';
import { createSlackSignIn, type SlackSignInOptions } from './slack-sign-in.ts';
import { toVerdict, unchecked, type Verdict } from './verdict.ts';
import { withoutTrailingSlash } from './web-address.ts';
import { type ProbeFinding, weighFindings } from './weigh-findings.ts';

/** What people sign in with, by the configuration. */
export type SignInValues = {
  publicUrl: string;
  provider: Omit<IdentityProviderOptions, 'http' | 'now'>;
  slackClient?: Omit<SlackSignInOptions, 'http'> | undefined;
};

type Ports = { http: HttpClient; now: () => number };

/** Nobody issued it: a client that is accepted is told that this code is not good. */
const MADE_UP_CODE = 'a-code-that-nobody-issued';

/** Asks both sides what they think of the values. Takes 30 s at most, and changes nothing. */
export async function probeSignIn(values: SignInValues, { http, now }: Ports): Promise<ProbeFinding[]> {
  const provider = createIdentityProvider({ ...values.provider, http, now });
  const redirectUri = `${withoutTrailingSlash(values.publicUrl)}/link/account/callback`;
  const openPage = (at: IdentityProvider, purpose: Purpose) =>
    probeSignInPage(at, { purpose, step: newStep(redirectUri), http });
  const [issuer, client, page, adminPage, slack] = await Promise.all([
    probeIssuer(provider, http),
    probeClient(provider, redirectUri),
    openPage(provider, 'assistant'),
    values.provider.scopes.admin === undefined ? undefined : openPage(provider, 'admin'),
    values.slackClient && probeSlackClient({ ...values.slackClient, http }, values.publicUrl),
  ]);
  const nobody = createIdentityProvider({ ...values.provider, clientId: randomUUID(), http, now });
  return weighFindings([
    { subject: 'issuer', ...issuer },
    { subject: 'client', ...(await tellApart(client, page, () => openPage(nobody, 'assistant'))) },
    { subject: 'sign_in_page', ...page },
    ...(adminPage ? [{ subject: 'admin_sign_in_page' as const, ...adminPage }] : []),
    ...(slack ? [{ subject: 'slack_client' as const, ...slack }] : []),
  ]);
}

function newStep(redirectUri: string) {
  return { redirectUri, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
}

/** Some look at the form of a code before they look at the client, and say this of it. */
const MALFORMED_CODE = 9002313;

async function probeClient(provider: IdentityProvider, redirectUri: string): Promise<Verdict> {
  try {
    await provider.exchange('assistant', new URLSearchParams({ code: MADE_UP_CODE }), newStep(redirectUri));
    return unchecked('the identity provider took a code that nobody issued');
  } catch (error) {
    const isRefused = error instanceof AuthorizationEndedError && error.oauthError === 'invalid_grant';
    return isRefused && !error.codes.includes(MALFORMED_CODE) ? { verdict: 'right' } : toVerdict(error);
  }
}

async function probeSlackClient(options: SlackSignInOptions, publicUrl: string): Promise<Verdict> {
  const step = newStep(`${withoutTrailingSlash(publicUrl)}/link/slack/callback`);
  const callback = new URLSearchParams({ code: MADE_UP_CODE, state: step.state });
  const nobody = { person: { team: '', user: '' }, workspace: '' };
  try {
    await createSlackSignIn(options).finish(callback, step, nobody);
    return unchecked('Slack took a code that nobody issued');
  } catch (error) {
    const answer = error instanceof BridgeError ? error.cause : undefined;
    return answer instanceof SlackAnswerError && answer.code === 'invalid_code'
      ? { verdict: 'right' }
      : toVerdict(error);
  }
}

/**
 * Where the client may be refused for its id or for something else: whether the id is known shows at the page, too, if
 * that refuses an id that nobody has.
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

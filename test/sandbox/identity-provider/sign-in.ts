// The sign-in page, which oidc-provider calls an interaction, and the sandbox's short cut around it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { escapeHtml, renderPage, toPage } from '../loopback/render-page.ts';
import { readRequestText, sendReply } from '../loopback/reply.ts';
import { type IdentitySettings, PERSON_COOKIE } from './options.ts';
import { PEOPLE, type Person } from './people.ts';

type Visit = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** `GET /sandbox/login?person=ana` makes this browser Ana's; without a person it is nobody's again. */
export function answerLogin({ request, response }: Visit): void {
  const key = new URL(request.url ?? '/', 'http://loopback').searchParams.get('person') ?? '';
  const person = PEOPLE.get(key);
  if (key !== '' && !person) {
    return sendReply(response, toPage(404, buildPage('Unknown person', '<p>Nobody has this key.</p>')));
  }
  response.setHeader('set-cookie', toPersonCookie(person));
  sendReply(
    response,
    toPage(200, buildPage(person ? `Signed in as ${person.name}` : 'Signed out', '<p>You can go on.</p>')),
  );
}

/** Shows the sign-in or consent page, takes its form, and lets the authorization continue. */
export async function answerInteraction(provider: Provider, settings: IdentitySettings, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const form = request.method === 'POST' ? new URLSearchParams((await readRequestText(request)) ?? '') : undefined;
  try {
    const interaction = await provider.interactionDetails(request, response);
    const scope = String(interaction.params.scope ?? '');
    const person = settings.askPerson && !form ? undefined : readPerson(request, form);
    const action = request.url ?? '';
    if (!person) return sendReply(response, toPage(200, buildSignInPage(action, PEOPLE.values())));
    response.setHeader('set-cookie', toPersonCookie(person));
    const decision = form?.get('decision') ?? (settings.askConsent ? undefined : 'accept');
    if (decision === undefined) return sendReply(response, toPage(200, buildConsentPage(action, person, scope)));
    await provider.interactionFinished(
      request,
      response,
      await decide(provider, settings, { decision, person, scope }),
    );
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    sendReply(response, toPage(400, buildPage('Sign-in expired', '<p>Start again from the app.</p>')));
  }
}

type Decision = { readonly decision: string; readonly person: Person; readonly scope: string };

// Each authorization gets a grant of its own: revoking one link must not end another one of the same person.
async function decide(
  provider: Provider,
  settings: IdentitySettings,
  { decision, person, scope }: Decision,
): Promise<InteractionResults> {
  if (decision !== 'accept') return { error: 'access_denied', error_description: 'The person declined.' };
  const grant = new provider.Grant({ accountId: person.key, clientId: settings.clientId });
  grant.addOIDCScope(scope);
  return { login: { accountId: person.key, remember: false }, consent: { grantId: await grant.save() } };
}

function readPerson(request: IncomingMessage, form: URLSearchParams | undefined): Person | undefined {
  const chosen = form?.get('person');
  if (chosen) return PEOPLE.get(chosen);
  const cookie = new RegExp(`(?:^|;\\s*)${PERSON_COOKIE}=([a-z]+)`).exec(request.headers.cookie ?? '')?.[1];
  return cookie === undefined ? undefined : PEOPLE.get(cookie);
}

function toPersonCookie(person: Person | undefined): string {
  return `${PERSON_COOKIE}=${person?.key ?? ''}; Path=/; HttpOnly; SameSite=Lax${person ? '' : '; Max-Age=0'}`;
}

function buildSignInPage(action: string, people: Iterable<Person>): string {
  const buttons = [...people].map(
    ({ key, name, preferredUsername }) =>
      `<p><button type="submit" name="person" value="${key}">${escapeHtml(name)}</button> ${escapeHtml(preferredUsername)}</p>`,
  );
  const body = `<p>Choose who you are.</p>\n<form method="post" action="${action}">\n${buttons.join('\n')}\n</form>`;
  return buildPage('Sign in', body);
}

function buildConsentPage(action: string, person: Person, scope: string): string {
  const scopes = scope.split(' ').map((one) => `<li>${escapeHtml(one)}</li>`);
  return buildPage(
    'Permissions requested',
    `<p>${escapeHtml(person.name)}, this app asks for:</p>\n<ul>${scopes.join('')}</ul>
<form method="post" action="${action}">
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="cancel">Cancel</button>
</form>`,
  );
}

export function buildPage(title: string, body: string): string {
  return renderPage('Work account, simulated', title, body);
}

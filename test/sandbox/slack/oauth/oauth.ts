/** Installing the app: https://docs.slack.dev/authentication/installing-with-oauth */
import { randomBytes } from 'node:crypto';
import { readSession, type SignedIn } from '../browser-session.ts';
import type { Install } from '../installs.ts';
import { everybody, type OpenId, redirect, sendPage } from '../openid/openid.ts';
import { problemPage } from '../openid/page.ts';
import { choosePersonPage } from '../openid/pages.ts';
import { requireClient } from '../openid/token-methods.ts';
import type { Json } from '../records.ts';
import { SIGN_IN_SCOPES } from '../registration.ts';
import type { Exchange } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';
import { installPage } from './pages.ts';

type Code = { person: SignedIn; isEnterprise: boolean; scope: string; redirectUri: string; expiresAt: number };

const PATH = '/oauth/v2/authorize';
const CODE_LIFE_MS = 10 * 60_000;

/** The page to install the app, and the method that exchanges its code. */
export function createOAuth(main: World): OpenId {
  const codes = new Map<string, Code>();
  return {
    methods: new Map([
      [
        'oauth.v2.access',
        async (exchange: Exchange, given: Json) => {
          requireClient(main, { exchange, given });
          if (given.grant_type === 'refresh_token') return refresh(main, given);
          return exchangeCode(main, codes, given);
        },
      ],
    ]),
    async handle(path, exchange) {
      if (path !== PATH) return false;
      authorize(main, codes, exchange);
      return true;
    },
  };
}

function authorize(main: World, codes: Map<string, Code>, { request, response, body }: Exchange): void {
  const { method, url = '/', headers } = request;
  const form = method === 'POST' ? new URLSearchParams(body) : new URL(url, main.url).searchParams;
  const problem = findProblem(main, form);
  if (problem !== undefined) return sendPage(response, 400, problemPage(problem));
  const person = readSession(main, headers.cookie);
  if (!person) return sendPage(response, 200, choosePersonPage(everybody(main), `${PATH}?${form}`));
  if (person.user.isRestricted || person.user.isUltraRestricted || person.user.deleted) {
    return sendPage(response, 403, problemPage('You may not install apps in this workspace.'));
  }
  const offersOrganisation = main.registration.isOrgReady && person.user.isOrgOwner;
  if (method !== 'POST') return sendPage(response, 200, installPage(person, form, offersOrganisation));
  const target = new URL(form.get('redirect_uri') ?? '');
  if (form.get('decision') === 'allow') {
    const isEnterprise = offersOrganisation && form.get('where') === 'enterprise';
    target.searchParams.set('code', issueCode(codes, form, { person, isEnterprise }));
  } else target.searchParams.set('error', 'access_denied');
  const state = form.get('state');
  if (state !== null) target.searchParams.set('state', state);
  redirect(response, target.href);
}

/** Slack shows these on its own page: the redirect address cannot be trusted yet. */
function findProblem({ credentials, registration }: World, form: URLSearchParams): string | undefined {
  if (form.get('client_id') !== credentials.clientId) return 'invalid_client_id';
  const scopes = (form.get('scope') ?? '').split(/[ ,]/).filter(Boolean);
  const userScopes = (form.get('user_scope') ?? '').split(/[ ,]/).filter(Boolean);
  if (scopes.length + userScopes.length === 0) return 'no_scopes';
  const signIn = [...scopes, ...userScopes].filter((scope) => SIGN_IN_SCOPES.includes(scope));
  if (signIn.length > 0) return `invalid_scope: ${signIn.join(', ')} cannot be combined with others`;
  const unknown = scopes.filter((scope) => !registration.scopes.has(scope));
  if (unknown.length > 0) return `invalid_scope: ${unknown.join(', ')}`;
  const redirectUri = form.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri) || !isRegistered(registration.redirectUrls, redirectUri)) return 'bad_redirect_uri';
  return undefined;
}

/** A registered address stands for everything below it. */
function isRegistered(registered: readonly string[] | undefined, redirectUri: string): boolean {
  if (registered) return registered.some((one) => redirectUri === one || redirectUri.startsWith(`${one}/`));
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(redirectUri).hostname);
}

function issueCode(
  codes: Map<string, Code>,
  form: URLSearchParams,
  granted: Pick<Code, 'person' | 'isEnterprise'>,
): string {
  const code = randomBytes(16).toString('hex');
  const scope = (form.get('scope') ?? '').replaceAll(' ', ',');
  const redirectUri = form.get('redirect_uri') ?? '';
  codes.set(code, { ...granted, scope, redirectUri, expiresAt: Date.now() + CODE_LIFE_MS });
  return code;
}

/** https://docs.slack.dev/reference/methods/oauth.v2.access */
function exchangeCode(main: World, codes: Map<string, Code>, given: Json): Json {
  const code = codes.get(String(given.code));
  codes.delete(String(given.code));
  if (!code || code.expiresAt < Date.now()) throw new SlackApiError('invalid_code');
  if (given.redirect_uri !== code.redirectUri) throw new SlackApiError('bad_redirect_uri');
  const { world, user } = code.person;
  const { team, app } = world.workspace;
  const isEnterprise = code.isEnterprise && team.enterprise !== undefined;
  const id = (isEnterprise && team.enterprise?.id) || team.id;
  const install = main.installs.add({ id, isEnterprise });
  if (main.registration.isRotating) rotate(main, install);
  return {
    ok: true,
    app_id: app.appId,
    authed_user: { id: user.id },
    scope: code.scope,
    token_type: 'bot',
    ...toPair(main, install),
    bot_user_id: app.botUserId,
    team: isEnterprise ? null : { id: team.id, name: team.name },
    enterprise: team.enterprise ?? null,
    is_enterprise_install: isEnterprise,
  };
}

/** https://docs.slack.dev/authentication/using-token-rotation: a refresh token is good once. */
function refresh(main: World, given: Json): Json {
  const install = main.installs.byRefreshToken(String(given.refresh_token));
  if (!install) throw new SlackApiError('invalid_refresh_token');
  rotate(main, install);
  const world = main.teams().find(({ workspace }) => workspace.team.id === install.id) ?? main;
  const { team, app } = world.workspace;
  return {
    ok: true,
    app_id: app.appId,
    scope: [...main.registration.scopes].join(','),
    token_type: 'bot',
    ...toPair(main, install),
    bot_user_id: app.botUserId,
    team: install.isEnterprise ? null : { id: team.id, name: team.name },
    enterprise: team.enterprise ?? null,
    is_enterprise_install: install.isEnterprise,
  };
}

function rotate({ installs, registration }: World, install: Install): void {
  installs.rotate(install, Date.now() + registration.tokenLifeSeconds * 1_000);
}

function toPair({ registration }: World, { token, rotation }: Install): Json {
  if (!rotation) return { access_token: token };
  return { access_token: token, refresh_token: rotation.refreshToken, expires_in: registration.tokenLifeSeconds };
}

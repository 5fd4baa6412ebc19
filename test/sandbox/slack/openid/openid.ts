/** Sign in with Slack: https://docs.slack.dev/authentication/sign-in-with-slack */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { findPerson, readSession, SESSION_COOKIE, type SignedIn, toSessionValue } from '../browser-session.ts';
import { SIGN_IN_SCOPES } from '../registration.ts';
import { type Exchange, type OtherMethods, sendJson } from '../web-api/answer-call.ts';
import type { World } from '../world.ts';
import { page, problemPage } from './page.ts';
import { choosePersonPage, consentPage, signedInPage } from './pages.ts';
import { readSigningKey } from './signing-key.ts';
import { createTokenMethods, type Grant } from './token-methods.ts';

export type OpenIdSettings = {
  /** Exact redirect addresses; while empty, anything on loopback is allowed. */
  redirectUrls: Set<string>;
  /** Skips the consent page, so that a scripted browser only follows redirects. */
  autoAllow: boolean;
};

export type OpenId = {
  readonly methods: OtherMethods;
  /** False where the path is not one of these pages. */
  handle(path: string, exchange: Exchange): Promise<boolean>;
};

const CODE_LIFE_MS = 10 * 60_000;

export function createOpenId(world: World, settings: OpenIdSettings): OpenId {
  const codes = new Map<string, Grant>();
  const pages: Record<string, (exchange: Exchange) => void | Promise<void>> = {
    '/.well-known/openid-configuration': ({ response }) => sendJson(response, 200, metadata(world.url)),
    '/openid/connect/keys': async ({ response }) =>
      sendJson(response, 200, { keys: [(await readSigningKey()).publicJwk] }),
    '/openid/connect/authorize': (exchange) => authorize(world, settings, codes, exchange),
    '/sandbox/login': (exchange) => login(world, exchange),
    '/app_redirect': (exchange) => openApp(world, exchange),
  };
  return {
    methods: createTokenMethods(world, codes),
    async handle(path, exchange) {
      const page = pages[path];
      if (!page) return false;
      await page(exchange);
      return true;
    },
  };
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/openid/connect/authorize`,
    token_endpoint: `${origin}/api/openid.connect.token`,
    userinfo_endpoint: `${origin}/api/openid.connect.userInfo`,
    jwks_uri: `${origin}/openid/connect/keys`,
    scopes_supported: ['openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['form_post'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'auth_time', 'iss'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  };
}

function login(world: World, { request, response }: Exchange): void {
  const { searchParams } = new URL(request.url ?? '/', world.url);
  const person = findPerson(world, searchParams.get('team') ?? undefined, searchParams.get('user') ?? '');
  if (!person) return sendPage(response, 404, problemPage('There is no such person in this sandbox.'));
  response.setHeader('set-cookie', `${SESSION_COOKIE}=${toSessionValue(person)}; Path=/; HttpOnly; SameSite=Lax`);
  const back = searchParams.get('back');
  if (back && /^(?:\/(?:openid|oauth)|http:\/\/127\.0\.0\.1:\d+)\//.test(back)) return redirect(response, back);
  sendPage(response, 200, signedInPage(person));
}

/** Leads to the conversation with an app. https://docs.slack.dev/interactivity/deep-linking */
function openApp(main: World, { request, response }: Exchange): void {
  const { searchParams } = new URL(request.url ?? '/', main.url);
  const world = main.teams().find(({ workspace }) => workspace.team.id === searchParams.get('team'));
  const isFound = searchParams.get('app') === world?.workspace.app.appId;
  if (!isFound) return sendPage(response, 404, problemPage('There is no such app in this workspace.'));
  sendPage(response, 200, page('Back in Slack', '<p>The conversation with the app opens here.</p>'));
}

function authorize(world: World, settings: OpenIdSettings, codes: Map<string, Grant>, exchange: Exchange): void {
  const { request, response } = exchange;
  const form =
    request.method === 'POST'
      ? new URLSearchParams(exchange.body)
      : new URL(request.url ?? '/', world.url).searchParams;
  const problem = findProblem(world, settings, form);
  if (problem !== undefined) return sendPage(response, 400, problemPage(problem));
  const person = readSession(world, request.headers.cookie);
  if (!person) {
    return sendPage(response, 200, choosePersonPage(everybody(world), `/openid/connect/authorize?${form}`));
  }
  const decision = settings.autoAllow ? 'allow' : form.get('decision');
  if (request.method !== 'POST' && !settings.autoAllow) return sendPage(response, 200, consentPage(person, form));
  const target = new URL(form.get('redirect_uri') ?? '');
  if (decision === 'allow') target.searchParams.set('code', issueCode(codes, form, person));
  else target.searchParams.set('error', 'access_denied');
  const state = form.get('state');
  if (state !== null) target.searchParams.set('state', state);
  redirect(response, target.href);
}

/** Slack shows these on its own page: the redirect address cannot be trusted yet. */
function findProblem(world: World, settings: OpenIdSettings, form: URLSearchParams): string | undefined {
  if (form.get('client_id') !== world.credentials.clientId) return 'invalid_client_id';
  if (form.get('response_type') !== 'code') return 'invalid_response_type';
  const scopes = (form.get('scope') ?? '').split(/[ ,]/).filter(Boolean);
  if (!scopes.includes('openid')) return 'invalid_scope: openid is missing';
  const others = scopes.filter((scope) => !SIGN_IN_SCOPES.includes(scope));
  if (others.length > 0 || form.has('user_scope')) return 'invalid_scope: openid cannot be combined with others';
  const redirectUri = form.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri) || !isAllowed(settings, redirectUri))
    return 'bad_redirect_uri: it is not registered for this app';
  const method = form.get('code_challenge_method');
  if (form.has('code_challenge') && method !== 'S256') return 'invalid_code_challenge_method';
  return undefined;
}

function isAllowed(settings: OpenIdSettings, redirectUri: string): boolean {
  if (settings.redirectUrls.size > 0) return settings.redirectUrls.has(redirectUri);
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(redirectUri).hostname);
}

function issueCode(codes: Map<string, Grant>, form: URLSearchParams, person: SignedIn): string {
  const code = randomBytes(16).toString('hex');
  codes.set(code, {
    person,
    redirectUri: form.get('redirect_uri') ?? '',
    nonce: form.get('nonce') ?? undefined,
    challenge: form.get('code_challenge') ?? undefined,
    expiresAt: Date.now() + CODE_LIFE_MS,
  });
  return code;
}

/** Of all teams, without bots and those who left. */
export function everybody(main: World): SignedIn[] {
  return main
    .teams()
    .flatMap((world) =>
      [...world.workspace.users.values()]
        .filter((user) => !user.isBot && !user.deleted)
        .map((user) => ({ world, user })),
    );
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);
}

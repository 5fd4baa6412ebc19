/** Sign in with Slack: https://docs.slack.dev/authentication/sign-in-with-slack */
import { toPage } from '../../loopback/render-page.ts';
import { type Reply, toRedirect } from '../../loopback/reply.ts';
import { findPerson, SESSION_COOKIE, toSessionValue } from '../browser-session.ts';
import { SIGN_IN_SCOPES } from '../registration.ts';
import type { Exchange, OtherMethods } from '../web-api/answer-call.ts';
import type { World } from '../world.ts';
import { createAuthorization, isRedirectAllowed, toScopes } from './authorize.ts';
import { consentPage, page, problemPage, signedInPage } from './pages.ts';
import { createTokenMethods, readSigningKey } from './token-methods.ts';

export type OpenIdSettings = {
  /** Exact redirect addresses; while empty, anything on loopback is allowed. */
  redirectUrls: Set<string>;
  /** Skips the consent page, so that a scripted browser only follows redirects. */
  autoAllow: boolean;
};

export type OpenId = {
  readonly methods: OtherMethods;
  /** Undefined where the path is not one of these pages. */
  answer(path: string, exchange: Exchange): Promise<Reply | undefined>;
};

export function createOpenId(world: World, settings: OpenIdSettings): OpenId {
  const authorization = createAuthorization(world, {
    path: '/openid/connect/authorize',
    findProblem: (form) => findProblem(world, settings, form),
    ask: (person, form) => (settings.autoAllow ? undefined : consentPage(person, form)),
  });
  const pages: Record<string, (exchange: Exchange) => Reply | Promise<Reply>> = {
    '/.well-known/openid-configuration': () => ({ status: 200, body: metadata(world.url) }),
    '/openid/connect/keys': async () => ({ status: 200, body: { keys: [(await readSigningKey()).publicJwk] } }),
    '/openid/connect/authorize': authorization.answer,
    '/sandbox/login': (exchange) => login(world, exchange),
    '/app_redirect': (exchange) => openApp(world, exchange),
  };
  return {
    methods: createTokenMethods(world, authorization.redeem),
    answer: async (path, exchange) => pages[path]?.(exchange),
  };
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/openid/connect/authorize`,
    token_endpoint: `${origin}/api/openid.connect.token`,
    userinfo_endpoint: `${origin}/api/openid.connect.userInfo`,
    jwks_uri: `${origin}/openid/connect/keys`,
    scopes_supported: SIGN_IN_SCOPES,
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

function login(world: World, { request }: Exchange): Reply {
  const { searchParams } = new URL(request.url ?? '/', world.url);
  const person = findPerson(world, searchParams.get('team') ?? undefined, searchParams.get('user') ?? '');
  if (!person) return toPage(404, problemPage('There is no such person in this sandbox.'));
  const back = searchParams.get('back');
  const isOurs = back && /^(?:\/(?:openid|oauth)|http:\/\/127\.0\.0\.1:\d+)\//.test(back);
  const reply = isOurs ? toRedirect(back) : toPage(200, signedInPage(person));
  const cookie = `${SESSION_COOKIE}=${toSessionValue(person)}; Path=/; HttpOnly; SameSite=Lax`;
  return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } };
}

/** Leads to the conversation with an app. https://docs.slack.dev/interactivity/deep-linking */
function openApp(main: World, { request }: Exchange): Reply {
  const { searchParams } = new URL(request.url ?? '/', main.url);
  const world = main.teams().find(({ workspace }) => workspace.team.id === searchParams.get('team'));
  const isFound = searchParams.get('app') === world?.workspace.app.appId;
  if (!isFound) return toPage(404, problemPage('There is no such app in this workspace.'));
  return toPage(200, page('Back in Slack', '<p>The conversation with the app opens here.</p>'));
}

function findProblem(world: World, { redirectUrls }: OpenIdSettings, form: URLSearchParams): string | undefined {
  if (form.get('client_id') !== world.credentials.clientId) return 'invalid_client_id';
  if (form.get('response_type') !== 'code') return 'invalid_response_type';
  const scopes = toScopes(form);
  if (!scopes.includes('openid')) return 'invalid_scope: openid is missing';
  const others = scopes.filter((scope) => !SIGN_IN_SCOPES.includes(scope));
  if (others.length > 0 || form.has('user_scope')) return 'invalid_scope: openid cannot be combined with others';
  const isRegistered = redirectUrls.size > 0 ? (uri: string) => redirectUrls.has(uri) : undefined;
  if (!isRedirectAllowed(form, isRegistered)) return 'bad_redirect_uri: it is not registered for this app';
  const method = form.get('code_challenge_method');
  if (form.has('code_challenge') && method !== 'S256') return 'invalid_code_challenge_method';
  return undefined;
}

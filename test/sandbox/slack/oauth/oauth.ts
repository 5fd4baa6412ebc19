/** Installing the app: https://docs.slack.dev/authentication/installing-with-oauth */
import type { Install } from '../installs.ts';
import { type Code, createAuthorization, isRedirectAllowed, requireClient, toScopes } from '../openid/authorize.ts';
import type { OpenId } from '../openid/openid.ts';
import { installPage } from '../openid/pages.ts';
import type { Json } from '../records.ts';
import { SIGN_IN_SCOPES } from '../registration.ts';
import type { Exchange } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';

const PATH = '/oauth/v2/authorize';

/** The page to install the app, and the method that exchanges its code. */
export function createOAuth(main: World): OpenId {
  const authorization = createAuthorization(main, {
    path: PATH,
    findProblem: (form) => findProblem(main, form),
    refuse({ user }) {
      const mayInstall = !user.isRestricted && !user.isUltraRestricted && !user.deleted;
      return mayInstall ? undefined : 'You may not install apps in this workspace.';
    },
    ask: (person, form) => installPage(person, form, offersOrganisation(main, person)),
  });
  const access = async (exchange: Exchange, given: Json) => {
    requireClient(main, exchange, given);
    return given.grant_type === 'refresh_token' ? refresh(main, given) : install(main, authorization.redeem(given));
  };
  return {
    methods: new Map([['oauth.v2.access', access]]),
    answer: async (path, exchange) => (path === PATH ? authorization.answer(exchange) : undefined),
  };
}

function offersOrganisation({ registration }: World, { user }: Code['person']): boolean {
  return registration.isOrgReady && user.isOrgOwner;
}

function findProblem({ credentials, registration }: World, form: URLSearchParams): string | undefined {
  if (form.get('client_id') !== credentials.clientId) return 'invalid_client_id';
  const scopes = toScopes(form);
  const all = [...scopes, ...toScopes(form, 'user_scope')];
  if (all.length === 0) return 'no_scopes';
  const signIn = all.filter((scope) => SIGN_IN_SCOPES.includes(scope));
  if (signIn.length > 0) return `invalid_scope: ${signIn.join(', ')} cannot be combined with others`;
  const unknown = scopes.filter((scope) => !registration.scopes.has(scope));
  if (unknown.length > 0) return `invalid_scope: ${unknown.join(', ')}`;
  const { redirectUrls } = registration;
  // A registered address stands for everything below it.
  const isRegistered = (uri: string) => redirectUrls?.some((one) => uri === one || uri.startsWith(`${one}/`)) ?? false;
  return isRedirectAllowed(form, redirectUrls && isRegistered) ? undefined : 'bad_redirect_uri';
}

/** https://docs.slack.dev/reference/methods/oauth.v2.access */
function install(main: World, { person, form }: Code): Json {
  const { team } = person.world.workspace;
  const isWanted = offersOrganisation(main, person) && form.get('where') === 'enterprise';
  const enterprise = isWanted ? team.enterprise : undefined;
  const installed = main.installs.add({ id: enterprise?.id ?? team.id, isEnterprise: enterprise !== undefined });
  if (main.registration.isRotating) rotate(main, installed);
  const scope = (form.get('scope') ?? '').replaceAll(' ', ',');
  return { ...toAnswer(person.world, installed, scope), authed_user: { id: person.user.id } };
}

/** https://docs.slack.dev/authentication/using-token-rotation: a refresh token is good once. */
function refresh(main: World, given: Json): Json {
  const installed = main.installs.byRefreshToken(String(given.refresh_token));
  if (!installed) throw new SlackApiError('invalid_refresh_token');
  rotate(main, installed);
  const world = main.teams().find(({ workspace }) => workspace.team.id === installed.id) ?? main;
  return toAnswer(world, installed, [...main.registration.scopes].join(','));
}

function rotate({ installs, registration }: World, installed: Install): void {
  installs.rotate(installed, Date.now() + registration.tokenLifeSeconds * 1_000);
}

function toAnswer({ workspace, registration }: World, { token, rotation, isEnterprise }: Install, scope: string): Json {
  const { team, app } = workspace;
  return {
    ok: true,
    app_id: app.appId,
    scope,
    token_type: 'bot',
    access_token: token,
    ...(rotation && { refresh_token: rotation.refreshToken, expires_in: registration.tokenLifeSeconds }),
    bot_user_id: app.botUserId,
    team: isEnterprise ? null : { id: team.id, name: team.name },
    enterprise: team.enterprise ?? null,
    is_enterprise_install: isEnterprise,
  };
}

/** The two Web API methods of Sign in with Slack. */
import { createHash, randomBytes } from 'node:crypto';
import type { SignedIn } from '../browser-session.ts';
import type { Json } from '../records.ts';
import type { Exchange, OtherMethods } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';
import { readSigningKey } from './signing-key.ts';

export type Grant = {
  person: SignedIn;
  redirectUri: string;
  nonce: string | undefined;
  challenge: string | undefined;
  /** Epoch ms. */
  expiresAt: number;
};

const TOKEN_LIFE_SECONDS = 300;

export function createTokenMethods(world: World, codes: Map<string, Grant>): OtherMethods {
  const tokens = new Map<string, SignedIn>();
  return new Map([
    [
      'openid.connect.token',
      (exchange: Exchange, given: Json) => exchangeCode(world, codes, tokens, { exchange, given }),
    ],
    ['openid.connect.userInfo', (exchange: Exchange, given: Json) => tellUser(tokens, exchange, given)],
  ]);
}

export type TokenRequest = { exchange: Exchange; given: Json };

async function exchangeCode(
  world: World,
  codes: Map<string, Grant>,
  tokens: Map<string, SignedIn>,
  request: TokenRequest,
): Promise<Json> {
  const { given } = request;
  requireClient(world, request);
  if (given.grant_type !== undefined && given.grant_type !== 'authorization_code')
    throw new SlackApiError('invalid_grant_type');
  const code = String(given.code);
  const grant = codes.get(code);
  codes.delete(code);
  if (!grant || grant.expiresAt < Date.now()) throw new SlackApiError('invalid_code');
  if (given.redirect_uri !== grant.redirectUri) throw new SlackApiError('bad_redirect_uri');
  if (grant.challenge !== undefined && challengeOf(String(given.code_verifier)) !== grant.challenge) {
    throw new SlackApiError('invalid_code_verifier');
  }
  const accessToken = `xoxp-sandbox-${randomBytes(16).toString('hex')}`;
  tokens.set(accessToken, grant.person);
  const idToken = await (await readSigningKey()).sign(idClaims(world, grant, accessToken));
  return { ok: true, access_token: accessToken, token_type: 'Bearer', id_token: idToken };
}

export function requireClient(world: World, { exchange, given }: TokenRequest): void {
  const basic = /^Basic (.+)$/i.exec(exchange.request.headers.authorization ?? '')?.[1];
  const [id, secret] =
    basic === undefined
      ? [given.client_id, given.client_secret]
      : Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent);
  if (id !== world.credentials.clientId) throw new SlackApiError('invalid_client_id');
  if (secret !== world.credentials.clientSecret) throw new SlackApiError('bad_client_secret');
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function idClaims(world: World, grant: Grant, accessToken: string): Json {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: world.url,
    aud: world.credentials.clientId,
    iat: now,
    exp: now + TOKEN_LIFE_SECONDS,
    auth_time: now,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...(grant.nonce !== undefined && { nonce: grant.nonce }),
    ...userClaims(grant.person),
  };
}

function userClaims({ world, user }: SignedIn): Json {
  const { team } = world.workspace;
  return {
    sub: user.id,
    'https://slack.com/user_id': user.id,
    'https://slack.com/team_id': user.teamId,
    'https://slack.com/team_name': team.name,
    'https://slack.com/team_domain': team.domain,
    name: user.realName,
    locale: user.locale,
    ...(user.email !== undefined && { email: user.email, email_verified: true }),
  };
}

/** Documented for openid.connect.userInfo, and not for the id token: https://docs.slack.dev/authentication/sign-in-with-slack */
function enterpriseClaims({ world }: SignedIn): Json {
  const { enterprise } = world.workspace.team;
  if (!enterprise) return {};
  return { 'https://slack.com/enterprise_id': enterprise.id, 'https://slack.com/enterprise_name': enterprise.name };
}

async function tellUser(tokens: Map<string, SignedIn>, exchange: Exchange, given: Json): Promise<Json> {
  const token = exchange.request.headers.authorization?.replace(/^Bearer /i, '') ?? given.token;
  if (token === undefined) throw new SlackApiError('not_authed');
  const person = tokens.get(String(token));
  if (person === undefined) throw new SlackApiError('invalid_auth');
  return { ok: true, ...userClaims(person), ...enterpriseClaims(person) };
}

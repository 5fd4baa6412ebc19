/** The two Web API methods of Sign in with Slack. */
import { createHash, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { SignedIn } from '../browser-session.ts';
import type { Json } from '../records.ts';
import type { Exchange, OtherMethods } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';
import { type Code, requireClient } from './authorize.ts';

const TOKEN_LIFE_SECONDS = 300;

export function createTokenMethods(world: World, redeem: (given: Json) => Code): OtherMethods {
  const tokens = new Map<string, SignedIn>();

  async function exchangeCode(exchange: Exchange, given: Json): Promise<Json> {
    requireClient(world, exchange, given);
    if (given.grant_type !== undefined && given.grant_type !== 'authorization_code')
      throw new SlackApiError('invalid_grant_type');
    const code = redeem(given);
    const challenge = code.form.get('code_challenge');
    const answered = createHash('sha256').update(String(given.code_verifier)).digest('base64url');
    if (challenge !== null && answered !== challenge) throw new SlackApiError('invalid_code_verifier');
    const accessToken = `xoxp-sandbox-${randomBytes(16).toString('hex')}`;
    tokens.set(accessToken, code.person);
    const idToken = await (await readSigningKey()).sign(idClaims(world, code, accessToken));
    return { ok: true, access_token: accessToken, token_type: 'Bearer', id_token: idToken };
  }

  async function tellUser({ request }: Exchange, given: Json): Promise<Json> {
    const token = request.headers.authorization?.replace(/^Bearer /i, '') ?? given.token;
    if (token === undefined) throw new SlackApiError('not_authed');
    const person = tokens.get(String(token));
    if (person === undefined) throw new SlackApiError('invalid_auth');
    return { ok: true, ...userClaims(person), ...enterpriseClaims(person) };
  }

  return new Map([
    ['openid.connect.token', exchangeCode],
    ['openid.connect.userInfo', tellUser],
  ]);
}

function idClaims(world: World, { person, form }: Code, accessToken: string): Json {
  const now = Math.floor(Date.now() / 1000);
  const nonce = form.get('nonce');
  return {
    iss: world.url,
    aud: world.credentials.clientId,
    iat: now,
    exp: now + TOKEN_LIFE_SECONDS,
    auth_time: now,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...(nonce !== null && { nonce }),
    ...userClaims(person),
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

let shared: ReturnType<typeof createSigningKey> | undefined;

/** One RSA key per process: making one takes a noticeable part of a second. */
export function readSigningKey() {
  shared ??= createSigningKey();
  return shared;
}

async function createSigningKey() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = 'sandbox-slack-key';
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    sign: (claims: Json) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey),
  };
}

import { loadSome } from '../../src/config.ts';
import type { StoreReader } from '../../src/doctor/check.ts';
import { UserError } from '../../src/errors.ts';
import { createTokenVault, openTokens } from '../../src/identity/token-vault.ts';

export function loadReviewConfig() {
  return loadSome([
    'ADMIN_API_BASE_URL',
    'ADMIN_API_VERSION',
    'ADMIN_RESOURCE_PREFIX',
    'ADMIN_TABLE_NAME',
    'ADMIN_AGENT_ID_PROPERTY',
    'GOVERNANCE_REGISTER',
    'REVIEW_TOKEN',
    'REVIEW_AS',
    'REDIS_URL',
    'SQLITE_PATH',
    'HTTPS_PROXY',
    'NO_PROXY',
    'NODE_EXTRA_CA_CERTS',
  ]);
}

export type ReviewConfig = ReturnType<typeof loadReviewConfig>;

/** A review of a large tenant takes minutes. */
const VALID_FOR_MS = 10 * 60_000;

/** REVIEW_TOKEN, else the token of the stored sign-in. Throws a UserError with a sentence where there is none that lasts. */
export async function readToken(config: ReviewConfig, store: StoreReader | undefined, now: number): Promise<string> {
  if (config.REVIEW_TOKEN) return config.REVIEW_TOKEN;
  const { REVIEW_AS: reviewer } = config;
  if (!reviewer)
    throw new UserError('no_reviewer', 'Set REVIEW_TOKEN, or REVIEW_AS for the stored sign-in of an admin.');
  if (!store)
    throw new UserError('no_store', 'There is no store here with the sign-in of REVIEW_AS. Set REVIEW_TOKEN.');
  const team = (await store.installations.get(reviewer.team))?.team ?? reviewer.team;
  const link = await store.links.get({ team, user: reviewer.id, purpose: 'admin' });
  const { ENCRYPTION_KEYS } = loadSome(['ENCRYPTION_KEYS']);
  const tokens = link && openTokens(createTokenVault(ENCRYPTION_KEYS), link);
  if (!tokens) throw new UserError('not_signed_in', NOT_SIGNED_IN);
  if (tokens.expiresAt - now < VALID_FOR_MS) throw new UserError('sign_in_expired', EXPIRED);
  return tokens.accessToken;
}

const NOT_SIGNED_IN =
  'The admin of REVIEW_AS has not signed in, or the sign-in has ended. They give /assistant-admin sign-in in Slack; or set REVIEW_TOKEN.';

const EXPIRED =
  'The stored token of REVIEW_AS ends within ten minutes, and this look changes nothing, so it does not renew it. The app renews it when it uses it: they give /assistant-admin environments in Slack, then run this again; or set REVIEW_TOKEN.';

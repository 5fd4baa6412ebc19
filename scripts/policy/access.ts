import { randomUUID } from 'node:crypto';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { loadSome } from '../../src/config.ts';
import type { TeamPlace } from '../../src/config-values.ts';
import type { StoreReader } from '../../src/doctor/check.ts';
import { openReader } from '../../src/doctor/store-reader.ts';
import { UserError } from '../../src/errors.ts';
import { type Import, readImport } from '../../src/governance/policy-documents/import-document.ts';
import type { SoundDocument } from '../../src/governance/policy-documents/read-document.ts';
import type { ReviewServices } from '../../src/governance/review/review.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { type AccountLink, eachLink } from '../../src/identity/account-link.ts';
import { createTokenVault, openTokens } from '../../src/identity/token-vault.ts';
import { EMPTY_POLICY, type Policy } from '../../src/policy/policy.ts';
import { AGENT_CURRENCY, LIMIT_STALE_MS, toAdminClient } from '../../src/wiring/connect-governance.ts';

const NAMES = [
  'ADMIN_API_BASE_URL',
  'ADMIN_API_VERSION',
  'ADMIN_RESOURCE_PREFIX',
  'ADMIN_TABLE_NAME',
  'ADMIN_AGENT_ID_PROPERTY',
  'ADMIN_READS_LIMITS',
  'REVIEW_TOKEN',
  'REVIEW_AS',
  'REDIS_URL',
  'SQLITE_PATH',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
] as const;

/** `policy`: the stored policy. `hasStore`: without a store, it is unknown what the app has sent. */
export type Access = { session: AdminSession; services: ReviewServices; policy: Policy; hasStore: boolean };

/** The limit for all waits and reads together. */
const LIMIT_MS = 60 * 60_000;

/** Reads the service and the store, and writes to neither. Throws a BridgeError with a sentence if it cannot begin. */
export async function withAccess<T>(work: (access: Access) => Promise<T>): Promise<T> {
  const config = loadSome(NAMES);
  const now = Date.now;
  const http = createHttpClient({ proxies: config });
  const store = await openReader(config);
  try {
    const client = toAdminClient({ config, http, now });
    if (!client) throw new UserError('no_interface', 'Set ADMIN_API_BASE_URL.');
    const token = await readToken(config, store, now());
    const session = client.openSession({ token, renew: refuseToRenew });
    const policy = (await store?.policy.read())?.policy ?? EMPTY_POLICY;
    const services: ReviewServices = {
      policy: toStore(policy),
      sent: store?.sent ?? { readFor: async () => () => undefined },
      currency: AGENT_CURRENCY,
      limitStaleMs: LIMIT_STALE_MS,
      readsLimits: config.ADMIN_READS_LIMITS === 'yes',
      createId: () => randomUUID().replaceAll('-', '').slice(0, 12),
      stopping: AbortSignal.timeout(LIMIT_MS),
      now,
    };
    return await work({ session, services, policy, hasStore: store !== undefined });
  } finally {
    await Promise.all([store?.close(), http.close()]);
  }
}

/** A read-only policy store, for example with the policy of a file. */
export function toStore(policy: Policy): ReviewServices['policy'] {
  return { read: async () => ({ policy, version: 0 }) };
}

async function refuseToRenew(): Promise<never> {
  throw new UserError('token_refused', 'The token was refused, and this command cannot renew it.');
}

/** Reading a large tenant takes minutes. */
const VALID_FOR_MS = 10 * 60_000;

type TokenConfig = Pick<ReturnType<typeof loadSome<(typeof NAMES)[number]>>, 'REVIEW_TOKEN' | 'REVIEW_AS'>;

/** REVIEW_TOKEN, else the token of the stored sign-in. */
async function readToken(config: TokenConfig, store: StoreReader | undefined, now: number): Promise<string> {
  if (config.REVIEW_TOKEN) return config.REVIEW_TOKEN;
  const { REVIEW_AS: reviewer } = config;
  if (!reviewer)
    throw new UserError('no_reviewer', 'Set REVIEW_TOKEN, or REVIEW_AS for the stored sign-in of an administrator.');
  if (!store)
    throw new UserError('no_store', 'There is no store here with the sign-in of REVIEW_AS. Set REVIEW_TOKEN.');
  const link = await findSignIn(reviewer, store);
  const { ENCRYPTION_KEYS } = loadSome(['ENCRYPTION_KEYS']);
  const tokens = link && openTokens(createTokenVault(ENCRYPTION_KEYS), link);
  if (!tokens) throw new UserError('not_signed_in', NOT_SIGNED_IN);
  if (tokens.expiresAt - now < VALID_FOR_MS) throw new UserError('sign_in_expired', EXPIRED);
  return tokens.accessToken;
}

async function findSignIn(
  { team: workspace, id: user }: TeamPlace,
  { installations, links }: Pick<StoreReader, 'installations' | 'links'>,
): Promise<AccountLink | undefined> {
  const team = (await installations.get(workspace))?.team ?? workspace;
  const link = await links.get({ team, user, purpose: 'admin' });
  if (link) return link;
  // With SLACK_BOT_TOKEN the store does not say to which organisation the workspace belongs, and sign-ins are of that.
  for await (const one of eachLink(links)) {
    if (one.workspace === workspace && one.user === user && one.purpose === 'admin') return one;
  }
  return undefined;
}

const NOT_SIGNED_IN =
  'The administrator of REVIEW_AS has not signed in, or the sign-in has ended. Let them give /assistant-admin sign-in in Slack, or set REVIEW_TOKEN.';

const EXPIRED =
  'The stored token of REVIEW_AS expires within ten minutes, and only the app can renew it. Let the administrator of REVIEW_AS give /assistant-admin environments in Slack, then run this again; or set REVIEW_TOKEN.';

type FindAgent = (environmentId: string, id: string) => string | undefined;

/** What the file would change in the policy. */
export function readEdits(
  read: SoundDocument,
  policy: Policy,
  readInventory: () => Promise<FindAgent>,
): Promise<Import> {
  return readImport(read, policy, { currency: AGENT_CURRENCY, now: Date.now(), readInventory });
}

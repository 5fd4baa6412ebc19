import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { parseEncryptionKeys } from '../../src/identity/encryption-keys.ts';
import { createTokenVault, sealTokens } from '../../src/identity/token-vault.ts';
import type { World } from '../app/world.ts';

const HOUR_MS = 3_600_000;

/**
 * Makes so many people, who are signed in as if they had done it in their browsers, with tokens as the plain verifier of
 * the stand-ins takes them. To be called before the app is started, which is alone with its SQLite store.
 */
export async function addSignedInPeople(
  { slack, environment }: Pick<World, 'slack' | 'environment'>,
  names: readonly string[],
  redisUrl = environment.REDIS_URL,
): Promise<void> {
  const vault = createTokenVault(parseEncryptionKeys(environment.ENCRYPTION_KEYS ?? ''));
  const store = redisUrl
    ? await openRedisStore({ url: redisUrl, now: Date.now })
    : await openSqliteStore({ path: environment.SQLITE_PATH ?? '', lockWaitMs: 0, now: Date.now });
  const now = Date.now();
  for (const name of names) {
    const { id: user } = slack.workspace.addUser({ id: toUserId(name), name, realName: name, tz: 'Europe/Berlin' });
    const key = { team: slack.teamId, user, purpose: 'assistant' } as const;
    const tokens = { accessToken: `sandbox-${name}`, obtainedAt: now, expiresAt: now + HOUR_MS };
    const sealedTokens = sealTokens(vault, key, tokens);
    const link = { schema: 1, workspace: slack.teamId, channelAnswers: 'thread', sealedTokens, linkedAt: now } as const;
    await store.links.save({ ...key, ...link }, 0);
  }
  await store.close();
}

export function toUserId(name: string): string {
  return `U0${name.toUpperCase()}`;
}

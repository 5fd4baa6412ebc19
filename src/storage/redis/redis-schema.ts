import { PermanentError } from '../../errors.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { SCHEMA } from './redis-keys.ts';

/** Increased by every release that changes how records are written or indexed. */
export const STORE_SCHEMA = 1;

/**
 * Rolling updates between consecutive releases are safe. Records that this release uses the store, and throws a
 * PermanentError if a release other than its neighbours has used it.
 */
export async function joinSchema(redis: RedisConnection<typeof schemaScripts>, ours: number): Promise<void> {
  const found = await redis.send((client) => client.joinSchema([SCHEMA], [ours]));
  if (found > ours + 1) {
    throw new PermanentError(
      'store_too_new',
      `Redis holds what a later release has written (${found}, this one writes ${ours}). Start that release, or the one before it.`,
    );
  }
  if (found < ours - 1) {
    throw new PermanentError(
      'store_too_old',
      `Redis holds what an earlier release has written (${found}, this one writes ${ours}). Start the releases in between first, one after the other.`,
    );
  }
}

export const schemaScripts = {
  /** Keeps the newest number seen: its records stay in the store after a downgrade. */
  joinSchema: redisScript<number>(`
-- KEYS: 1 the note. ARGV: 1 our number.
-- Returns the number that was found, or ours. Notes ours where it is the next.
local ours = tonumber(ARGV[1])
local found = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
if ours == found or ours == found + 1 then redis.call('SET', KEYS[1], ours) end
return found
`),
};

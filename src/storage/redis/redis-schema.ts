import { PermanentError } from '../../errors.ts';
import type { RedisConnection } from './redis-client.ts';
import { SCHEMA } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

/** Grows with every release that writes records, or lists them, in a way of its own. */
export const STORE_SCHEMA = 1;

/**
 * Two neighbouring releases work on one Redis at once, so that one can take the place of the other without a pause. Notes
 * that ours does, and throws a PermanentError where another release than a neighbour has been here.
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
  /** The newest that was here stays noted: its records are in the store, whichever release came after it. */
  joinSchema: redisScript<number>(`
-- KEYS: 1 the note. ARGV: 1 our number.
-- Returns the number that was found, or ours. Notes ours where it is the next.
local ours = tonumber(ARGV[1])
local found = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
if ours == found or ours == found + 1 then redis.call('SET', KEYS[1], ours) end
return found
`),
};

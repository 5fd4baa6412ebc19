import type { OverlayRecord } from '../../governance/register/overlay.ts';
import type { OverlayStore } from '../../governance/register/overlay-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-client.ts';
import { OVERLAY, OVERLAY_IDS } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

export function createRedisOverlay({ send }: RedisConnection<typeof overlayScripts>): OverlayStore {
  return {
    async add(record) {
      const keys = [OVERLAY, OVERLAY_IDS];
      const isNew = await send((client) => client.addToOverlay(keys, [record.id, JSON.stringify(record)]));
      return isNew === 1 ? 'new' : 'duplicate';
    },
    async list() {
      const bodies = await send((client) => client.lRange(OVERLAY, 0, -1));
      return bodies.map((body) => readRecord<OverlayRecord>(body, NEWEST_SCHEMA.overlay));
    },
  };
}

export const overlayScripts = {
  addToOverlay: redisScript<number>(`
-- KEYS: 1 the records, 2 their ids. ARGV: 1 id, 2 record. Returns 1, or 0 where there is one of this id.
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[2])
return 1
`),
};

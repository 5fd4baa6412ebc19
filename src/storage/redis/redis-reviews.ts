import type { ReviewSnapshot } from '../../governance/review/review-snapshot.ts';
import type { ReviewStore } from '../../governance/review/review-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-connection.ts';
import { NOTICE, REVIEW } from './redis-keys.ts';

export function createRedisReviews({ send }: RedisConnection, now: () => number): ReviewStore {
  return {
    async lastSnapshot() {
      const body = await send((client) => client.get(REVIEW));
      return body === null ? undefined : readRecord<ReviewSnapshot>(body, NEWEST_SCHEMA.review);
    },
    async saveSnapshot(snapshot) {
      await send((client) => client.set(REVIEW, JSON.stringify(snapshot)));
    },
    async claimNotice(key, expiresAt) {
      const value = Math.max(1, Math.ceil(expiresAt - now()));
      const set = { condition: 'NX', expiration: { type: 'PX', value } } as const;
      return (await send((client) => client.set(NOTICE + key, '', set))) === 'OK';
    },
    async releaseNotice(key) {
      await send((client) => client.del(NOTICE + key));
    },
  };
}

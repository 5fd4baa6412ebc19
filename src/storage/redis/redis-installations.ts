import type { InstallationStore, StoredInstallation } from '../../slack/installation-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-client.ts';
import { INSTALLATIONS } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

export function createRedisInstallations({ send }: RedisConnection<typeof installationScripts>): InstallationStore {
  return {
    async get(workspace) {
      const body = await send((client) => client.hGet(INSTALLATIONS, workspace));
      return body ? readRecord<StoredInstallation>(body, NEWEST_SCHEMA.installation) : undefined;
    },
    async put(installation) {
      const body = JSON.stringify(installation);
      await send((client) => client.hSet(INSTALLATIONS, installation.workspace, body));
    },
    remove: async (workspace, installedAt) =>
      (await send((client) => client.removeInstallation([INSTALLATIONS], [workspace, installedAt]))) === 1,
    list: () => send((client) => client.hKeys(INSTALLATIONS)),
  };
}

export const installationScripts = {
  removeInstallation: redisScript<number>(`
-- KEYS: 1 the installations. ARGV: 1 workspace, 2 installedAt. Returns 1, or 0 where it is another one by now, or none.
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record or cjson.decode(record).installedAt ~= tonumber(ARGV[2]) then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
`),
};

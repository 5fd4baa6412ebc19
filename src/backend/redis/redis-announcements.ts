import { randomUUID } from 'node:crypto';
import type { Announcements, Topic } from '../../delivery/announcements.ts';
import type { Log } from '../../log.ts';
import type { RedisConnection } from '../../storage/redis/redis-client.ts';
import { PREFIX } from '../../storage/redis/redis-keys.ts';

export type RedisAnnouncements = Announcements & { close(): void };

/**
 * Announcements over Redis pub/sub; `local` reaches this process. Resolves once subscribed. Resubscribes after a lost
 * connection; messages in the meantime are lost.
 */
export async function createRedisAnnouncements(
  redis: RedisConnection,
  local: Announcements,
  log: Log,
): Promise<RedisAnnouncements> {
  const ourselves = randomUUID();
  // Channels are shared by all databases of one Redis.
  const channel = `${PREFIX}${redis.client.options.database ?? 0}:announcements`;
  // A subscribed connection cannot send other commands. It may queue offline: late commands do no harm here.
  const listener = redis.client.duplicate({ name: 'assistant-bridge-listener', disableOfflineQueue: false });
  // Without a listener the first error would end the process. The shared connection reports the same errors.
  listener.on('error', () => undefined);
  await listener.connect();
  await listener.subscribe(channel, (text) => {
    try {
      const { from, topic, message }: Announcement = JSON.parse(text);
      if (from !== ourselves) local.announce(topic, message);
    } catch (error) {
      log.error({ err: error }, 'announcement not readable');
    }
  });
  return {
    listen: local.listen,
    announce(topic, message) {
      // Locally at once, even without Redis.
      local.announce(topic, message);
      const text = JSON.stringify({ from: ourselves, topic, message } satisfies Announcement);
      redis.send((client) => client.publish(channel, text)).catch(() => undefined);
    },
    close: () => listener.destroy(),
  };
}

type Announcement = { from: string; topic: Topic; message: string };

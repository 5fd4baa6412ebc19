import { randomUUID } from 'node:crypto';
import type { Announcements, Topic } from '../../delivery/announcements.ts';
import type { Log } from '../../log.ts';
import type { RedisConnection } from './redis-client.ts';
import { PREFIX } from './redis-keys.ts';

export type RedisAnnouncements = Announcements & { close(): void };

/**
 * `local` tells those of this process. Resolves when the others are heard; after a lost connection they are heard again
 * by itself, and what was said meanwhile is lost.
 */
export async function createRedisAnnouncements(
  redis: RedisConnection,
  local: Announcements,
  log: Log,
): Promise<RedisAnnouncements> {
  const ourselves = randomUUID();
  // Databases of one Redis have their channels in common.
  const channel = `${PREFIX}${redis.client.options.database ?? 0}:announcements`;
  // A connection that listens can do nothing else. This one may wait: nothing that it sends can come too late.
  const listener = redis.client.duplicate({ name: 'assistant-bridge-listener', disableOfflineQueue: false });
  // Without a listener the first error would end the process. The shared connection tells of the same.
  listener.on('error', () => undefined);
  await listener.connect();
  await listener.subscribe(channel, (text) => {
    try {
      const { from, topic, message }: Announcement = JSON.parse(text);
      if (from !== ourselves) local.announce(topic, message);
    } catch (error) {
      log.error({ err: error }, 'announcement not heard');
    }
  });
  return {
    listen: local.listen,
    announce(topic, message) {
      // Here at once, and also where Redis is away.
      local.announce(topic, message);
      const text = JSON.stringify({ from: ourselves, topic, message } satisfies Announcement);
      redis.send((client) => client.publish(channel, text)).catch(() => undefined);
    },
    close: () => listener.destroy(),
  };
}

type Announcement = { from: string; topic: Topic; message: string };

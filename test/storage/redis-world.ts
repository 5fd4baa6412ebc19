import { createClient } from 'redis';
import type { RedisStore } from '../../src/backend/redis-store.ts';
import type { RedisServer } from '../app/redis-server.ts';

type Client = ReturnType<typeof connect>;

/**
 * Is never connected. createClient builds a class of its own for other options than those of the call before, the store's
 * for one; a duplicate costs next to nothing.
 */
const model = createClient();

function connect(url: string) {
  return model.duplicate({ url });
}

/** Runs commands as somebody else would, on a connection of its own. */
export async function asOperator<T>(server: Pick<RedisServer, 'url'>, run: (client: Client) => Promise<T>): Promise<T> {
  const client = connect(server.url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    client.destroy();
  }
}

export function portOf({ url }: Pick<RedisServer, 'url'>): number {
  return Number(new URL(url).port);
}

/** Whether it can be written now. */
export async function isWritable(store: Pick<RedisStore, 'check'>): Promise<boolean> {
  const [checked] = await Promise.allSettled([store.check()]);
  return checked.status === 'fulfilled';
}

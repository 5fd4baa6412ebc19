import { createClient } from 'redis';
import type { RedisStore } from '../../src/backend/redis-store.ts';
import type { RedisServer } from '../app/redis-server.ts';

/** What stays for good: see redis-keys.ts. */
const KEPT =
  /^bridge:(schema|id|expiring|arrivals|doc:(policy(-channels)?|(run|sent|approval|audit|consumption|known-inventory)[:-].*)|index:(run.*|audit|consumption.*))$/;

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

/** Has everything removed that somebody may remove. Returns the keys that are left and that nothing will ever remove. */
export async function removeAll(server: RedisServer, store: RedisStore): Promise<string[]> {
  return asOperator(server, async (client) => {
    for (const workspace of await listWorkspaces(client)) await store.purge(workspace);
    for (const workspace of await store.installations.list()) {
      await store.installations.remove(workspace, (await store.installations.get(workspace))?.installedAt ?? 0);
    }
    return listForEver(client);
  });
}

async function listWorkspaces(client: Client): Promise<Set<string>> {
  const indexes = await client.keys('bridge:index:workspace:*');
  const turns = await client.keys('bridge:turn:*');
  const bodies = await Promise.all(turns.map((key) => client.hGet(key, 'body')));
  const threads = await client.keys('bridge:thread:*');
  const records = await Promise.all(threads.map((key) => client.hGetAll(key)));
  return new Set([
    ...indexes.map((key) => key.split(':').at(-1) ?? ''),
    ...bodies.map((body) => JSON.parse(body ?? '').question.workspace),
    ...records.flatMap((fields) => Object.entries(fields)).flatMap(([name, value]) => toWorkspace(name, value) ?? []),
  ]);
}

/** Of a thread: see redis-threads.ts. */
function toWorkspace(field: string, value: string): string | undefined {
  if (field.startsWith('e:')) return value;
  return field.startsWith('c:') ? JSON.parse(value).workspace : undefined;
}

/** Without a time to live, and not kept for good. */
async function listForEver(client: Client): Promise<string[]> {
  const expiring = new Set((await client.zRange('bridge:expiring', 0, -1)).map((key) => `bridge:doc:${key}`));
  const keys = (await client.keys('*')).filter((key) => !KEPT.test(key) && !expiring.has(key));
  const lives = await Promise.all(keys.map((key) => client.pTTL(key)));
  return keys.filter((_key, index) => lives[index] === -1);
}

import { openRedisStore } from '../../src/backend/redis-store.ts';
import { sealStore } from '../../src/backend/sealed-store.ts';
import type { Store } from '../../src/backend/store.ts';
import type { AccountLink } from '../../src/identity/account-link.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import { fillStore } from './fill-store.ts';
import { startMeasuredRedis } from './measured-redis.ts';
import type { Bench } from './part.ts';

/** What one record takes in Redis, with all that lists it, in bytes. */
export type RecordSizes = { thread: number; doneTurn: number; link: number };

const RECORDS = 10_000;

/** So many at once: Redis writes together what comes together. */
const AT_ONCE = 500;

/** What an identity provider's tokens come to once they are sealed: about 2 KB and 1 KB, in base64. */
const SEALED = 'x'.repeat(4_000);

/** Fills a Redis of its own, and looks what each kind of record adds. */
export async function measureRecords({ running, cores, world }: Bench): Promise<RecordSizes> {
  const redis = await running.start(() => startMeasuredRedis(cores?.redis));
  const opened = await openRedisStore({ url: redis.url, now: Date.now });
  const vault = createTokenVault([{ id: 'k1', key: Buffer.alloc(32) }]);
  const store = sealStore(opened, vault, () => undefined);
  const readBytes = async () => (await redis.usage()).memoryBytes;
  try {
    const empty = await readBytes();
    await fillStore(store, world.slack.teamId, RECORDS);
    const withTurns = await readBytes();
    await store.turns.forget(Date.now() + 1);
    const withThreads = await readBytes();
    await fillLinks(store, world.slack.teamId);
    const withLinks = await readBytes();
    return {
      thread: (withThreads - empty) / RECORDS,
      doneTurn: (withTurns - withThreads) / RECORDS,
      link: (withLinks - withThreads) / RECORDS,
    };
  } finally {
    await store.close();
    await running.stop(redis);
  }
}

async function fillLinks({ links }: Store, team: string): Promise<void> {
  for (let done = 0; done < RECORDS; done += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => links.save(buildLink(team, `U${done + index}`), 0)),
    );
  }
}

function buildLink(team: string, user: string): Omit<AccountLink, 'version'> {
  return {
    schema: 1,
    team,
    user,
    purpose: 'assistant',
    workspace: team,
    accountName: `${user}@example.com`,
    channelAnswers: 'thread',
    sealedTokens: SEALED,
    linkedAt: Date.now(),
  };
}

import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import { ownFolder } from '../own-folder.ts';
import { createLeaseModel } from './lease-model.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';
import { ALIVE, type Real, type Side, turnCommands, WORKSPACES } from './turn-commands.ts';
import { createTurnModel } from './turn-model.ts';

/** What is of no workspace: see redis-keys.ts and redis-leases.ts. */
const KEPT = /^bridge:(schema|id|arrivals|lease:.*|replica:.*)$/;

const START = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

type Opened = Real & { close(): Promise<void> };

const folder = ownFolder('turns');
const redis = useRedis({ 'enable-debug-command': 'local' });

const toSide = ({ turns, threads, personal, purge }: Store) => ({ turns, threads, personal, purge });

let files = 0;

async function openSqlite(): Promise<Opened> {
  const path = join(folder, `${++files}.sqlite`);
  const open = () => openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
  let store = await open();
  const side: Opened = {
    ...toSide(store),
    ...{ leases: undefined, runs: [], now: START },
    async restart() {
      await store.close();
      store = await open();
      Object.assign(side, toSide(store));
    },
    close: () => store.close(),
  };
  return side;
}

/** Redis reads its files again, as after a restart. */
async function openRedis(): Promise<Opened> {
  await asOperator(redis, (client) => client.flushAll());
  const store = await openRedisStore({ url: redis.url, now: Date.now });
  const leases = createRedisLeases(store.connection);
  return {
    ...toSide(store),
    ...{ leases, runs: [], now: START },
    restart: () => asOperator(redis, async (client) => void (await client.sendCommand(['DEBUG', 'LOADAOF']))),
    async close() {
      for (const workspace of WORKSPACES) await store.purge(workspace);
      // Whatever was done, nothing of it is left behind.
      expect((await asOperator(redis, (client) => client.keys('*'))).filter((key) => !KEPT.test(key))).toEqual([]);
      await store.close();
    },
  };
}

function openModel(isShared: boolean): Side {
  const leases = isShared ? createLeaseModel(Date.now) : undefined;
  const { turns, threads, personal, purge } = createTurnModel(leases);
  return {
    ...{ turns: promised(turns), threads: promised(threads), personal: promised(personal), ...promised({ purge }) },
    ...{ leases: leases && promised(leases), runs: [], now: START },
  };
}

type Promised<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};

function promised<Port extends object>(port: Port): Promised<Port> {
  const calls = Object.entries(port).map(([name, call]) => [name, async (...args: unknown[]) => call(...args)]);
  return Object.fromEntries(calls);
}

describe.each([
  ['SQLite', openSqlite, 1000],
  ['Redis', openRedis, 1000],
] as const)('turns, threads and leases in %s', (_, open, numRuns) => {
  it('are what a model of them is, whatever is done', async () => {
    const property = fc.asyncProperty(turnCommands, async (commands) => {
      const real = await open();
      const model = openModel(real.leases !== undefined);
      for (const { leases } of [model, real]) await leases?.renew(ALIVE, HOUR_MS);
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands);
      } finally {
        await real.close();
      }
    });

    await fc.assert(property, { numRuns });
  });
});

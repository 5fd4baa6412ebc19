// Processes that are killed between the write and the look at it: the next one settles what they left, without anybody
// opening anything.
import { DatabaseSync } from 'node:sqlite';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, readDirect } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from '../storage/redis-world.ts';
import { type AdminWorld, KIM, startAdminWorld, WHY } from './admin-world.ts';

let world: AdminWorld | undefined;
let redis: RedisServer | undefined;
const apps: AppProcess[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.kill('SIGTERM');
  await world?.close();
  await redis?.close();
  world = undefined;
  redis = undefined;
});

async function startIn(environment: Record<string, string> = {}): Promise<AdminWorld> {
  world = await startAdminWorld({ admin: { thresholdList: true } }, environment);
  apps.push(world.app);
  return world;
}

/** Fills the form as far as the confirmation, confirms, and kills the app once the service has written. */
async function killAtWrite(command: string, entries: Record<string, string>): Promise<void> {
  const { slack, admin, app } = world as AdminWorld;
  await slack.as(KIM).command('/assistant-admin', command, 'C0GENERAL');
  const form = await awaitModal(world as AdminWorld, KIM);
  await slack.as(KIM).submit(form, entries);
  const confirmation = await awaitModal(world as AdminWorld, KIM, `${form.callbackId}_confirm`);
  const written = Promise.withResolvers<void>();
  const stop = admin.onWritten(async () => {
    written.resolve();
    await new Promise((wake) => setTimeout(wake, 1_000));
  });
  await slack.as(KIM).submit(confirmation, WHY);
  await written.promise;
  await app.kill('SIGKILL');
  stop();
  apps.splice(0);
  await closeModals(world as AdminWorld, KIM);
}

const said = () => readDirect(world as AdminWorld, KIM).map((message) => (world as AdminWorld).slack.render(message));
const told = () => said().filter((text) => text.includes('broke off'));

async function awaitTold(count: number): Promise<string> {
  const find = () => (told().length >= count ? told().at(-1) : undefined);
  return (world as AdminWorld).slack.until(find, { what: 'what became of the change' });
}

describe('a change whose process was killed at its write', () => {
  it('is settled by the next process, and told to whoever made it, once', async () => {
    const { environment, admin } = await startIn();
    await killAtWrite('limit travel planner', { limit: '3300' });
    const writes = admin.ledger.count(({ method }) => method === 'PUT');
    ageInSqlite(environment);

    const app = await startAppProcess(environment);
    apps.push(app);
    const limit = await awaitTold(1);
    (world as AdminWorld).app = app;
    await killAtWrite('allocation contoso production', { allocated_0: '33000' });
    ageInSqlite(environment);
    apps.push(await startAppProcess(environment));
    const allocation = await awaitTold(2);

    expect(limit).toMatch(
      /A change of the limit of \*Travel Planner\* in Contoso Production by @kim of .* broke off\./,
    );
    expect(limit).toContain('It had been made: the service shows now what it was to set.');
    expect(limit).toContain('Monthly limit: none → *3,300 credits*');
    expect(allocation).toContain('A change of the allocation of *Contoso Production*');
    expect(allocation).toContain('33,000 credits*');
    expect(admin.ledger.count(({ method }) => method === 'PUT')).toBe(writes);
    expect(told()).toHaveLength(2);
  });

  it('says that nobody could look where the sign-in is gone, and is settled by the next who opens it', async () => {
    const { environment, identityProvider } = await startIn();
    await killAtWrite('limit travel planner', { limit: '3300' });
    ageInSqlite(environment);
    identityProvider.revoke('kim');

    const app = await startAppProcess(environment);
    apps.push(app);
    const text = await awaitTold(1);

    expect(text).toContain('It may or may not have been made.');
    expect(text).toContain('with the sign-in of @kim');
    expect(text).toContain('[Sign in for administration]');
    expect(told()).toHaveLength(1);
  });

  it('is settled once by two replicas that share a Redis', async () => {
    redis = await startRedis();
    const shared = { REDIS_URL: redis.url, LEASE_SECONDS: '5' };
    const { environment } = await startIn(shared);
    await killAtWrite('limit travel planner', { limit: '3300' });
    await ageInRedis(redis);

    const ports = { PORT: String(await claimPort()), OPS_PORT: String(await claimPort()) };
    apps.push(
      ...(await Promise.all([
        startAppProcess({ ...environment, ...shared }),
        startAppProcess({ ...environment, ...shared, ...ports }),
      ])),
    );
    const text = await awaitTold(1);
    // Two sweeps more.
    await new Promise((wake) => setTimeout(wake, 11_000));

    expect(text).toContain('It had been made');
    expect(told()).toHaveLength(1);
  });
});

/** As if ten minutes had gone by. */
function ageInSqlite(environment: Record<string, string>): void {
  const database = new DatabaseSync(environment.SQLITE_PATH ?? '');
  database.exec(
    "UPDATE documents SET body = json_set(body, '$.at', json_extract(body, '$.at') - 600000) WHERE key LIKE 'change:%'",
  );
  database.close();
}

async function ageInRedis(server: RedisServer): Promise<void> {
  await asOperator(server, async (client) => {
    const [key = ''] = await client.keys('bridge:doc:change:*');
    const body = JSON.parse((await client.hGet(key, 'b')) ?? '');
    await client.hSet(key, 'b', JSON.stringify({ ...body, at: body.at - 600_000 }));
  });
}

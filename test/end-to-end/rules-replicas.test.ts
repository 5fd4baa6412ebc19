import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManifest } from '../../manifest/manifest.ts';
import { awaitModal, nextPrivate, readPrivate } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { startWorld, type World } from '../app/world.ts';
import { CHANNEL } from './live-world.ts';

let world: World;
let redis: RedisServer;
let ports: number[];
let apps: AppProcess[];

beforeAll(async () => {
  redis = await startRedis();
  world = await startWorld();
  ports = [await claimPort(), await claimPort()];
  const environment = { ...world.environment, REDIS_URL: redis.url };
  apps = await Promise.all(ports.map((port) => startAppProcess({ ...environment, PORT: String(port) })));
});

afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill('SIGTERM')));
  await world.close();
  await redis.close();
});

/** From now on Slack sends everything to this replica. */
function reach(replica: 0 | 1): void {
  const manifest = buildManifest({ publicUrl: world.publicUrl });
  world.slack.connectApp(`http://127.0.0.1:${ports[replica]}/slack/events`, manifest);
}

async function readStatus(): Promise<string> {
  const count = readPrivate(world, 'U0BEN').length;
  await world.slack.as('U0BEN').command('/assistant', 'status', CHANNEL);
  return world.slack.render(await nextPrivate(world, 'U0BEN', count));
}

it('a pause is known to the other replicas at once, although they have just looked', async () => {
  reach(1);
  world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });
  expect(await readStatus()).not.toContain('angehalten');

  reach(0);
  const kim = world.slack.as('U0KIM');
  await kim.command('/assistant-admin', 'pause bis morgen', CHANNEL);
  const count = readPrivate(world, 'U0KIM').length;
  await kim.submit(await awaitModal(world, 'U0KIM', 'workspace_pause'), { reason: 'Maintenance of the service' });
  await nextPrivate(world, 'U0KIM', count);

  reach(1);
  expect(await readStatus()).toContain('Die Administration hat mich vorübergehend angehalten');
  expect(await readStatus()).toContain('Dazu heißt es: bis morgen');
});

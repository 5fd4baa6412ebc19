import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { World } from '../app/world.ts';
import { aLink } from '../storage/a-link.ts';
import { openLiveWorld } from './live-world.ts';

const open = ({ environment }: World) =>
  openSqliteStore({ path: String(environment.SQLITE_PATH), lockWaitMs: 5_000, now: Date.now });

async function saveLinks(world: World): Promise<void> {
  const store = await open(world);
  const save = (user: string, usedAt: number) =>
    store.links.save(aLink({ team: 'T0001', workspace: 'T0001', user, usedAt }), 0);
  await Promise.all([save('U0ANA', Date.now()), save('U0BEN', 1), save('U0KIM', Date.now())]);
  await store.close();
  world.slack.workspace.user('U0ANA').deleted = true;
}

it('an app that was away deletes the sign-ins of who has left meanwhile, and those that nobody uses', async () => {
  const world = await openLiveWorld({ prepare: saveLinks });
  await world.untilLogged('somebody has left');
  await world.untilLogged('old records removed');
  await world.app.kill('SIGTERM');

  const after = await open(world);
  expect((await after.links.list()).links.map(({ user }) => user)).toEqual(['U0KIM']);
  await after.close();
});

import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { startAppProcess } from '../app/app-process.ts';
import { startWorld } from '../app/world.ts';
import { aLink } from '../storage/a-link.ts';

it('an app that was away deletes the sign-ins of who has left meanwhile, and those that nobody uses', async () => {
  const world = await startWorld();
  const open = () => openSqliteStore({ path: String(world.environment.SQLITE_PATH), lockWaitMs: 5_000, now: Date.now });
  const store = await open();
  const save = (user: string, usedAt: number) =>
    store.links.save(aLink({ team: 'T0001', workspace: 'T0001', user, usedAt }), 0);
  await Promise.all([save('U0ANA', Date.now()), save('U0BEN', 1), save('U0KIM', Date.now())]);
  await store.close();
  world.slack.workspace.user('U0ANA').deleted = true;

  const app = await startAppProcess(world.environment);
  await world.slack.until(() => app.lines.some((line) => line.includes('somebody has left')), { what: 'the sweep' });
  await world.slack.until(() => app.lines.some((line) => line.includes('old records removed')), { what: 'the rest' });
  await app.kill('SIGTERM');

  const after = await open();
  expect((await after.links.list()).links.map(({ user }) => user)).toEqual(['U0KIM']);
  await after.close();
  await world.close();
});

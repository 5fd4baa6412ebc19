import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

/** `path`: of the database. */
const HOWS: [string, (path: string) => void][] = [
  ['deleted', (path) => rmSync(path)],
  [
    'deleted with all that is beside it',
    (path) => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`);
    },
  ],
  [
    'replaced by a copy',
    (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['without its -wal', (path) => rmSync(`${path}-wal`)],
];

const world = shareLiveWorld({ signedIn: [], slack: { retry: 'none' } });
afterEach(() => world.restart());

describe('an app whose database is gone', () => {
  it.each(HOWS)('acknowledges nothing and ends at the next question: %s', async (_, remove) => {
    remove(String(world.environment.SQLITE_PATH));

    const said = await world.ask('is anybody there?');

    expect(said.deliveries).toMatchObject([{ ok: false }, { ok: false }]);
    expect(await world.app.ended).toBe(1);
    expect(await world.untilLogged('store gone')).toEqual([
      expect.stringMatching(/"level":"fatal".*\(SQLITE_PATH\) or its -wal file was deleted or replaced/),
    ]);
  });

  it('ends by itself, and starts again', async () => {
    rmSync(String(world.environment.SQLITE_PATH));

    expect(await world.app.ended).toBe(1);

    await world.restart();
    const said = await world.ask('is anybody there now?');

    expect(said.deliveries).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

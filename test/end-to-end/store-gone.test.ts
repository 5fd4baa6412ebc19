import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;
let path: string;

beforeEach(async () => {
  world = await startLiveWorld({ slack: { retry: 'none' } });
  path = String(world.environment.SQLITE_PATH);
});
afterEach(() => world.close());

const HOWS: [string, () => void][] = [
  ['deleted', () => rmSync(path)],
  [
    'deleted with all that is beside it',
    () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`);
    },
  ],
  [
    'replaced by a copy',
    () => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['without its -wal', () => rmSync(`${path}-wal`)],
];

describe('an app whose database is gone', () => {
  it.each(HOWS)('acknowledges nothing and ends at the next question: %s', async (_, remove) => {
    remove();

    const said = await world.ask('is anybody there?');

    expect(said.deliveries).toMatchObject([{ ok: false }, { ok: false }]);
    expect(await world.app.ended).toBe(1);
    expect(await world.untilLogged('store gone')).toEqual([
      expect.stringMatching(/"level":"fatal".*\(SQLITE_PATH\) or its -wal file was deleted or replaced/),
    ]);
  });

  it('ends by itself, and starts again', async () => {
    rmSync(path);

    expect(await world.app.ended).toBe(1);

    await world.restart();
    const said = await world.ask('is anybody there now?');

    expect(said.deliveries).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { ownFolder } from '../own-folder.ts';

const HOLDER = fileURLToPath(new URL('./hold-store.ts', import.meta.url));

const folder = ownFolder('sqlite-store');

describe('two processes on one database', () => {
  it('follow each other: the second waits, and takes over after SIGKILL of the first', async () => {
    const path = join(folder, 'store.db');
    const holder = startChild(process.execPath, [HOLDER, path]);
    await once(holder.stdout ?? holder, 'data');
    const second = openSqliteStore({ path, lockWaitMs: 20_000, now: Date.now });
    const early = await Promise.race([second.then(() => 'opened'), new Promise((resolve) => setTimeout(resolve, 400))]);

    holder.kill('SIGKILL');
    const store = await second;

    expect(early).toBeUndefined();
    expect(await store.turns.get('of the first')).toBeDefined();
    await store.close();
  });

  it('know what the killed one wrote unflushed before its event loop stood still', async () => {
    const path = join(folder, 'still.db');
    const holder = startChild(process.execPath, [HOLDER, path, 'still']);
    await once(holder.stdout ?? holder, 'data');

    holder.kill('SIGKILL');
    const store = await openSqliteStore({ path, lockWaitMs: 20_000, now: Date.now });

    expect(await store.turns.get('of the first')).toMatchObject({ stage: 'accepted', fence: 1 });
    expect(await store.turns.get('of the second')).toMatchObject({ stage: 'done', fence: 1, result: 'answer' });
    await store.close();
  });
});

import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createAuditLog } from '../../src/audit/chained-log.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { createModel } from '../storage/kernel-model.ts';
import { aKey, anEntry } from './samples.ts';

it.each([
  ['emptied', 0],
  ['put back to an older state', 1],
])('a log that is %s under a running app is told of, sealed or not', async (_, kept) => {
  for (const keys of [[], [aKey]]) {
    const lines: { msg: string; seq?: number; before?: number }[] = [];
    const log = createLog('error', { write: (line) => void lines.push(JSON.parse(line)) });
    const database = new DatabaseSync(':memory:');
    prepareSchema(database);
    const kernel = createSqliteKernel(database, createGroupCommit(database), Date.now);
    const audit = createAuditLog(kernel, { keys, log });
    await audit.start();
    const ends: string[] = [];
    for (let at = 1; at <= 4; at++) {
      ends.push(JSON.stringify({ head: await audit.head(), origin: await audit.origin() }));
      await audit.append(anEntry({ at }));
    }
    const healthy = lines.length;

    const older = ends[kept] ?? '';
    const { seq: last } = JSON.parse(older).head;
    const entries = await kernel.range('audit', { from: last + 1 });
    await kernel.commit(entries.map(({ key }) => ({ drop: key })));
    await kernel.commit([{ put: 'audit-ends', body: JSON.parse(older) }]);
    await audit.append(anEntry({ at: 5 }));
    await audit.append(anEntry({ at: 6 }));

    expect(healthy).toBe(0);
    expect(lines.map(({ msg, seq }) => [msg, seq])).toEqual([['audit log lost entries', last]]);
  }
});

it('a log is rid of what it has forgotten though that broke off, with its next entry', async () => {
  const kernel = createModel(() => 0);
  let isDown = false;
  const audit = createAuditLog({
    ...kernel,
    async commit(writes) {
      if (isDown && writes.some((one) => 'drop' in one)) throw new StoreUnavailableError('away');
      return kernel.commit(writes);
    },
  });
  for (const at of [10, 20, 30]) await audit.append(anEntry({ at }));
  isDown = true;
  expect(await audit.forget(25)).toBe(2);
  expect(await kernel.range('audit')).toHaveLength(4);
  isDown = false;

  await audit.append(anEntry({ at: 50 }));

  expect(await kernel.range('audit')).toHaveLength(3);
  expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 3 });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SWEEPER_LANE } from '../../src/delivery/sweeper.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { REVIEW_LANE } from '../../src/wiring/connect-review.ts';
import { connectSight } from '../../src/wiring/connect-sight.ts';
import { aConfig } from '../a-config.ts';

it('the lanes that are reminded of at fixed times are not counted among those that the sweeper woke', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sight-'));
  const store = await openSqliteStore({ path: join(folder, 'store.db'), lockWaitMs: 0, now: Date.now });
  const sight = await connectSight({ ...aConfig(), OPS_PORT: 0 }, store);

  for (const lane of [SWEEPER_LANE, REVIEW_LANE, 'T1:C1:100.1']) sight.laneEvent({ kind: 'reminded', lane });

  expect(await sight.metrics.read()).toMatch(/^sweeper_rewakes_total 1$/m);
  await sight.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

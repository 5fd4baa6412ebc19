// The contract has no read of limits: however it fails, a limit is set. Each case waits for seconds, so all do at once.
import { expect, it } from 'vitest';
import { setEdit } from '../../../src/governance/policy/edit.ts';
import type { AdminFault } from '../../sandbox/admin/faults.ts';
import { toThresholdKey } from '../../sandbox/admin/model.ts';
import { CURRENCY, PRODUCTION, startWorld, TRAVEL, textOf } from './run-world.ts';

const LIMIT = { credits: 2_000, noticeAt: 80, stopAtLimit: false };

it.concurrent.each<[AdminFault, object?]>([
  ['400'],
  ['410'],
  ['422'],
  ['500'],
  ['html'],
  ['429-seconds', { retryAfterS: 60 }],
  ['delay', { ms: 3_000 }],
])('a limit is set where the read of limits ends with %s', async (fault, options) => {
  const world = await startWorld();
  try {
    const app = world.start();
    world.admin.faults.always(fault, { on: 'list-thresholds', ...options });

    await app.carryOut([setEdit('limit', { ...TRAVEL, currency: CURRENCY }, LIMIT)], { unknownStop: 'runs' });

    const set = world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'));
    expect(set).toMatchObject({ limit: 2_000, stopResource: false });
    expect(world.said.map(textOf).join()).toContain('sent, not shown');
  } finally {
    await world.close();
  }
});

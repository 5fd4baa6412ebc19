import { expect, it } from 'vitest';
import { SWEEPER_LANE } from '../../src/delivery/sweeper.ts';
import { connectTelemetry } from '../../src/wiring/connect-telemetry.ts';
import { REVIEW_LANE } from '../../src/wiring/later.ts';
import { aConfig } from '../a-config.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

it('the lanes that are reminded of at fixed times are not counted among those that the sweeper woke', async () => {
  const telemetry = await connectTelemetry({ ...aConfig(), OPS_PORT: 0 }, createMemoryStore());

  for (const lane of [SWEEPER_LANE, REVIEW_LANE, 'T1:C1:100.1']) telemetry.laneEvent({ kind: 'reminded', lane });

  expect(await telemetry.metrics.read()).toMatch(/^sweeper_rewakes_total 1$/m);
  await telemetry.close();
});

import { expect, it } from 'vitest';
import { SWEEPER_LANE } from '../../src/delivery/sweeper.ts';
import { connectTelemetry } from '../../src/wiring/connect-telemetry.ts';
import { REVIEW_LANE } from '../../src/wiring/later.ts';
import { aConfig } from '../a-config.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

it('what people think of answers is counted by verdict, and by the reasons that they give', async () => {
  const telemetry = await connectTelemetry({ ...aConfig(), OPS_PORT: 0 }, createMemoryStore());

  for (const reason of ['none', 'wrong'] as const) telemetry.tell({ kind: 'feedback', verdict: 'bad', reason });

  const read = await telemetry.metrics.read();
  expect(read).toMatch(/^assistant_bridge_feedback_total\{verdict="good",reason="none"\} 0$/m);
  expect(read).toMatch(/^assistant_bridge_feedback_total\{verdict="bad",reason="none"\} 1$/m);
  expect(read).toMatch(/^assistant_bridge_feedback_total\{verdict="bad",reason="wrong"\} 1$/m);
  expect(read).not.toContain('assistant_bridge_orphans_deleted_total 1');
  await telemetry.close();
});

it('the lanes that are reminded of at fixed times are not counted among those that the sweeper woke', async () => {
  const telemetry = await connectTelemetry({ ...aConfig(), OPS_PORT: 0 }, createMemoryStore());

  for (const lane of [SWEEPER_LANE, REVIEW_LANE, 'T1:C1:100.1']) telemetry.laneEvent({ kind: 'reminded', lane });

  expect(await telemetry.metrics.read()).toMatch(/^assistant_bridge_sweeper_rewakes_total 1$/m);
  await telemetry.close();
});

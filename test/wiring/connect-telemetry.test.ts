import { expect, it } from 'vitest';
import { connectTelemetry } from '../../src/wiring/connect-telemetry.ts';
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

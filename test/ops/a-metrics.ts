import { createMetrics, type MetricSources, type Metrics } from '../../src/ops/metrics.ts';

/** Of a process in which nothing has happened yet. */
export function aMetrics(sources: Partial<MetricSources> = {}): Metrics {
  return createMetrics({
    turnCounts: async () => ({ byStage: {}, oldestAcceptedAt: undefined }),
    deadLetters: async () => 0,
    memory: async () => ({ usedBytes: 4_000, limitBytes: 10_000 }),
    eventLoopLagMs: () => 0,
    now: Date.now,
    ...sources,
  });
}

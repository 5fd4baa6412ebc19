import type { Gauge } from 'prom-client';
import { withinTime } from '../time-limit.ts';

/** Values of the store, the same for all replicas. Read at scrape time. */
export type StoreSources = {
  /** Open turns by stage, and when the oldest of them came that does not wait for a sign-in (epoch ms). */
  turnCounts(): Promise<TurnCounts>;
  /** How many turns were given up and are still kept, up to 100. */
  deadLetters(): Promise<number>;
  /** How full Redis is; undefined on SQLite. */
  memory(): Promise<StoreMemory | undefined>;
  now(): number;
};

type TurnCounts = { byStage: Partial<Record<string, number>>; oldestAcceptedAt: number | undefined };

type StoreMemory = { usedBytes: number; limitBytes: number };

type Reading = { counts: TurnCounts; deadLetters: number; memory: StoreMemory | undefined; readAt: number };

/** Every stage but `done`, so that empty stages are 0, not missing. */
const STAGES = ['accepted', 'waiting', 'parked', 'asking', 'answered', 'stopped', 'cancelled'];

/** Stages before the question is sent. */
const QUEUED_STAGES = ['accepted', 'waiting'];

/** Stages that wait for a time or a person. Turns in all others are being worked on, or are stuck. */
const PATIENT_STAGES = ['waiting', 'parked'];

/** Prometheus gives up after ten seconds, and would then lose all other metrics as well. */
const READ_LIMIT_MS = 2_000;

/** How long old values are shown: a single failed read leaves no gap, but stale values must not look current. */
const KEPT_MS = 45_000;

/** Makes a gauge; `labels`: its label names. */
export type CreateGauge = (name: string, help: string, labels?: string[]) => Gauge;

/** The gauges of one value each. Undefined: there is no value. */
const VALUES: [name: string, help: string, value: (reading: Reading, now: number) => number | undefined][] = [
  ['queue_depth', 'Turns that have not been asked yet.', ({ counts }) => sum(counts, QUEUED_STAGES)],
  [
    'oldest_pending_seconds',
    'Age of the oldest turn that is neither done nor waits for a sign-in.',
    ({ counts: { oldestAcceptedAt } }, now) => Math.max(0, now - (oldestAcceptedAt ?? now)) / 1000,
  ],
  [
    'turns_unaccounted',
    'Turns that are neither done nor waiting nor parked: 0 when nothing runs.',
    ({ counts }) =>
      sum(
        counts,
        STAGES.filter((stage) => !PATIENT_STAGES.includes(stage)),
      ),
  ],
  ['dead_letters', 'Turns that were given up and are still kept, at most 100.', ({ deadLetters }) => deadLetters],
  ['redis_memory_bytes', 'Memory that Redis uses.', ({ memory }) => memory?.usedBytes],
  [
    'redis_memory_limit_bytes',
    'Memory that Redis may use: its maxmemory, or without one that of its machine.',
    ({ memory }) => memory?.limitBytes,
  ],
];

/** Returns the refresh to run before each scrape. It never rejects; overlapping calls share one read. */
export function createStoreGauges(gauge: CreateGauge, sources: StoreSources): () => Promise<void> {
  const ofAll = (name: string, help: string, labels?: string[]) =>
    gauge(name, `${help} The same on all replicas.`, labels);
  const storeUp = gauge('store_up', '1: the store answered this scrape, 0: it did not.');
  const turns = ofAll('turns', 'Turns that are not done, by stage.', ['stage']);
  const values = VALUES.map(([name, help, value]) => ({ shown: ofAll(name, help), value }));
  let known: Reading | undefined;
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const reading = await withinTime(READ_LIMIT_MS, read(sources)).catch(() => undefined);
    storeUp.set(reading ? 1 : 0);
    known = reading ?? known;
    const now = sources.now();
    show(known && now - known.readAt <= KEPT_MS ? known : undefined, now);
  }

  /** Undefined: nothing is shown. */
  function show(reading: Reading | undefined, now: number): void {
    turns.reset();
    for (const stage of reading ? STAGES : []) turns.set({ stage }, reading?.counts.byStage[stage] ?? 0);
    for (const { shown, value } of values) {
      const current = reading && value(reading, now);
      if (current === undefined) shown.remove();
      else shown.set(current);
    }
  }

  return () => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
}

async function read(sources: StoreSources): Promise<Reading> {
  // A managed Redis may forbid INFO.
  const memory = sources.memory().catch(() => undefined);
  const [counts, deadLetters] = await Promise.all([sources.turnCounts(), sources.deadLetters()]);
  return { counts, deadLetters, memory: await memory, readAt: sources.now() };
}

function sum({ byStage }: TurnCounts, stages: string[]): number {
  return stages.reduce((total, stage) => total + (byStage[stage] ?? 0), 0);
}

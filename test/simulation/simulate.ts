// Plays worlds, one seed after the other, and tells the story of the first that breaks a promise.
import { describeAct, type History, makeHistory } from './history.ts';
import type { Breach } from './promises.ts';
import { judge } from './promises.ts';
import { shrink } from './shrink.ts';
import { playWorld } from './world.ts';

export type Options = {
  /** The first seed. */
  seed: number;
  /** Worlds are played until this many questions were asked, or this long (real ms). */
  turns: number;
  forMs: number;
  /** Undefined: one, two and three in turn. */
  replicas?: number | undefined;
  /** Whether the shortest history is looked for. */
  isShrunk?: boolean;
  /** Told at once: to find the shortest history takes longer. `ms`: of the processor, since the beginning. */
  onFound?(seed: number, ms: number): void;
};

export type Report = {
  turns: number;
  worlds: number;
  /** Real ms, and those of the processor: others may be at work on the same machine. */
  tookMs: number;
  cpuMs: number;
  failure: { seed: number; history: History; breaches: Breach[] } | undefined;
};

/** Questions of one world. */
const TURNS = 400;

const realNow = performance.now.bind(performance);

export async function simulate(options: Options): Promise<Report> {
  const { seed, turns, forMs, replicas, isShrunk = true, onFound = () => undefined } = options;
  const begunAt = realNow();
  const begunCpu = process.cpuUsage();
  const report: Report = { turns: 0, worlds: 0, tookMs: 0, cpuMs: 0, failure: undefined };
  for (let current = seed; report.turns < turns && report.tookMs < forMs && !report.failure; current += 1) {
    const history = makeHistory(current, { turns: TURNS, replicas: replicas ?? 1 + (current % 3) });
    const rest = await playWorld(history);
    const breaches = judge(rest);
    const { user, system } = process.cpuUsage(begunCpu);
    report.turns += rest.written.length;
    report.worlds += 1;
    report.tookMs = realNow() - begunAt;
    report.cpuMs = (user + system) / 1_000;
    if (breaches.length === 0) continue;
    onFound(current, report.cpuMs);
    report.failure = { seed: current, ...(isShrunk ? await shrink({ history, breaches }) : { history, breaches }) };
  }
  return report;
}

/** A failure as a story. */
export function tell({ seed, history, breaches }: NonNullable<Report['failure']>): string {
  const acts = history.acts.map((act) => `  ${(act.at / 1000).toFixed(3)} s  ${describeAct(act)}`);
  return [
    `Seed ${seed}, ${history.replicas} ${history.replicas === 1 ? 'replica' : 'replicas'}: a promise was broken.`,
    ...acts,
    ...breaches.map(({ promise, what }) => `✗ ${promise}: ${what}`),
  ].join('\n');
}

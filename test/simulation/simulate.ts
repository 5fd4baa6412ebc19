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
  /** Told at once: to find the shortest history takes longer. `ms`: real, since the beginning. */
  onFound?(seed: number, ms: number): void;
};

export type Report = {
  turns: number;
  worlds: number;
  /** Real ms. */
  tookMs: number;
  failure: { seed: number; history: History; breaches: Breach[] } | undefined;
};

/** Questions of one world. */
const TURNS = 400;

const realNow = performance.now.bind(performance);

export async function simulate({ seed, turns, forMs, replicas, onFound = () => undefined }: Options): Promise<Report> {
  const begunAt = realNow();
  let played = 0;
  let worlds = 0;
  for (let current = seed; played < turns && realNow() - begunAt < forMs; current += 1) {
    const history = makeHistory(current, { turns: TURNS, replicas: replicas ?? 1 + (current % 3) });
    const rest = await playWorld(history);
    const breaches = judge(rest);
    played += rest.written.length;
    worlds += 1;
    if (breaches.length === 0) continue;
    onFound(current, realNow() - begunAt);
    const failure = { seed: current, ...(await shrink({ history, breaches })) };
    return { turns: played, worlds, tookMs: realNow() - begunAt, failure };
  }
  return { turns: played, worlds, tookMs: realNow() - begunAt, failure: undefined };
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

import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import type { PromiseName } from './conversation-promises.ts';
import { type Load, type LoadOptions, startLoad } from './load.ts';
import type { Tally } from './reconcile.ts';
import type { ScenarioOptions } from './scenario.ts';
import { settle } from './settle.ts';
import { none, times, toCriteria, toFacts, type Verdict } from './verdict.ts';

export type Setting = {
  cluster?: Partial<ClusterOptions>;
  load?: Partial<LoadOptions>;
  /** No process dies, no store is away: nothing has a reason to be interrupted. */
  isUninterrupted?: boolean;
  /** What is only told, and not judged. */
  ignored?: readonly (PromiseName | 'unasked')[];
  /** How long an open turn may take once nothing new is said, in ms. */
  openTimeoutMs?: number;
};

/** What a scenario adds to the verdict, once all has come to rest. */
type Judge = (tally: Tally) => Partial<Verdict>;

/** What a scenario does to the cluster meanwhile. It may stop the load itself. */
export type Act = (cluster: Cluster, load: Load, progress: (line: string) => void) => Promise<Judge>;

/** Does something to a cluster, waits until all is at rest, and judges what became of every message. */
export async function inCluster(
  options: ScenarioOptions,
  setting: Setting,
  act: (cluster: Cluster) => Promise<Judge>,
): Promise<Verdict> {
  const { isUninterrupted = false, ignored = [], openTimeoutMs } = setting;
  const cluster = await startCluster({ ...options, ...setting.cluster });
  try {
    const judge = await act(cluster);
    const tally = await settle(cluster, openTimeoutMs);
    const { facts = [], criteria = [] } = judge(tally);
    const crashes = cluster.replicas.flatMap((replica) => replica.crashes);
    const interrupted = none('interrupted', times(tally.endings.interrupted, 'a turn was interrupted'));
    return {
      facts: [
        ...toFacts(tally),
        ...ignored.map((name): [string, string] => [`not judged here: ${name}`, String(tally[name].length)]),
        ...facts,
      ],
      criteria: [
        ...toCriteria({ ...tally, ...Object.fromEntries(ignored.map((name) => [name, []])) }),
        none('processes that ended by themselves', crashes),
        ...(isUninterrupted ? [interrupted] : []),
        ...criteria,
      ],
    };
  } finally {
    await cluster.close();
  }
}

/** The same while people talk to the app. */
export function underLoad(options: ScenarioOptions, setting: Setting, act: Act): Promise<Verdict> {
  return inCluster(options, setting, async (cluster) => {
    const { journal } = cluster;
    const progress = (line: string) =>
      options.progress(`${line}, ${journal.all.length} messages, ${journal.open().length} open`);
    const load = startLoad(cluster, { ...options, ...setting.load });
    const judge = await act(cluster, load, progress);
    await load.stop();
    return (tally) => {
      const { facts = [], ...rest } = judge(tally);
      return { facts: [['held back for want of a free thread', String(load.heldBack)], ...facts], ...rest };
    };
  });
}

/** Strikes one after the other. `unit`: what they are called. */
export type Strikes = { unit: string; strike(nth: number): Promise<unknown>; judge?: Judge };

/** What was struck last shows after so long. */
const REST_MS = 1_000;

/** Strikes as often as the scenario says while people talk to the app. */
export function strikeOften(
  options: ScenarioOptions,
  setting: Setting,
  begin: (cluster: Cluster) => Strikes,
): Promise<Verdict> {
  return underLoad(options, setting, async (cluster, _, progress) => {
    const { unit, strike, judge = (): Partial<Verdict> => ({}) } = begin(cluster);
    for (let nth = 1; nth <= options.count; nth++) {
      await strike(nth);
      progress(`${nth} ${unit}`);
    }
    await sleep(REST_MS);
    return (tally) => {
      const { facts = [], ...rest } = judge(tally);
      return { facts: [[unit, String(options.count)], ...facts], ...rest };
    };
  });
}

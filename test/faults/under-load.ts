import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { type Load, type LoadOptions, startLoad } from './load.ts';
import type { Tally } from './reconcile.ts';
import type { ScenarioOptions } from './scenario.ts';
import { settle } from './settle.ts';
import { none, toCriteria, toFacts, type Verdict } from './verdict.ts';

export type UnderLoad = {
  cluster: ClusterOptions;
  load: LoadOptions & Pick<ScenarioOptions, 'progress'>;
  /** No process dies, no store is away: nothing has a reason to be interrupted. */
  isUninterrupted?: boolean;
  /** Replicas are frozen: one may be on its way to the service just then, and ask when somebody else has ended the turn. */
  hasZombies?: boolean;
  /** How long an open turn may take once nothing new is said, in ms. */
  openTimeoutMs?: number;
};

/** What a scenario does to the cluster meanwhile. It may stop the load itself. */
export type Act = (cluster: Cluster, load: Load, progress: (line: string) => void) => Promise<Judge>;

/** What it adds to the verdict, once all has come to rest. */
type Judge = (tally: Tally) => Partial<Verdict>;

/** Does its worst while people talk to the app, waits until all is at rest, and judges what became of every message. */
export async function underLoad(options: UnderLoad, act: Act): Promise<Verdict> {
  const cluster = await startCluster(options.cluster);
  const { journal, replicas } = cluster;
  const progress = (line: string) =>
    options.load.progress(`${line}, ${journal.all.length} messages, ${journal.open().length} open`);
  try {
    const load = startLoad(cluster, options.load);
    const judge = await act(cluster, load, progress);
    await load.stop();
    const tally = await settle(cluster, options.openTimeoutMs);
    const { facts = [], criteria = [] } = judge(tally);
    const crashes = replicas.flatMap((replica) => replica.crashes);
    const late = options.hasZombies ? tally.askedLate.length : 0;
    const judged = options.hasZombies ? { ...tally, askedLate: [] } : tally;
    return {
      facts: [
        ...toFacts(tally),
        ['held back for want of a free thread', String(load.heldBack)],
        ...(late > 0 ? [['asked after their end by a frozen process', String(late)] satisfies [string, string]] : []),
        ...facts,
      ],
      criteria: [
        ...toCriteria(judged),
        none('processes that ended by themselves', crashes),
        ...(options.isUninterrupted ? [none('interrupted', listInterrupted(tally))] : []),
        ...criteria,
      ],
    };
  } finally {
    await cluster.close();
  }
}

function listInterrupted({ endings }: Tally): string[] {
  return Array.from({ length: endings.interrupted ?? 0 }, () => 'a turn was interrupted');
}

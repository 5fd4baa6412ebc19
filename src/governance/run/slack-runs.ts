// All runs of this process. Small runs are carried out as soon as they are confirmed. The lane carries out large runs, and
// those of a process that died.
import { TransientError } from '../../errors.ts';
import { withinTime } from '../../time-limit.ts';
import type { GovernanceServices } from '../services.ts';
import { carryOutRun, giveUpRun, type RunWork } from './carry-out-run.ts';
import { buildInBackground } from './run-message.ts';
import { GRACE_MS, LEASE_MS } from './run-rights.ts';
import type { Lease, Run, RunContent } from './run-store.ts';
import { isFree } from './run-store.ts';
import { createTeller, type Live } from './slack-run-teller.ts';

export type Runs = {
  /** The first lease of a run: free, if the lane carries it out. */
  toLease(run: Pick<Run, 'items' | 'isStop'>): Lease;
  /** Carries the run out, or leaves it to the lane. Resolves when the run has ended or is left. Never rejects. */
  start(run: Run, content: RunContent, live: Live | undefined): Promise<void>;
  /** The lane: runs that no process has. Returns when to call it again (epoch ms); undefined: there is nothing to do. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Begins nothing more. Items that have begun are finished. */
  stop(): void;
};

/** Runs with more items than this are left to the lane, except stops. */
const MAX_AT_ONCE = 25;

/** How often to look for runs of processes that died. */
const LOOK_MS = 5_000;

/** The wait before a run is tried again, such as when Slack or the sign-in service does not answer. */
const LATER_MS = 30_000;

/** A run is ended after this many unexpected errors. */
const MAX_FAULTS = 3;

/** The lease of a run that no process has. */
const FREE: Lease = { holder: '', until: 0 };

export function createRuns(services: GovernanceServices): Runs {
  const stopping = new AbortController();
  const anyStop = AbortSignal.any([stopping.signal, services.stopping]);
  const isStopping = () => anyStop.aborted;
  /** The ids of runs that this process carries out. If its clock is set, their leases may look free to it. */
  const own = new Set<string>();

  /** True: the run has ended. */
  async function carryOut(work: RunWork): Promise<boolean> {
    own.add(work.run.id);
    try {
      return await carryOutRun(work, { ...services, stopping: anyStop });
    } catch (error) {
      return await noteFault(work, error, services);
    } finally {
      own.delete(work.run.id);
    }
  }

  /** Undefined: the run is not there any more, or another process has it. */
  async function resume({ id }: Run): Promise<boolean | undefined> {
    const at = services.now();
    const lease = { holder: services.createId(), until: at + LEASE_MS };
    const run = await services.runs.lease(id, lease, at - GRACE_MS);
    const content = run && (await services.runs.content(id));
    if (!run || !content) return undefined;
    const isEnded = await carryOut({ run, content, isFirst: false, teller: createTeller(services) });
    if (!isEnded) await release(run, services);
    return isEnded;
  }

  return {
    toLease: ({ items, isStop }) =>
      items <= MAX_AT_ONCE || isStop ? { holder: services.createId(), until: services.now() + LEASE_MS } : FREE,
    async start(run, content, live) {
      if (run.lease.holder === FREE.holder) {
        services.wakeRuns();
        return live?.show?.(buildInBackground(run));
      }
      const isEnded = await carryOut({ run, content, isFirst: true, teller: createTeller(services, live) });
      if (isEnded) return;
      await release(run, services);
      services.wakeRuns();
    },
    async run(isHeld) {
      const active = new Set<string>();
      const working = new Set<Promise<unknown>>();
      let isLater = false;
      let onEnded: () => void = () => undefined;
      while (isHeld() && !isStopping()) {
        const ended = Promise.withResolvers<void>();
        onEnded = ended.resolve;
        const open = await services.runs.listOpen();
        const others = open.filter(({ id }) => !active.has(id) && !own.has(id));
        const free = others.filter(({ lease }) => isFree(lease, services.now() - GRACE_MS));
        for (const run of free.toSorted(byUrgency)) {
          active.add(run.id);
          const work: Promise<unknown> = resume(run)
            .then((isEnded) => {
              isLater ||= isEnded === false;
              if (isEnded !== false) active.delete(run.id);
            })
            .catch((error: unknown) => services.log.warn({ err: error, run: run.id }, 'run not resumed'))
            .finally(() => {
              working.delete(work);
              onEnded();
            });
          working.add(work);
        }
        if (working.size === 0) return nextLook(open, isLater, services.now());
        await withinTime(LOOK_MS, ended.promise, () => undefined);
      }
      await Promise.all(working);
      return undefined;
    },
    stop: () => stopping.abort(),
  };
}

function byUrgency(one: Run, other: Run): number {
  return Number(other.isStop) - Number(one.isStop) || one.items - other.items;
}

function nextLook(open: readonly Run[], isLater: boolean, now: number): number | undefined {
  if (isLater) return now + LATER_MS;
  const frees = open.map(({ lease }) => lease.until + GRACE_MS).filter((at) => at > now);
  return frees.length === 0 ? undefined : Math.min(...frees);
}

/** Lets other processes go on with the run at once. If this fails, they go on when the lease has expired. */
async function release({ id, lease }: Run, { runs, log }: GovernanceServices): Promise<void> {
  try {
    await runs.change(id, (one) => (one.lease.holder === lease.holder ? { ...one, lease: FREE } : undefined));
  } catch (error) {
    log.warn({ err: error, run: id }, 'run not released');
  }
}

/** Ends a run that a bug keeps from ending. True: the run has ended. */
async function noteFault(work: RunWork, error: unknown, services: GovernanceServices): Promise<boolean> {
  const { run } = work;
  const { runs, log } = services;
  log.error({ err: error, run: run.id }, 'run broke off');
  if (error instanceof TransientError) return false;
  try {
    const noted = await runs.change(run.id, (one) => ({ ...one, faults: (one.faults ?? 0) + 1 }));
    if ((noted?.faults ?? 0) < MAX_FAULTS) return false;
    return await giveUpRun(work, services);
  } catch {
    return false;
  }
}

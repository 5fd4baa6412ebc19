// All runs of this process: those that are carried out as soon as they are confirmed, and those of the lane, which are large
// or were left by a process that died.
import { TransientError } from '../../errors.ts';
import { withinTime } from '../../time-limit.ts';
import type { GovernanceServices } from '../services.ts';
import { type Carrying, carryOutRun } from './carry-out-run.ts';
import type { Lease, Run, RunContent } from './run.ts';
import { buildInBackground } from './run-message.ts';
import { GRACE_MS, LEASE_MS } from './run-rights.ts';
import { isFree } from './run-store.ts';
import { createBackgroundTeller, createLiveTeller, type Live } from './slack-run-teller.ts';

export type Runs = {
  /** The lease of a plan that this process carries out at once; undefined: it is left to the lane. */
  toLease(run: { items: number; isStop: boolean }): Lease | undefined;
  /** Carries it out, or leaves it to the lane. Resolves when it has ended, or goes on there. Never rejects. */
  start(run: Run, content: RunContent, live: Live | undefined): Promise<void>;
  /** The lane: what nobody is at. Returns when to call it again (epoch ms); undefined: there is nothing to do. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Begins nothing more; what is on its way comes to its end. */
  stop(): void;
};

/** More than these wait for nothing but themselves, in the lane. */
const MAX_AT_ONCE = 25;

/** How often it is looked for what a process has left. */
const LOOK_MS = 5_000;

/** Where Slack or the sign-in service does not answer. */
const LATER_MS = 30_000;

/** After so many failures of our own a run is ended. */
const MAX_FAULTS = 3;

export function createRuns(services: GovernanceServices): Runs {
  const stopping = new AbortController();
  const anyStop = AbortSignal.any([stopping.signal, services.stopping]);
  const isStopping = () => anyStop.aborted;

  /** True: it has ended. */
  async function carryOut(carrying: Carrying): Promise<boolean> {
    try {
      return await carryOutRun(carrying, { ...services, stopping: anyStop });
    } catch (error) {
      return await noteFault(carrying.run, error, services);
    }
  }

  /** Undefined: it is not there any more, or another process is at it. */
  async function resume({ id }: Run): Promise<boolean | undefined> {
    const at = services.now();
    const lease = { holder: services.createId(), until: at + LEASE_MS };
    const run = await services.runs.lease(id, lease, at - GRACE_MS);
    const content = run && (await services.runs.content(id));
    if (!run || !content) return undefined;
    const isEnded = await carryOut({ run, content, isFirst: false, teller: createBackgroundTeller(services) });
    if (!isEnded) await release(run, services);
    return isEnded;
  }

  return {
    toLease: ({ items, isStop }) =>
      items <= MAX_AT_ONCE || isStop ? { holder: services.createId(), until: services.now() + LEASE_MS } : undefined,
    async start(run, content, live) {
      if (run.lease.holder === '') {
        services.wakeRuns();
        return live?.show?.(buildInBackground(run));
      }
      const teller = live ? createLiveTeller(live, services) : createBackgroundTeller(services);
      const isEnded = await carryOut({ run, content, isFirst: true, teller });
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
        const free = open.filter((run) => !active.has(run.id) && isFree(run.lease, services.now() - GRACE_MS));
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

/** Others may go on with it at once. Where that fails, they do so when the lease has run out. */
async function release({ id, lease }: Run, { runs, log }: GovernanceServices): Promise<void> {
  try {
    await runs.change(id, (one) =>
      one.lease.holder === lease.holder ? { ...one, lease: { holder: '', until: 0 } } : undefined,
    );
  } catch (error) {
    log.warn({ err: error, run: id }, 'run not released');
  }
}

/** One that a bug keeps from its end is ended. True: it has. */
async function noteFault(run: Run, error: unknown, { runs, log, now }: GovernanceServices): Promise<boolean> {
  log.error({ err: error, run: run.id }, 'run broke off');
  if (error instanceof TransientError) return false;
  try {
    const noted = await runs.change(run.id, (one) => ({ ...one, faults: (one.faults ?? 0) + 1 }));
    if ((noted?.faults ?? 0) < MAX_FAULTS) return false;
    return await runs.end(run.id, run.lease.holder, { at: now(), why: 'fault' });
  } catch {
    return false;
  }
}

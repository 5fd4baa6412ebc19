// Carries out one run, from its lease to its end: access, log, items, outcome.
import { TransientError } from '../../errors.ts';
import type { GovernanceServices } from '../services.ts';
import { carryOutItems, listSentWrites } from './carry-out.ts';
import { createPacedSession } from './paced-session.ts';
import { createRunLog, type RunLog } from './run-log.ts';
import { keepLease, type LeaseKeeper, LeaseLostError, openRunAccess, type RunAccess, toFenced } from './run-rights.ts';
import type { EndedRun, ItemResult, Run, RunContent } from './run-store.ts';

export type RunProgress = { run: Run; done: number; total: number };

/** Shows the progress of a run and its outcome. Only `end` throws. */
export type RunTeller = {
  begin(run: Run, content: RunContent): Promise<void>;
  progress(progress: RunProgress): void;
  /** Throws StoreUnavailableError before anything is said: the run ends later, and it is said then. */
  end(ended: EndedRun): Promise<void>;
};

/** `isFirst`: this process began the run, right after it checked the administrator's rights. */
export type RunWork = { run: Run; content: RunContent; isFirst: boolean; teller: RunTeller };

/** How long a run waits if we cannot find out whether its admin is still an admin and signed in. */
const ACCESS_PATIENCE_MS = 60 * 60_000;

/** False: the run continues later, or in another process. Throws if the store fails, and on a bug. */
export async function carryOutRun(work: RunWork, services: GovernanceServices): Promise<boolean> {
  const { run, teller } = work;
  const results = new Map<number, ItemResult>();
  const keeper = keepLease(run, services, () => teller.progress({ run, done: results.size, total: run.items }));
  try {
    return await carryOut(work, { keeper, results }, services);
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  } finally {
    keeper.end();
  }
}

/**
 * Ends a run that a bug keeps from ending: logs and tells as much of it as the bug allows. False: another process has it.
 * Throws if the store fails.
 */
export async function giveUpRun({ run, content, teller }: RunWork, services: GovernanceServices): Promise<boolean> {
  const results = await services.runs.results(run.id);
  const ended = { run, content, results, why: results.size < run.items ? 'fault' : 'done' };
  const steps = [
    () => leaveRest(ended, createRunLog(run, content, services, { isResumed: true }), services),
    () => services.runEnded(ended),
    () => teller.end(ended),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (error instanceof TransientError) throw error;
      services.log.error({ err: error, run: run.id }, 'run given up in part');
    }
  }
  return services.runs.end(run.id, run.lease.holder, { at: services.now(), why: ended.why });
}

/** `results`: of the items that have ended so far. */
type Underway = { keeper: LeaseKeeper; results: Map<number, ItemResult> };

async function carryOut(work: RunWork, underway: Underway, services: GovernanceServices): Promise<boolean> {
  const { run, content, isFirst, teller } = work;
  const { keeper, results } = underway;
  // A stop is not checked again, because the requester had the right to it.
  const access = await getAccess(run, { isChecked: isFirst || run.isStop }, services);
  if (access === undefined) return false;
  const log = createRunLog(run, content, services, { isResumed: !isFirst });
  const decided = log.addDecision();
  // A stop does not wait for the log.
  if (run.isStop) decided.catch(() => undefined);
  else await decided;
  await teller.begin(run, content);
  const endedBy = await carryOutAll(work, { ...underway, access, log }, services);
  const why = results.size < run.items ? endedBy : 'done';
  if (!keeper.holds() || why === undefined) return false;
  await decided;
  const ended = { run, content, results, why };
  await leaveRest(ended, log, services);
  await services.runEnded(ended);
  // Last: if the process dies before the run is stored as ended, people are told twice rather than never.
  await teller.end(ended);
  await services.runs.end(run.id, run.lease.holder, { at: services.now(), why });
  const kinds = [...Map.groupBy(results.values(), ({ kind }) => kind)].map(([kind, own]) => [kind, own.length]);
  const who = { team: run.by.team, user: run.by.user, plan: run.id };
  services.log.info({ ...who, why, ms: services.now() - run.begunAt, ...Object.fromEntries(kinds) }, 'run ended');
  return true;
}

/** Undefined: the run has to wait. */
async function getAccess(
  run: Run,
  how: { isChecked: boolean },
  services: GovernanceServices,
): Promise<Exclude<RunAccess, 'later'> | undefined> {
  if (run.items === 0) return { refusal: 'done' };
  const access = await openRunAccess(run, how, services);
  const waitingSince = access === 'later' ? (run.waitingSince ?? services.now()) : undefined;
  if (waitingSince !== undefined && services.now() - waitingSince > ACCESS_PATIENCE_MS) return { refusal: 'no_access' };
  if (waitingSince !== run.waitingSince) await services.runs.change(run.id, (one) => ({ ...one, waitingSince }));
  return access === 'later' ? undefined : access;
}

/** Why it ended, perhaps before all items were tried. Undefined: another process goes on, or it has to go on later. */
async function carryOutAll(
  { run, content }: RunWork,
  { keeper, results, access, log }: Underway & { access: Exclude<RunAccess, 'later'>; log: RunLog },
  services: GovernanceServices,
): Promise<string | undefined> {
  if ('refusal' in access) {
    for (const [index, result] of await services.runs.results(run.id)) results.set(index, result);
    return access.refusal;
  }
  const first = toFenced(access.session, keeper.holds);
  const session = createPacedSession(first, services.stopping, services);
  const why = await carryOutItems({ run, items: content.plan.items, first, session, log, keeper, results }, services);
  return why ?? (keeper.stoppedBy() === undefined ? undefined : 'stopped');
}

/** Logs the items that were not tried: the policy has their values, and the service does not. */
async function leaveRest(
  { run, content, results, why }: EndedRun & { results: Map<number, ItemResult> },
  log: RunLog,
  services: GovernanceServices,
): Promise<void> {
  if (results.size === run.items) return;
  const { runs, now } = services;
  const records = await runs.records(run.id);
  for (const [index, item] of content.plan.items.entries()) {
    if (results.has(index)) continue;
    const sending = records.get(index)?.sending;
    const result = toLeft(why, sending !== undefined, now());
    await runs.save(run, { index, sending: sending ?? result.at, result }, listSentWrites(item, result, run, services));
    await log.addItem(item, result);
    results.set(index, result);
  }
}

function toLeft(why: string, wasSending: boolean, at: number): ItemResult {
  if (!wasSending) return { kind: 'left', written: 'no', reason: why, requestIds: [], at };
  return { kind: 'sent_not_shown', written: 'perhaps', reason: 'interrupted', requestIds: [], at };
}

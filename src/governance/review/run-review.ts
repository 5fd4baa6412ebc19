// The sweep: inventory, then each environment with its agents, a few at a time.

import {
  AdminFailedError,
  AdminThrottledError,
  AdminUnreachableError,
  isAdminRefusal,
} from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import {
  findThreshold,
  indexThresholds,
  type LimitSources,
  toDeploymentLimit,
  toLastSetLimit,
} from '../limits/known-limit.ts';
import type { Register } from '../register/register.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import {
  type AllocationReading,
  type InventoryGaps,
  type InventoryReading,
  isUnreadable,
  type LimitReading,
  toGap,
  type Unreadable,
  type UnreadableReason,
} from './finding.ts';
import { isLimitNeeded, judgeAgent, judgeMissingAgent, judgeStrayAgent } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironment } from './judge-environment.ts';
import { type EnvironmentReview, listFindings, type Review, summarize } from './review-summary.ts';
import { type EnvironmentScope, listScopes, toStandards } from './standards.ts';

/** What they throw becomes a reason for what is unreadable. */
export type ReviewPorts = Pick<AdminSession, 'findEnvironments' | 'findAgents' | 'readAllocation'> & {
  /** Asked once: see openLimits. */
  openLimits(): Promise<ReadLimit>;
};

export type ReviewOptions = PatientReaderOptions & {
  /** With the overlay merged in. */
  register: Register;
  registerHash: string;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
  /** Once the inventory is read, and after each environment; what is shown of it, and how often, is for the caller to say. Must not throw. */
  onProgress?: (progress: ReviewProgress) => void;
  /** How many environments are read at a time (4): the service counts the calls of a whole tenant. */
  concurrency?: number;
};

type ReviewProgress = {
  environments: { done: number; total: number };
  /** Environments and agents so far. */
  drifting: number;
};

/** What one environment failed with may be over when all others are read: those are read once more, together. */
const MAY_PASS: ReadonlySet<UnreadableReason> = new Set(['admin_failed', 'admin_unreachable']);
const SECOND_LOOK_MS = 1_000;

/** Its multiples, without their whole parts, lie as evenly as any do. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Reads and compares everything. What fails twice is unreadable, and the rest goes on; where the sign-in has ended, or the
 * service stays too busy for too long, nothing more is asked for. Rejects only where the signal says stop.
 */
export async function runReview(ports: ReviewPorts, options: ReviewOptions): Promise<Review> {
  const { register, registerHash, currency, concurrency = 4, signal } = options;
  const at = options.now();
  const read = createPatientReader(options);
  const [environments, agents, readLimit] = await Promise.all([
    read(() => ports.findEnvironments(), { isVital: true }),
    read(() => ports.findAgents(), { isVital: true }),
    read(() => ports.openLimits(), { isVital: true }),
  ]);
  const inventory: InventoryReading = { environments, agents };
  const gaps: InventoryGaps = { environments: findGap(environments, register), agents: toGap(agents) };
  const standards = toStandards(register);
  const scopes = listScopes(inventory, standards);
  const sweep: Sweep = { ports, read, readLimit, gaps, judging: { standards, currency, now: at } };
  const reviews: EnvironmentReview[] = new Array(scopes.environments.length);
  const failed: { scope: EnvironmentScope; index: number }[] = [];
  const progress = { environments: { done: 0, total: reviews.length }, drifting: 0 };
  options.onProgress?.(structuredClone(progress));
  await forEach(spread([...scopes.environments.entries()]), concurrency, async ([index, scope]) => {
    const reading = await readAllocation(scope, sweep);
    if (isUnreadable(reading) && MAY_PASS.has(reading.unreadable)) failed.push({ scope, index });
    const review = await judge(scope, reading, sweep);
    reviews[index] = review;
    progress.environments.done += 1;
    progress.drifting += countDrifting(review);
    options.onProgress?.(structuredClone(progress));
  });
  // However the wait ends before, the signal is asked below.
  if (failed.length > 0) await options.wait(SECOND_LOOK_MS, signal, 'some_failed').catch(() => undefined);
  await forEach(failed, concurrency, async ({ scope, index }) => {
    const reading = await readAllocation(scope, sweep);
    // A second failure keeps the first reason.
    if (!isUnreadable(reading)) reviews[index] = await judge(scope, reading, sweep);
  });
  signal.throwIfAborted();
  const found = { environments: reviews, strayAgents: scopes.strayAgents.map(judgeStrayAgent) };
  return { at, registerHash, ...found, gaps, summary: summarize(listFindings(found), gaps, scopes.notReviewed) };
}

// An empty list is suspicious where the register names environments: the service may have lost its data.
function findGap(environments: InventoryReading['environments'], register: Register): UnreadableReason | undefined {
  const isEmpty = !isUnreadable(environments) && environments.rows.length === 0;
  return toGap(environments) ?? (isEmpty && register.environments.length > 0 ? 'inventory_empty' : undefined);
}

type Sweep = {
  ports: ReviewPorts;
  read: PatientRead;
  readLimit: ReadLimit | Unreadable;
  gaps: InventoryGaps;
  judging: JudgeOptions;
};

async function readAllocation(scope: EnvironmentScope, { ports, read }: Sweep): Promise<AllocationReading> {
  return scope.isFound ? read(() => ports.readAllocation(scope.id)) : 'none';
}

// Only the findings are kept, so that the allocations of a large tenant do not fill the memory.
async function judge(scope: EnvironmentScope, reading: AllocationReading, sweep: Sweep): Promise<EnvironmentReview> {
  const { gaps, judging } = sweep;
  const environment = judgeEnvironment(scope, { reading, gap: gaps.environments }, judging);
  const agents = [];
  for (const agent of scope.listAgents()) {
    const limit = isLimitNeeded(scope, agent, judging) ? await readLimitOf(agent, sweep) : undefined;
    agents.push(judgeAgent(scope, agent, { reading: limit, ...judging }));
  }
  const missing = scope.missingAgents.map((agent) => judgeMissingAgent(scope, agent, gaps.agents));
  return { environment, agents: [...agents, ...missing] };
}

async function readLimitOf(row: InventoryRow, { read, readLimit }: Sweep): Promise<LimitReading> {
  const agent = toGovernedAgent(row);
  if (agent === undefined) return { unreadable: 'no_environment' };
  return isUnreadable(readLimit) ? readLimit : read(() => readLimit(agent));
}

function countDrifting({ environment, agents }: EnvironmentReview): number {
  return [environment, ...agents].filter(({ status }) => status === 'drift').length;
}

/** Neighbours go far apart: where those that fail are neighbours, the interface must not look as if it were down. */
function spread<Item>(items: readonly Item[]): Item[] {
  const placed = items.map((item, index) => ({ item, place: (index * GOLDEN_RATIO) % 1 }));
  return placed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

async function forEach<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const runWorker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, runWorker));
}

// Reads of a long sweep: one that fails is a finding, one that comes too early waits, and none ends the sweep.
export type PatientReaderOptions = {
  /** Waits so many ms; however it ends before, the signal is asked what to do then. */
  wait: (ms: number, signal: AbortSignal, cause: WaitCause) => Promise<void>;
  signal: AbortSignal;
  /** Told of errors that are not the administrative interface's: bugs, or a store that failed. */
  onUnexpected: (error: unknown) => void;
};

/** `busy`: the service asks to wait; `no_answer`: it does not answer; `some_failed`: before those are read once more. */
export type WaitCause = 'busy' | 'no_answer' | 'some_failed';

/**
 * Rejects only where the signal says stop, with its reason. `isVital`: everything rests on it, so that any failure which
 * may pass is waited for. Otherwise only what is said of the whole service is: one environment must not hold up the rest.
 */
export type PatientRead = <T extends object | string>(
  attempt: () => Promise<T>,
  options?: { isVital?: boolean },
) => Promise<T | Unreadable>;

const MAX_ATTEMPTS = 4;

/** Of one wait, whatever the service asks for; and of all of them together: nobody waits longer for a review. */
const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 10 * 60_000;

const FIRST_WAIT_MS = 2_000;

/** Even where the service asks for less. */
const MIN_WAIT_MS = 1_000;

export function createPatientReader({ wait, signal, onUnexpected }: PatientReaderOptions): PatientRead {
  let waitedMs = 0;
  let pause: Promise<void> | undefined;
  /** Once set, nothing more is read. */
  let ended: UnreadableReason | undefined;

  // One wait for all who read: the service counts them together.
  async function pauseAll(ms: number, error: unknown): Promise<void> {
    if (pause === undefined) {
      waitedMs += ms;
      const resume = () => {
        pause = undefined;
      };
      // An aborted wait ends like any other: readers then check the signal.
      const cause = error instanceof AdminThrottledError ? 'busy' : 'no_answer';
      pause = wait(ms, signal, cause).then(resume, resume);
    }
    await pause;
  }

  /** How long to wait before the next attempt; undefined where there is to be none. */
  function decide(failure: Failure, attempts: number, isVital = false): number | undefined {
    const isWorthWaiting = attempts < MAX_ATTEMPTS && (isVital || isNamed(failure.error));
    const waitMs = isWorthWaiting ? readWait(failure.error, attempts) : undefined;
    const isSpent = waitMs !== undefined && waitedMs + waitMs > MAX_TOTAL_WAIT_MS;
    // Some that never answer are a reason to stop waiting for them, and none to leave the rest unread.
    const isHopeless = isSpent && isNamed(failure.error);
    if (isAdminRefusal(failure.error, 'admin_unauthorized') || isHopeless) ended = failure.code;
    return isSpent ? undefined : waitMs;
  }

  return async function read<T extends object | string>(
    attempt: () => Promise<T>,
    options: { isVital?: boolean } = {},
  ): Promise<T | Unreadable> {
    for (let attempts = 1; ; attempts += 1) {
      await pause;
      signal.throwIfAborted();
      if (ended !== undefined) return { unreadable: ended };
      const outcome = await attempt().then(toValue, toFailure);
      if ('value' in outcome) return outcome.value;
      signal.throwIfAborted();
      if (outcome.code === 'unexpected') onUnexpected(outcome.error);
      const waitMs = decide(outcome, attempts, options.isVital);
      if (waitMs === undefined) return { unreadable: outcome.code };
      await pauseAll(waitMs, outcome.error);
    }
  };
}

type Failure = { code: UnreadableReason; error: unknown };

function toValue<T>(value: T): { value: T } {
  return { value };
}

function toFailure(error: unknown): Failure {
  return { code: toAdminFailure(error)?.code ?? 'unexpected', error };
}

/** Undefined where waiting would not help. */
function readWait(error: unknown, attempts: number): number | undefined {
  const isPassing =
    error instanceof AdminThrottledError || error instanceof AdminUnreachableError || error instanceof AdminFailedError;
  if (!isPassing) return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1);
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, waitMs));
}

/** The service itself, or a proxy in front of it, asks to wait. */
function isNamed(error: unknown): boolean {
  const isUnreachable = error instanceof AdminUnreachableError && error.retryAfterMs !== undefined;
  return isUnreachable || error instanceof AdminThrottledError;
}

/** `agent` comes back with the id that its limit is filed under. */
export type ReadLimit = (agent: GovernedAgent) => Promise<{ agent: GovernedAgent; known: KnownLimit }>;

/**
 * Reads the thresholds of the tenant once, for a look at many agents; where the deployment does not offer to read them,
 * each limit is the one last set from here. Throws where it does, and they could not be read: what was last set from
 * here would hide what was changed elsewhere.
 */
export async function openLimits({ session, changes, now }: LimitSources): Promise<ReadLimit> {
  const thresholds = await session.readThresholds();
  if (thresholds === 'not_offered') {
    return async (agent) => {
      return { agent, known: toLastSetLimit(await changes.lastSet(agent.environmentId, agent.agentResourceId)) };
    };
  }
  const index = indexThresholds(thresholds);
  const readAt = now();
  return async (agent) => {
    const threshold = findThreshold(index, agent);
    const { agentResourceId } = agent;
    return {
      agent: { ...agent, agentResourceId: threshold?.resourceId ?? agentResourceId },
      known: toDeploymentLimit(threshold, readAt),
    };
  };
}

// The sweep: inventory, then each environment with its agents, a few at a time.
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
import { createPatientReader, type PatientRead, type PatientReaderOptions } from './patient-reader.ts';
import { type EnvironmentReview, listFindings, type Review, summarize } from './review-summary.ts';
import { type EnvironmentScope, listScopes } from './scopes.ts';
import { toStandards } from './standards.ts';

/** `agent` comes back with the id that its limit is filed under. */
type ReadLimit = (agent: GovernedAgent) => Promise<{ agent: GovernedAgent; known: KnownLimit }>;

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
  /** See JudgeOptions. */
  limitStaleMs: number;
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
  const { register, registerHash, currency, limitStaleMs, concurrency = 4, signal } = options;
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
  const sweep: Sweep = { ports, read, readLimit, gaps, judging: { standards, currency, limitStaleMs, now: at } };
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
    const limit = isLimitNeeded(scope, agent) ? await readLimitOf(agent, sweep) : undefined;
    agents.push(judgeAgent(scope, agent, { reading: limit, ...judging }));
  }
  const missing = scope.missingAgents.map((agent) => judgeMissingAgent(scope, agent, gaps.agents));
  return { environment, agents: [...agents, ...missing] };
}

async function readLimitOf(row: InventoryRow, { read, readLimit }: Sweep): Promise<LimitReading> {
  const agent = toGovernedAgent(row);
  if (agent === undefined) return { unreadable: 'no_environment' };
  return isUnreadable(readLimit) ? readLimit : read(() => readLimit(agent), { isLocal: true });
}

function countDrifting({ environment, agents }: EnvironmentReview): number {
  return [environment, ...agents].filter(({ status }) => status === 'drift').length;
}

/** Moves neighbours far apart: if failing environments are neighbours, the interface must not look as if it were down. */
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

// Reads environments, agents, thresholds and credits from the service. If one of the thresholds or credits cannot be
// read, it is `unreadable`, and the others are read all the same.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Environment } from '../../admin-api/inventory-wire.ts';
import type { Threshold } from '../../admin-api/licensing-wire.ts';
import { isSameId } from '../../policy/target.ts';
import { withinTime } from '../../time-limit.ts';
import { joinInventory, listRows, nameEnvironments, toSeenAgent } from '../inventory/inventory.ts';
import { endsReading, optional, toAdminFailure } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import {
  findThreshold,
  type Seen,
  type SeenAgent,
  type SeenCredits,
  type SeenEnvironment,
  toCreditsState,
  toThresholdState,
} from './seen.ts';

/** What to read. Environments given by id are looked up in the inventory. What is left out is not read. */
export type Look = {
  environments?: readonly (string | SeenEnvironment)[] | 'all';
  agents?: readonly SeenAgent[] | 'all';
  /** The currencies to read limits in. Each is one read of the whole tenant. */
  currencies: readonly string[];
  /** While a person waits for a form: limits that take longer to read (ms) are `unreadable`. */
  withinMs?: number;
};

/** How many of the environments were read. */
export type ReadProgress = { done: number; total: number };

/** Credits take one call per environment, and the service limits the calls of a whole tenant. */
const AT_ONCE = 8;

/** Throws if nothing more can be read, such as after the sign-in has expired, or if the inventory cannot be read. */
export async function readSeen(
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments' | 'readAllocation' | 'readThresholds'>,
  look: Look,
  { now, readsLimits }: { now(): number; readsLimits: boolean },
  onProgress: (progress: ReadProgress) => void = () => undefined,
): Promise<Seen> {
  const [{ environments, agents, isWhole }, thresholds] = await Promise.all([
    findInventory(session, look),
    look.agents === undefined || look.agents.length === 0 ? NO_LIMITS : readLimits(session, look, readsLimits),
  ]);
  const looked = look.environments === undefined ? [] : environments;
  const credits = await readAllCredits(session, looked, onProgress);
  return {
    at: now(),
    environments: looked,
    agents,
    isWhole,
    threshold(agent, currency) {
      const rows = thresholds.get(currency.toLowerCase()) ?? 'hidden';
      return typeof rows === 'string' ? rows : toThresholdState(findThreshold(rows, agent));
    },
    credits: (environmentId) => credits.get(environmentId.toLowerCase()),
  };
}

type Found = { environments: SeenEnvironment[]; agents: readonly SeenAgent[]; isWhole: boolean };

async function findInventory(
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>,
  { environments = [], agents = [] }: Look,
): Promise<Found> {
  const needsNames = agents === 'all' || environments === 'all' || environments.some((one) => typeof one === 'string');
  const [foundEnvironments, foundAgents] = await Promise.all([
    needsNames ? (environments === 'all' ? session.findEnvironments() : optional(session.findEnvironments())) : NOTHING,
    agents === 'all' ? session.findAgents() : NOTHING,
  ]);
  const rows = listRows<Environment>(foundEnvironments);
  const named = nameEnvironments(rows);
  return {
    environments: environments === 'all' ? named : environments.map((one) => toEnvironment(one, named)),
    agents: agents === 'all' ? joinInventory(foundAgents.rows, rows).flatMap((row) => toSeenAgent(row) ?? []) : agents,
    isWhole: foundEnvironments !== 'gap' && !foundEnvironments.truncated && !foundAgents.truncated,
  };
}

const NOTHING = { rows: [], truncated: false };

const NO_LIMITS: Limits = new Map();

/** `one`: an environment, or its id. For an id, the name is the listed one, or else the id. */
export function toEnvironment(one: string | SeenEnvironment, named: readonly SeenEnvironment[]): SeenEnvironment {
  if (typeof one !== 'string') return one;
  return (
    named.find(({ environmentId }) => isSameId(environmentId, one)) ?? {
      ...{ environmentId: one, name: one, ownerId: undefined },
    }
  );
}

type Limits = ReadonlyMap<string, readonly Threshold[] | 'hidden' | 'unreadable'>;

async function readLimits(
  session: Pick<AdminSession, 'readThresholds'>,
  { currencies, withinMs }: Look,
  readsLimits: boolean,
): Promise<Limits> {
  if (!readsLimits) return new Map();
  const read = async (currency: string) => {
    const reading = readThresholds(session, currency);
    const rows = await (withinMs === undefined ? reading : withinTime(withinMs, reading, () => 'unreadable' as const));
    return [currency.toLowerCase(), rows] as const;
  };
  return new Map(await Promise.all(currencies.map(read)));
}

/** The contract of the service does not have this read, so its failure stops nothing. */
export async function readThresholds(
  session: Pick<AdminSession, 'readThresholds'>,
  currency: string,
): Promise<readonly Threshold[] | 'hidden' | 'unreadable'> {
  try {
    const rows = await session.readThresholds(currency);
    return rows === 'not_offered' ? 'hidden' : rows;
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return 'unreadable';
  }
}

async function readAllCredits(
  session: Pick<AdminSession, 'readAllocation'>,
  environments: readonly SeenEnvironment[],
  onProgress: (progress: ReadProgress) => void,
): Promise<Map<string, SeenCredits>> {
  const total = environments.length;
  let done = 0;
  const read = await mapConcurrently(environments, AT_ONCE, async ({ environmentId }) => {
    const credits = await readCredits(session, environmentId);
    done += 1;
    onProgress({ done, total });
    return [environmentId.toLowerCase(), credits] as const;
  });
  return new Map(read);
}

async function readCredits(session: Pick<AdminSession, 'readAllocation'>, environmentId: string): Promise<SeenCredits> {
  try {
    const raw = await session.readAllocation(environmentId);
    return { credits: toCreditsState(raw), raw };
  } catch (error) {
    if (endsReading(error)) throw error;
    return 'unreadable';
  }
}

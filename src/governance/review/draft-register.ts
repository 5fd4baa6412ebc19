// What is found in a tenant, as entries of a register for somebody to decide about. Reads only.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { KnownLimit } from '../inventory/agent-limit.ts';
import { toGovernedAgent } from '../inventory/inventory.ts';
import type { LimitSources } from '../limits/known-limit.ts';
import type { DraftedEnvironment } from '../register/draft-entries.ts';
import { type ApprovedLimit, type Register, toIdKey } from '../register/register.ts';
import { MAX_AMOUNT } from '../shell/amount.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import {
  type AllocationReading,
  explainReason,
  type InventoryGaps,
  isUnreadable,
  toGap,
  type Unreadable,
} from './finding.ts';
import { formatCount } from './finding-words.ts';
import { toFoundAllocations } from './found-allocation.ts';
import { createPatientReader, type PatientRead, type PatientReaderOptions } from './patient-reader.ts';
import { openLimits } from './run-review.ts';
import { type EnvironmentScope, listScopes } from './scopes.ts';
import { toStandards } from './standards.ts';

export type DraftSources = LimitSources & {
  session: Pick<AdminSession, 'findEnvironments' | 'findAgents' | 'readAllocation'>;
};

export type Draft = { drafted: DraftedEnvironment[]; gaps: InventoryGaps };

/** As in a review: the service counts the calls of a whole tenant. */
const READS_AT_ONCE = 4;

/**
 * The environments that the register neither names nor has as undecided, in the order of a review. What cannot be read is
 * left out, and said in the notes of the entry. Rejects only where the signal says stop.
 */
export async function draftEnvironments(
  register: Register,
  sources: DraftSources,
  options: PatientReaderOptions,
): Promise<Draft> {
  const { session } = sources;
  const read = createPatientReader(options);
  const [environments, agents, readLimit] = await Promise.all([
    read(() => session.findEnvironments(), { isVital: true }),
    read(() => session.findAgents(), { isVital: true }),
    read(() => openLimits(sources), { isVital: true }),
  ]);
  const gaps = { environments: toGap(environments), agents: toGap(agents) };
  const undecided = new Set(register.undecided?.map((id) => toIdKey(id)));
  const scopes = listScopes({ environments, agents }, toStandards(register)).environments.filter(
    ({ id, standard }) => standard === undefined && !undecided.has(toIdKey(id)),
  );
  const drafted = await mapConcurrently(scopes, READS_AT_ONCE, async (scope) => {
    const allocation = await read(() => session.readAllocation(scope.id));
    return draft(scope, { allocation, ...(await draftAgents(scope, readLimit, read)) });
  });
  return { drafted, gaps };
}

type Drafted = {
  allocation: AllocationReading;
  agents: DraftedEnvironment['agents'];
  /** How many agents it has, and how many of them with a limit that cannot be written down, or not be read. */
  total: number;
  unwritable: number;
  unread: number;
};

function draft({ id, name, ownerId }: EnvironmentScope, found: Drafted): DraftedEnvironment {
  const { allocation, agents } = found;
  const credits = isUnreadable(allocation) ? undefined : toFoundAllocations(allocation);
  return {
    id,
    name: name === id ? undefined : name,
    owners: ownerId === undefined ? [] : [ownerId],
    allocations: credits?.stated,
    agents,
    notes: [
      describeAgents(found),
      ...(isUnreadable(allocation) ? [`Its credits are not known: ${explainReason(allocation.unreadable)}.`] : []),
      ...(credits?.isComplete === false ? ['Some of its credits or rules could not be told: state them.'] : []),
    ],
  };
}

function describeAgents({ agents, total, unwritable, unread }: Drafted): string {
  const parts = [
    `${formatCount(total, 'agent')}, ${agents.length} with a limit that is known`,
    ...(unwritable === 0 ? [] : [`${unwritable} with a limit that a register cannot state`]),
    ...(unread === 0 ? [] : [`${unread} with a limit that could not be read`]),
  ];
  return `${parts.join('; ')}.`;
}

async function draftAgents(
  scope: EnvironmentScope,
  readLimit: Awaited<ReturnType<typeof openLimits>> | Unreadable,
  read: PatientRead,
): Promise<Omit<Drafted, 'allocation'>> {
  const rows = scope.listAgents();
  const found: Omit<Drafted, 'allocation'> = { agents: [], total: rows.length, unwritable: 0, unread: 0 };
  const ids = new Set<string>();
  for (const row of rows) {
    const governed = toGovernedAgent(row);
    const reading =
      governed === undefined || isUnreadable(readLimit) ? 'not_read' : await read(() => readLimit(governed));
    if (reading === 'not_read' || isUnreadable(reading)) {
      found.unread += 1;
      continue;
    }
    const { agent, known } = reading;
    if (known.source === 'none' || known.source === 'unknown') continue;
    const limit = toApproved(known);
    if (limit === undefined) found.unwritable += 1;
    else if (!ids.has(toIdKey(agent.agentResourceId))) {
      // Two agents may share an id; a register names each once.
      ids.add(toIdKey(agent.agentResourceId));
      found.agents.push({ id: agent.agentResourceId, name: agent.displayName || undefined, limit });
    }
  }
  return found;
}

/** Undefined where the file could not state it. */
function toApproved({ limit: found }: Extract<KnownLimit, { limit: unknown }>): ApprovedLimit | undefined {
  const { limit, notify, notificationThreshold, stopWhenReached } = found;
  const isPercent = notificationThreshold >= 0 && notificationThreshold <= 100;
  const isAmount = limit >= 0 && limit <= MAX_AMOUNT;
  if (!isAmount || (notify && !isPercent)) return undefined;
  const alertAt = notify ? notificationThreshold : 'off';
  return { monthlyLimit: limit, alertAt, stopWhenReached: stopWhenReached ? 'on' : 'off' };
}

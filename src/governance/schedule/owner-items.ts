// What the owners of environments and agents are written to about: what is new that differs, and what they have used.
import type { SeenAgent } from '../plan/seen.ts';
import { type Policy, readEntry } from '../policy/policy.ts';
import type { AgentTarget, EnvironmentTarget } from '../policy/target.ts';
import type { Finding } from '../review/finding.ts';
import type { Reviewed } from '../review/run-review.ts';
import type { ConsumptionLevel } from './consumption-levels.ts';

/** `fallback`: of an agent's environment, for what its own owners cannot be written to about. */
export type OwnerItem = { owners: string[]; fallback: string[] } & (
  | { kind: 'finding'; finding: Exclude<Finding, { group: 'unknown' }> }
  | ({ kind: 'level' } & ConsumptionLevel)
);

type Owned = { target: EnvironmentTarget | AgentTarget; ownerId?: string | undefined };

/** `fresh`: none of a first review, because everybody would be written to before an admin has seen it. */
export function toOwnerItems(
  fresh: readonly Finding[],
  levels: readonly ConsumptionLevel[],
  { policy, seen }: Pick<Reviewed, 'policy' | 'seen'>,
  now: number,
): OwnerItem[] {
  const environments = new Map(seen.environments.map((one) => [one.environmentId.toLowerCase(), one]));
  const ownersOf = (owned: Owned) => listOwners(owned, policy, now);
  const ofEnvironment = (environmentId: string) =>
    ownersOf({ target: { environmentId }, ownerId: environments.get(environmentId.toLowerCase())?.ownerId });
  const findings = fresh.flatMap((finding): OwnerItem[] => {
    // What is unknown is for administrators to look into.
    if (finding.group === 'unknown' || finding.group === 'ending') return [];
    const agent = readAgent(finding);
    const { environmentId } = agent ?? readEnvironment(finding);
    if (agent === undefined) return [{ kind: 'finding', finding, owners: ofEnvironment(environmentId), fallback: [] }];
    const owners = ownersOf({ target: toTarget(agent), ownerId: agent.ownerId });
    return [{ kind: 'finding', finding, owners, fallback: ofEnvironment(environmentId) }];
  });
  const used = levels.map((level): OwnerItem => {
    const { currency: _, ...target } = level.target;
    return { kind: 'level', ...level, owners: ownersOf({ target, ownerId: level.ownerId }), fallback: [] };
  });
  return [...findings, ...used];
}

function readAgent(finding: Finding): SeenAgent | undefined {
  return 'item' in finding && finding.item.resource === 'threshold' ? finding.item.agent : undefined;
}

function readEnvironment(finding: Finding): { environmentId: string } {
  if ('item' in finding && finding.item.resource === 'credits') return finding.item;
  return finding.group === 'new' ? finding : { environmentId: '' };
}

function toTarget({ environmentId, agentId }: SeenAgent): AgentTarget {
  return { environmentId, agentId };
}

/** Those that the policy names, and the one in the inventory; each once. */
function listOwners({ target, ownerId }: Owned, policy: Policy, now: number): string[] {
  const named = readEntry(policy, 'owners', target, now)?.value ?? [];
  const all = ownerId === undefined ? named : [...named, ownerId];
  return [...new Map(all.map((owner) => [owner.toLowerCase(), owner])).values()];
}

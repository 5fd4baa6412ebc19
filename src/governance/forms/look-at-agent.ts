// What a form shows of an agent before anything is changed.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { SeenAgent } from '../inventory/seen-agent.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { SeenThreshold, Sent } from '../plan/seen.ts';
import { type Effective, type Policy, readClass, readLimit, readStandard, readStop } from '../policy/policy.ts';
import { isSameId, toTargetKey } from '../policy/target.ts';
import type { Limit, Standard } from '../policy/values.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';

export type AgentLook = {
  agent: SeenAgent;
  currency: string;
  /** A Slack user id, where known. */
  owner: string | undefined;
  shown: SeenThreshold;
  sent: Sent | undefined;
  /** What the policy says. `standard`: of the class; it says something about the default currency alone. */
  limit: Effective<Limit> | undefined;
  stop: Effective<boolean> | undefined;
  className: string | undefined;
  standard: Standard | undefined;
};

type Asked = { agent: SeenAgent; currency: string; caller: Caller; session: AdminSession; policy: Policy };

type LookServices = Pick<GovernanceServices, 'currency' | 'now' | 'owners' | 'readsLimits' | 'sent'>;

/** `withinMs`: a read of limits that takes longer shows nothing. Throws what ends all reading, and StoreUnavailableError. */
export async function lookAtAgent(
  { agent, currency, caller, session, policy }: Asked,
  withinMs: number,
  services: LookServices,
): Promise<AgentLook> {
  const { environmentId, agentId } = agent;
  const target = { environmentId, agentId, currency };
  const [seen, sent, owner] = await Promise.all([
    readSeen(session, { agents: [agent], currencies: [currency], withinMs }, services),
    services.sent.get(toTargetKey(target)),
    findOwner(agent, caller, services),
  ]);
  const now = services.now();
  const shown = seen.threshold(agent, currency);
  return { agent, currency, owner, shown, sent, ...readApproved(target, policy, { now, services }) };
}

function readApproved(
  target: { environmentId: string; agentId: string; currency: string },
  policy: Policy,
  { now, services }: { now: number; services: Pick<LookServices, 'currency'> },
): Pick<AgentLook, 'limit' | 'stop' | 'className' | 'standard'> {
  const { environmentId } = target;
  return {
    limit: readLimit(policy, target, { now, defaultCurrency: services.currency }),
    stop: readStop(policy, target, now),
    className: readClass(policy, environmentId, now),
    standard: isSameId(target.currency, services.currency) ? readStandard(policy, environmentId, now) : undefined,
  };
}

/** A Slack user id. The directory may be slow or down: then the id has to do. */
export async function findOwner(
  { ownerId }: { ownerId: string | undefined },
  caller: Caller,
  { owners }: Pick<GovernanceServices, 'owners'>,
): Promise<string | undefined> {
  return ownerId === undefined ? undefined : owners.findUser(caller, ownerId).catch(() => undefined);
}

/**
 * Whether somebody has to say if the agent is stopped: neither the service nor the policy nor what was last sent says it. In
 * another currency than the default one the policy does not say which threshold it is.
 */
export function asksForStop({ shown, stop, sent }: Pick<AgentLook, 'shown' | 'stop' | 'sent'>): boolean {
  const isStated = stop !== undefined && stop.level !== 'class';
  return typeof shown === 'string' && !isStated && sent === undefined;
}

/** What holds now, as far as anybody here knows. */
export function readKnownLimit({ shown, limit, sent }: Pick<AgentLook, 'shown' | 'limit' | 'sent'>): Limit | undefined {
  return typeof shown === 'string' ? (sent?.limit ?? limit?.value) : shown.limit;
}

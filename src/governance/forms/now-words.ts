// What forms show before a change: the values of the service, the class, the owner, and what the policy says and why.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Effective, type Policy, readClass, readLimit, readStandard, readStop } from '../../policy/policy.ts';
import { isSameId, toAgentTarget, toTargetKey } from '../../policy/target.ts';
import type { Limit, Standard } from '../../policy/values.ts';
import { formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { withinTime } from '../../time-limit.ts';
import type { SeenAgent } from '../inventory/inventory.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import { readSeen } from '../plan/read-seen.ts';
import { type SeenThreshold, type Sent, withStop } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { formatCredits } from '../shell/numbers.ts';

/** While a person waits at a window, what takes longer to read (ms) counts as unknown. */
export const SOON_MS = 2_000;

export type AgentLook = {
  agent: SeenAgent;
  currency: string;
  /** A Slack user id, if known. */
  owner: string | undefined;
  shown: SeenThreshold;
  sent: Sent | undefined;
  /** What the policy says. `standard`: of the class, for the default currency only. */
  limit: Effective<Limit> | undefined;
  stop: Effective<boolean> | undefined;
  className: string | undefined;
  standard: Standard | undefined;
};

type LookRequest = { agent: SeenAgent; currency: string; caller: Caller; session: AdminSession; policy: Policy };

/** `withinMs`: limits that take longer are `unreadable`. Throws if nothing more can be read, and StoreUnavailableError. */
export async function lookAtAgent(
  { agent, currency, caller, session, policy }: LookRequest,
  withinMs: number,
  services: GovernanceServices,
): Promise<AgentLook> {
  const target = { ...toAgentTarget(agent), currency };
  const currencies = isSameId(currency, services.currency) ? [currency] : [currency, services.currency];
  const [seen, sent, owner] = await Promise.all([
    readSeen(session, { agents: [agent], currencies, withinMs }, services),
    services.sent.get(toTargetKey(target)),
    findOwner(agent, caller, services),
  ]);
  const now = services.now();
  const shown = withStop(seen.threshold(agent, currency), seen.threshold(agent, services.currency));
  return { agent, currency, owner, shown, sent, ...readApproved(target, policy, { now, services }) };
}

function readApproved(
  target: { environmentId: string; agentId: string; currency: string },
  policy: Policy,
  { now, services }: { now: number; services: GovernanceServices },
): Pick<AgentLook, 'limit' | 'stop' | 'className' | 'standard'> {
  const { environmentId } = target;
  return {
    limit: readLimit(policy, target, { now, defaultCurrency: services.currency }),
    stop: readStop(policy, target, now),
    className: readClass(policy, environmentId, now),
    standard: isSameId(target.currency, services.currency) ? readStandard(policy, environmentId, now) : undefined,
  };
}

/** A Slack user id. Undefined if the directory does not know the owner, or is slow or down. */
export async function findOwner(
  { ownerId }: { ownerId: string | undefined },
  caller: Caller,
  { owners }: Pick<GovernanceServices, 'owners'>,
): Promise<string | undefined> {
  if (ownerId === undefined) return undefined;
  const finding = owners.findUser(caller, ownerId).catch(() => undefined);
  return withinTime(SOON_MS, finding, () => undefined);
}

/** Whether to ask if the agent is stopped: neither the service nor the policy nor what was last sent says it. */
export function asksForStop({ shown, stop, sent }: Pick<AgentLook, 'shown' | 'stop' | 'sent'>): boolean {
  const isStated = stop !== undefined && stop.level !== 'class';
  return typeof shown === 'string' && !isStated && sent === undefined;
}

/** The present limit, as far as this app knows it. */
export function readKnownLimit({ shown, limit, sent }: Pick<AgentLook, 'shown' | 'limit' | 'sent'>): Limit | undefined {
  return typeof shown === 'string' ? (sent?.limit ?? limit?.value) : shown.limit;
}

/** Leaves room for the rest of the line. */
const MAX_ID = 100;

export function describeOwner({ owner, ownerId }: { owner: string | undefined; ownerId: string | undefined }): string {
  if (owner !== undefined) return `owner <@${owner}>`;
  return ownerId === undefined ? 'no owner' : `owner ${toMrkdwnLine(ownerId, MAX_ID)}`;
}

/** The agent, and a line each for the service, the class and the policy. The default currency is not named. */
export function describeAgentNow(
  look: AgentLook,
  { timeZone, defaultCurrency }: { timeZone: string; defaultCurrency: string },
): string[] {
  const { agent, owner, currency } = look;
  const inCurrency = currency === defaultCurrency ? '' : ` (${toMrkdwnName(currency, 40)})`;
  return [
    `${describeAgent(agent)}${inCurrency} · ${describeOwner({ owner, ownerId: agent.ownerId })}`,
    `Now: ${describeShown(look, timeZone)}`,
    `Class: ${describeClass(look)}`,
    `Policy: ${describePolicy(look)}`,
  ];
}

function describeShown({ shown, sent }: Pick<AgentLook, 'shown' | 'sent'>, timeZone: string): string {
  if (typeof shown !== 'string') {
    const used = shown.used === undefined ? [] : [`used ${formatCredits(shown.used)} this month`];
    return [describeValue('limit', shown.limit), describeStopped(shown.stopped), ...used].join(' · ');
  }
  const why = shown === 'hidden' ? 'the service does not show it' : 'it could not be read';
  if (sent === undefined) return `unknown, ${why}`;
  const when = formatTime(sent.at, timeZone);
  return `${describeValue('limit', sent.limit)} · ${describeStopped(sent.stopped)}, as sent ${when}; ${why}`;
}

function describeStopped(isStopped: boolean): string {
  return isStopped ? '*stopped*' : 'runs';
}

function describeClass({ className, standard }: Pick<AgentLook, 'className' | 'standard'>): string {
  if (className === undefined) return 'none';
  const limit = standard?.limit === undefined ? '' : `, each agent: ${describeValue('limit', standard.limit)}`;
  return `${toMrkdwnName(className, 40)}${limit}`;
}

function describePolicy({ limit, stop, className }: Pick<AgentLook, 'limit' | 'stop' | 'className'>): string {
  const isByClass = stop?.level === 'class' && !stop.value;
  const stated = [
    ...(limit === undefined ? [] : [describeEffective('limit', limit, className)]),
    ...(stop === undefined || isByClass ? [] : [describeEffective('stop', stop, className)]),
  ];
  return stated.join('; ') || 'says nothing of it';
}

// What forms show before a change: the values of the service, the class, the owner, what the policy says and why, and the
// currencies to choose from.
import type { SectionBlock } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Effective, type Policy, readClass, readLimit, readStandard, readStop } from '../../policy/policy.ts';
import { isSameId, toAgentTarget, toTargetKey } from '../../policy/target.ts';
import type { Limit, Standard } from '../../policy/values.ts';
import {
  buildPlainText,
  buildSection,
  formatTime,
  toLine,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTION_VALUE_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { withinTime } from '../../time-limit.ts';
import type { SeenAgent } from '../inventory/inventory.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import { readSeen } from '../plan/read-seen.ts';
import { type SeenThreshold, type Sent, withStop } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { optional } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { formatCredits } from '../shell/numbers.ts';

/** While a person waits at a window, what takes longer to read (ms) counts as unknown. */
export const SOON_MS = 2_000;

/** `gap`: it takes too long or fails. Throws if nothing more can be read. */
export function soon<T>(reading: Promise<T>): Promise<T | 'gap'> {
  return withinTime(SOON_MS, optional(reading), () => 'gap');
}

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
  const { environmentId } = agent;
  const [now, isDefault] = [services.now(), isSameId(currency, services.currency)];
  return {
    ...{ agent, currency, owner, sent },
    shown: withStop(seen.threshold(agent, currency), seen.threshold(agent, services.currency)),
    limit: readLimit(policy, target, { now, defaultCurrency: services.currency }),
    stop: readStop(policy, target, now),
    className: readClass(policy, environmentId, now),
    standard: isDefault ? readStandard(policy, environmentId, now) : undefined,
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

/** `typed`: an amount that was given with the command. `sentence`: what is wrong with it. */
export function warnNotNumber(typed: string, example: string, sentence: number | string): SectionBlock {
  return buildSection(
    `:warning: “${toMrkdwnName(typed, 60)}” is not a number of credits, for example ${example}. ${sentence}`,
  );
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

/** Its value is the name of the currency. Empty if there is only one. */
export function buildCurrencyMenu(actionId: string, currencies: readonly string[], currency: string): SectionBlock[] {
  if (currencies.length < 2) return [];
  const options = currencies.map((name) => ({
    text: buildPlainText(toLine(name, MAX_OPTION_TEXT_LENGTH) || '–'),
    value: name,
  }));
  const initial = options[currencies.indexOf(currency)];
  const menu = { type: 'static_select' as const, action_id: actionId, options };
  return [{ ...buildSection('In the currency'), accessory: { ...menu, ...(initial && { initial_option: initial }) } }];
}

/** The default currency first, then the others by name. `chosen` is always among them. */
export function listCurrencies(names: readonly string[], chosen: string, defaultCurrency: string): string[] {
  const others = [chosen, ...names].filter(
    (name, index, all) =>
      !isSameId(name, defaultCurrency) &&
      name.length <= MAX_OPTION_VALUE_LENGTH &&
      all.findIndex((one) => isSameId(one, name)) === index,
  );
  return [defaultCurrency, ...others.slice(0, MAX_OPTIONS - 1).sort(compareNames)];
}

/** The same on every machine, whatever its locale. */
const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/**
 * The end of the block ids of a currency's fields. Slack keeps what was entered into a block with the same id, and a value
 * for one currency must not appear in the form of another.
 */
export function toSuffix(currency: string, defaultCurrency: string): string {
  return isSameId(currency, defaultCurrency) ? '' : `:${currency}`;
}

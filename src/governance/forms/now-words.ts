// What is there now, in the words of forms (mrkdwn): what the service shows, the class and what it says, the owner, and what
// the policy says and why.
import { formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { describeValue } from '../operations/operations.ts';
import type { Effective } from '../policy/policy.ts';
import type { SettingId, Values } from '../policy/values.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { AgentLook } from './look-at-agent.ts';

/** Leaves room for the rest. */
const MAX_REASON = 200;
const MAX_ID = 100;

export function describeOwner({ owner, ownerId }: { owner: string | undefined; ownerId: string | undefined }): string {
  if (owner !== undefined) return `owner <@${owner}>`;
  return ownerId === undefined ? 'no owner' : `owner ${toMrkdwnLine(ownerId, MAX_ID)}`;
}

/** The agent, and a line each for what the service shows, its class, and the policy. `defaultCurrency`: not named. */
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
    `Policy: ${describePolicy(look, timeZone)}`,
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

function describePolicy({ limit, stop }: Pick<AgentLook, 'limit' | 'stop'>, timeZone: string): string {
  const stated = [
    ...(limit === undefined ? [] : [describeEffective('limit', limit, timeZone)]),
    ...(stop === undefined || (stop.level === 'class' && !stop.value)
      ? []
      : [describeEffective('stop', stop, timeZone)]),
  ];
  return stated.join('; ') || 'says nothing of it';
}

/** *500 credits · notice at 80 % until 2026-12-31: “closing”, <@U1> on 4 Mar 2026, 14:05 CET* */
export function describeEffective<Setting extends SettingId>(
  setting: Setting,
  { value, level, why, until }: Effective<Values[Setting]>,
  timeZone: string,
): string {
  const what = toMrkdwnName(describeValue(setting, value), MAX_REASON);
  const ends = until === undefined ? '' : ` until ${until}`;
  const from = { class: ', by its class', environment: ', with its environment' }[level as string] ?? '';
  if (why === undefined) return `${what}${ends}${from}`;
  const by = /^[UW][A-Z0-9]+$/.test(why.by) ? `<@${why.by}>` : toMrkdwnLine(why.by, MAX_ID);
  return `${what}${ends}${from}: “${toMrkdwnName(why.reason, MAX_REASON)}”, ${by} on ${formatTime(why.at, timeZone)}`;
}

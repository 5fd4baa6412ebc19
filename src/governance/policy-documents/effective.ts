// What the policy says of one environment, agent or channel, setting by setting, and where each value comes from.

import { CHANNEL_DEFAULTS, CHANNEL_SETTINGS, readChannelSetting } from '../policy/channel-settings.ts';
import {
  type Effective,
  type Policy,
  readClass,
  readEntry,
  readLimit,
  readStandard,
  readStop,
} from '../policy/policy.ts';
import { listCreditCurrencies, listLimitCurrencies } from '../policy/policy-index.ts';
import { type AgentTarget, type ChannelTarget, isSameId, type Target } from '../policy/target.ts';
import { type Credits, RULE_TYPES, type SettingId } from '../policy/values.ts';

/** `from`: undefined where it is built in, or not governed if there is no `value` either. */
export type EffectiveRow = {
  setting: SettingId;
  currency?: string | undefined;
  value?: unknown;
  from?: Omit<Effective<unknown>, 'value'> | undefined;
};

export type EffectiveOptions = { now: number; defaultCurrency: string };

export function listEffective(policy: Policy, target: Target, options: EffectiveOptions): EffectiveRow[] {
  if ('channel' in target) return listOfChannel(policy, target, options);
  if ('agentId' in target) return listOfAgent(policy, target, options);
  return 'environmentId' in target ? listOfEnvironment(policy, target, options) : [];
}

function toRow(setting: SettingId, effective: Effective<unknown> | undefined, currency?: string): EffectiveRow {
  if (effective === undefined) return { setting, currency };
  const { value, ...from } = effective;
  return { setting, currency, value, from };
}

function listOfAgent(policy: Policy, target: AgentTarget, { now, defaultCurrency }: EffectiveOptions): EffectiveRow[] {
  const { environmentId, agentId } = target;
  const currencies = listLimitCurrencies(policy, target, defaultCurrency);
  const own = readEntry(policy, 'owners', { environmentId, agentId }, now);
  return [
    toRow('class', readEntry(policy, 'class', { environmentId }, now)),
    ...currencies.map((currency) =>
      toRow('limit', readLimit(policy, { environmentId, agentId, currency }, { now, defaultCurrency }), currency),
    ),
    toRow('stop', readStop(policy, target, now)),
    toRow('owners', own),
  ];
}

function listOfEnvironment(
  policy: Policy,
  { environmentId }: { environmentId: string },
  { now, defaultCurrency }: EffectiveOptions,
): EffectiveRow[] {
  const currencies = listCreditCurrencies(policy, environmentId, now);
  const credits = currencies.flatMap((currency) => listCredits(policy, { environmentId, currency }, now));
  const limit = readStandard(policy, environmentId, now)?.limit;
  return [
    toRow('class', readEntry(policy, 'class', { environmentId }, now)),
    ...(credits.length > 0 ? credits : [{ setting: 'credits' as const, currency: defaultCurrency }]),
    toRow('limit', limit && { value: limit, level: 'class' }, defaultCurrency),
    toRow('stop', readEntry(policy, 'stop', { environmentId }, now)),
    toRow('owners', readEntry(policy, 'owners', { environmentId }, now)),
  ];
}

/** Its own entry says some of it, and the class the rest. */
function listCredits(
  policy: Policy,
  { environmentId, currency }: { environmentId: string; currency: string },
  now: number,
): EffectiveRow[] {
  const own = readEntry(policy, 'credits', { environmentId, currency }, now);
  const standard = Object.entries(readStandard(policy, environmentId, now)?.credits ?? {});
  const ofClass = standard.find(([name]) => isSameId(name, currency))?.[1];
  const rest = ofClass && leaveOut(ofClass, own?.value);
  return [
    ...(own ? [toRow('credits', own, currency)] : []),
    ...(rest && !isEmpty(rest) ? [toRow('credits', { value: rest, level: 'class' }, currency)] : []),
  ];
}

/** What the class says, and the entry does not. */
function leaveOut({ allocated, rules }: Credits, own: Credits | undefined): Credits {
  const left = RULE_TYPES.filter((rule) => rules[rule] !== undefined && own?.rules[rule] === undefined);
  return {
    ...(allocated !== undefined && own?.allocated === undefined && { allocated }),
    rules: Object.fromEntries(left.map((rule) => [rule, rules[rule]])),
  };
}

function isEmpty({ allocated, rules }: Credits): boolean {
  return allocated === undefined && Object.keys(rules).length === 0;
}

function listOfChannel(policy: Policy, target: ChannelTarget, { now }: EffectiveOptions): EffectiveRow[] {
  return CHANNEL_SETTINGS.map((setting) => {
    const effective = readChannelSetting(policy, setting, target, now);
    return effective ? toRow(setting, effective) : { setting, value: CHANNEL_DEFAULTS[setting] };
  });
}

/** Of an agent, or of an environment: the name of the class. */
export function findClass(policy: Policy, target: Target, now: number): string | undefined {
  return 'environmentId' in target ? readClass(policy, target.environmentId, now) : undefined;
}

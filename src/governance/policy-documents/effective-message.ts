// `/assistant-admin policy effective …`: what the policy says of one agent, environment or channel, the level that each value
// comes from, and why.
import { CHANNEL_SETTINGS, type ChannelOptions, readChannelSetting, readPause } from '../../policy/channel-settings.ts';
import {
  type Effective,
  listCreditCurrencies,
  listLimitCurrencies,
  type Policy,
  readClass,
  readEntry,
  readLimit,
  readStandard,
  readStop,
} from '../../policy/policy.ts';
import { type AgentTarget, CHANNEL_ID, type EnvironmentTarget, isSameId, type Target } from '../../policy/target.ts';
import { type Credits, RULE_TYPES, type SettingId, type Values } from '../../policy/values.ts';
import {
  buildSection,
  type Content,
  fitBlocks,
  toContent,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { matchTargets } from '../inventory/inventory.ts';
import type { KnownRows } from '../inventory/known-inventory.ts';
import { type InventoryNames, toNames } from '../inventory/known-inventory.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { type NameTarget, readTargetNames } from '../run/item-words.ts';
import type { GovernanceServices } from '../services.ts';
import { type Asking, buildCommandButton } from '../shell/admin-shell.ts';
import { buildActions, buildLines } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { capitalize } from '../shell/typed-text.ts';

const NOTHING = 'Say for what: `policy effective #channel`, or the name of an agent or an environment.';

/** `typed`: a channel's id, or the name of an agent or environment, perhaps in part. */
export async function sayEffective(
  typed: string,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: GovernanceServices,
): Promise<void> {
  if (typed === '') return void (await say(buildAdminText(NOTHING)));
  const [{ policy }, name] = await Promise.all([services.policy.read(), readTargetNames(services)]);
  const known = await readKnown(services);
  const targets = findTargets(typed, known);
  const [target = toChannel(typed, caller)] = targets;
  if (target === undefined) return void (await say(buildAdminText(describeUnknown(typed, known))));
  await say(
    targets.length > 1
      ? buildWhich(typed, targets, { names: toNames(known), name })
      : buildEffective(policy, target, name, services),
  );
}

/** Only if nothing has that name: the name of an agent may look like the id of a channel, such as CRM. */
function toChannel(channel: string, { workspace }: Asking['caller']): Target | undefined {
  return CHANNEL_ID.test(channel) ? { workspace, channel } : undefined;
}

function describeUnknown(typed: string, { rows }: KnownRows): string {
  const hint = rows.length === 0 ? ' Nothing was listed yet: try `agents` first.' : '';
  return `No agent or environment fits “${toMrkdwnLine(typed, 100)}”.${hint}`;
}

/** More choices help nobody. */
const MAX_CHOICES = 5;

function buildWhich(
  typed: string,
  targets: readonly (AgentTarget | EnvironmentTarget)[],
  { names, name }: { names: InventoryNames; name: NameTarget },
): Content {
  const shown = targets.slice(0, MAX_CHOICES);
  const text = `${targets.length} fit “${toMrkdwnLine(typed, 100)}”. Which one do you mean?`;
  const buttons = shown.map((target, nth) => {
    const isAgent = 'agentId' in target;
    const words = `${isAgent ? `${target.agentId} ` : ''}env:${target.environmentId}`;
    const { environmentId } = target;
    const label = (isAgent ? names.agent(environmentId, target.agentId) : names.environment(environmentId)) ?? words;
    return buildCommandButton(label.slice(0, 60).toWellFormed(), `policy effective ${words}`, nth);
  });
  const lines = shown.map((target) => `• ${name(target)}`);
  return toContent(fitBlocks([buildSection([text, ...lines].join('\n')), ...buildActions(buttons)]));
}

export function buildEffective(
  policy: Policy,
  target: Target,
  name: NameTarget,
  { now, currency: defaultCurrency, configuredSettings: configured }: EffectiveServices,
): Content {
  const at = now();
  const className = 'environmentId' in target ? readClass(policy, target.environmentId, at) : undefined;
  const rows = listEffective(policy, target, { now: at, defaultCurrency, configured });
  const lines = rows.map((row) => describeRow(row, { className, defaultCurrency }));
  const title = `${name(target)} · policy ${policy.revision}`;
  return toContent(fitBlocks([buildSection(title), ...buildLines(lines)]));
}

type EffectiveServices = Pick<GovernanceServices, 'now' | 'currency' | 'configuredSettings'>;

/** `effective`: undefined if it is not governed. */
type Row = {
  setting: SettingId;
  currency?: string;
  effective: Effective<unknown> | undefined;
};

type At = ChannelOptions & { defaultCurrency: string };

function listEffective(policy: Policy, target: Target, at: At): Row[] {
  const { now } = at;
  if ('className' in target) return [];
  if ('channel' in target) {
    const rules = CHANNEL_SETTINGS.map((setting) => ({
      ...{ setting, effective: readChannelSetting(policy, setting, target, at) },
    }));
    return [...rules, { setting: 'pause', effective: readPause(policy, target, now) }];
  }
  const ofClass = readEntry(policy, 'class', { environmentId: target.environmentId }, now);
  const isAgent = 'agentId' in target;
  const stop = isAgent ? readStop(policy, target, now) : readEntry(policy, 'stop', target, now);
  return [
    { setting: 'class', effective: ofClass },
    ...(isAgent ? listLimits(policy, target, at) : listOfEnvironment(policy, target, at)),
    { setting: 'stop', effective: stop },
    { setting: 'owners', effective: readEntry(policy, 'owners', target, now) },
  ];
}

function listLimits(policy: Policy, target: AgentTarget, at: At): Row[] {
  return listLimitCurrencies([policy], target, at.defaultCurrency).map((currency) => ({
    ...{ setting: 'limit', currency, effective: readLimit(policy, { ...target, currency }, at) },
  }));
}

function listOfEnvironment(policy: Policy, { environmentId }: EnvironmentTarget, { now, defaultCurrency }: At): Row[] {
  const standard = readStandard(policy, environmentId, now);
  const credits = listCreditCurrencies(policy, environmentId, now).flatMap((currency): Row[] => {
    const own = readEntry(policy, 'credits', { environmentId, currency }, now);
    const above = Object.entries(standard?.credits ?? {}).find(([name]) => isSameId(name, currency))?.[1];
    const value = above && withoutOwn(above, own?.value);
    return [
      ...(own ? [{ setting: 'credits' as const, currency, effective: own }] : []),
      ...(value ? [{ setting: 'credits' as const, currency, effective: { value, level: 'class' as const } }] : []),
    ];
  });
  const none: Row = { setting: 'credits', currency: defaultCurrency, effective: undefined };
  const limit = standard?.limit && { value: standard.limit, level: 'class' as const };
  return [
    ...(credits.length > 0 ? credits : [none]),
    { setting: 'limit', currency: defaultCurrency, effective: limit },
  ];
}

/** What the class sets and the entry does not. Undefined: nothing. */
function withoutOwn({ allocated, rules }: Credits, own: Credits | undefined): Credits | undefined {
  const left = RULE_TYPES.filter((rule) => rules[rule] !== undefined && own?.rules[rule] === undefined);
  const isLeft = allocated !== undefined && own?.allocated === undefined;
  if (left.length === 0 && !isLeft) return undefined;
  return { ...(isLeft && { allocated }), rules: Object.fromEntries(left.map((rule) => [rule, rules[rule]])) };
}

function describeRow(
  { setting, currency, effective }: Row,
  { className, defaultCurrency }: { className: string | undefined; defaultCurrency: string },
): string {
  const { noun } = OPERATIONS[setting];
  const of = currency === undefined || currency === defaultCurrency ? '' : ` (${toMrkdwnName(currency, 40)})`;
  const label = `${capitalize(noun)}${of}`;
  if (effective === undefined) return `${label}: ${setting === 'pause' ? '*none* _(built in)_' : '_not governed_'}`;
  return `${label}: ${describeEffective(setting, effective as Effective<Values[typeof setting]>, className)}`;
}

/** The inventory as it was last read completely. Never rejects, because the policy is useful without names. */
export async function readKnown({ known, log }: Pick<GovernanceServices, 'known' | 'log'>): Promise<KnownRows> {
  const read = await known.read().catch((error: unknown) => {
    log.warn({ err: error }, 'inventory not known');
    return undefined;
  });
  return read ?? { rows: [], environments: [] };
}

/** See matchTargets. With `env:` behind its id, one agent: another environment may have an agent of the same id. */
function findTargets(typed: string, { rows, environments: all }: KnownRows): (AgentTarget | EnvironmentTarget)[] {
  const [, id = '', ofEnvironment = ''] = /^(\S.*) env:(\S+)$/i.exec(typed) ?? [];
  const own = rows.find(({ name, environmentId = '' }) => isSameId(name, id) && isSameId(environmentId, ofEnvironment));
  if (own) return [{ environmentId: own.environmentId ?? '', agentId: own.name }];
  const { environments, agents } = matchTargets(typed, { agents: rows, environments: all });
  return [
    ...environments.map(({ environmentId }) => ({ environmentId })),
    ...agents.map(({ environmentId = '', name: agentId }) => ({ environmentId, agentId })),
  ];
}

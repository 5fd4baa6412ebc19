// Converts the register of an earlier release, a file, into entries of a policy. What the register leaves out is not
// governed.
import { z } from 'zod';
import { isOver } from '../../policy/policy.ts';
import { isSameId, type Target, toEntryKey, toTargetKey } from '../../policy/target.ts';
import {
  type Credits,
  type Limit,
  limitSchema,
  RULE_TYPES,
  type SettingId,
  type Standard,
  type Values,
} from '../../policy/values.ts';
import { MAX_OWNERS } from '../operations/operations.ts';
import { type DocumentEntry, day, describeOver, line } from './document-schema.ts';

const limit = {
  monthlyLimit: z.union([z.number().nonnegative(), z.literal('none')]),
  alertAt: z.union([z.number().min(0).max(100), z.literal('off')]).default('off'),
  stopWhenReached: z.boolean().default(false),
};

const toLimit = ({ monthlyLimit, alertAt, stopWhenReached }: z.infer<z.ZodObject<typeof limit>>): Limit =>
  monthlyLimit === 'none'
    ? 'none'
    : limitSchema.parse({ credits: monthlyLimit, noticeAt: alertAt, stopAtLimit: stopWhenReached });

/** `platform-default`: not governed, whatever the defaults say. */
const rules = z.partialRecord(z.enum(RULE_TYPES), z.union([z.boolean(), z.literal('platform-default')])).default({});

const allocations = z
  .union([
    z.literal('none'),
    z.record(z.string(), z.strictObject({ allocated: z.int().nonnegative().optional(), rules })),
  ])
  .optional();

const approved = { allocations, unnamedAgents: z.strictObject(limit).optional() };

const named = { name: line.optional(), owners: z.array(line).max(MAX_OWNERS).default([]) };

const exception = z.strictObject({
  setting: z.enum(['allocated', ...RULE_TYPES, 'monthlyLimit', 'alertAt', 'stopWhenReached']),
  currency: line.optional(),
  agent: line.optional(),
  value: z.union([z.number(), z.boolean(), z.enum(['on', 'off', 'none', 'platform-default'])]),
  reason: line,
  approver: line,
  expires: day,
});

const environment = z.strictObject({
  ...{ id: line, ...named, ...approved },
  classification: z.enum(['maker-development', 'funded-production', 'undecided']),
  agents: z.array(z.strictObject({ id: line, ...named, ...limit })).default([]),
  exceptions: z.array(exception).default([]),
});

export const registerSchema = z.strictObject({
  schema: z.unknown().optional(),
  reviewedAgents: z.unknown().optional(),
  otherCurrencies: z.unknown().optional(),
  defaults: z
    .strictObject({
      'maker-development': z.strictObject(approved).prefault({}),
      'funded-production': z.strictObject(approved).prefault({}),
    })
    .prefault({}),
  environments: z.array(environment),
});

export type Register = z.infer<typeof registerSchema>;
type Environment = Register['environments'][number];
type Exception = Environment['exceptions'][number];
type Classification = keyof Register['defaults'];
type Allocations = Record<string, Exclude<Environment['allocations'], 'none' | undefined>[string]>;

export type ConvertOptions = {
  /** The currency that limits were in. */
  currency: string;
  /** Finds an agent's id in the inventory; a register may name it by either of its ids. Undefined: it is not known. */
  findAgent(environmentId: string, id: string): string | undefined;
  /** Epoch ms. */
  now: number;
};

const CLASS_NAMES: Record<Classification, string> = { 'maker-development': 'maker', 'funded-production': 'production' };

/** `notes`: sentences about what could not be converted exactly, with names from the file: untrusted. */
export function convertRegister(
  { defaults, environments }: Register,
  { currency, findAgent, now }: ConvertOptions,
): { entries: DocumentEntry[]; notes: string[] } {
  const entries = new Map<string, DocumentEntry>();
  const notes: string[] = [];
  const standards: { className: string; standard: Standard; classification: Classification }[] = [];

  function put<Setting extends SettingId>(setting: Setting, target: Target, value: Values[Setting]): void {
    entries.set(toEntryKey(setting, target), { setting, target, standing: { value, why: undefined } });
  }

  /** Each different standard becomes a class of its own: maker, maker-2, … */
  function chooseClass(classification: Classification, standard: Standard): string {
    const ofKind = standards.filter((one) => one.classification === classification);
    const known = ofKind.find((one) => JSON.stringify(one.standard) === JSON.stringify(standard));
    if (known) return known.className;
    const className = `${CLASS_NAMES[classification]}${ofKind.length === 0 ? '' : `-${ofKind.length + 1}`}`;
    standards.push({ className, standard, classification });
    put('standard', { className }, standard);
    return className;
  }

  function convert({ id: environmentId, classification, ...environment }: Environment): void {
    if (classification === 'undecided') {
      return void notes.push(`Environment ${environmentId} is undecided in the file: the next review shows it as new.`);
    }
    const above = defaults[classification];
    const whole = mergeAllocations(environment.allocations, above.allocations);
    const standard = toStandard(whole, environment.unnamedAgents ?? above.unnamedAgents, above.allocations);
    put('class', { environmentId }, chooseClass(classification, standard));
    putOwners({ environmentId }, environment.owners);
    for (const [name, allocation] of Object.entries(whole)) {
      const credits = toCredits(allocation);
      const isOfClass = JSON.stringify(find(standard.credits, name)) === JSON.stringify(credits);
      if (!isOfClass) put('credits', { environmentId, currency: name }, credits);
    }
    for (const agent of environment.agents) putAgent(environmentId, agent);
    putExceptions(environmentId, environment.exceptions, standard);
  }

  function putExceptions(environmentId: string, exceptions: readonly Exception[], standard: Standard): void {
    for (const { setting, agent, currency: name = currency, expires } of exceptions) {
      const what = `${setting} of ${agent ?? name} in ${environmentId}`;
      if (isOver(expires, now)) notes.push(describeOver(what, expires));
    }
    const open = exceptions.filter(({ expires }) => !isOver(expires, now));
    if (open.length > 0) notes.push(describeExceptions(environmentId, open.length));
    // A file may name one target in two ways.
    const groups = Map.groupBy(open, (one) => toTargetKey(targetOf(environmentId, one)));
    for (const group of groups.values()) convertExceptions(environmentId, group, standard);
  }

  function putAgent(environmentId: string, agent: Environment['agents'][number]): void {
    if (findAgent(environmentId, agent.id) === undefined) {
      notes.push(`Agent ${agent.id} of environment ${environmentId} is not known: its id is taken as it is.`);
    }
    const target = toAgent(environmentId, agent.id);
    put('limit', { ...target, currency }, toLimit(agent));
    putOwners(target, agent.owners);
  }

  const toAgent = (environmentId: string, id: string) => ({
    environmentId,
    agentId: findAgent(environmentId, id) ?? id,
  });

  function targetOf(environmentId: string, { agent, currency: name = currency }: Exception) {
    return agent === undefined ? { environmentId, currency: name } : { ...toAgent(environmentId, agent), currency };
  }

  function putOwners(target: Target, owners: string[]): void {
    if (owners.length > 0) put('owners', target, owners);
  }

  /** Joins the exceptions of one target into one, which ends on the first of their last days. */
  function convertExceptions(environmentId: string, group: readonly Exception[], standard: Standard): void {
    const [first] = group;
    if (first === undefined) return;
    const { agent, currency: name = currency } = first;
    const what = agent === undefined ? `${name} of environment ${environmentId}` : `agent ${agent}`;
    const setting = agent === undefined ? 'credits' : 'limit';
    const target = targetOf(environmentId, first);
    const key = toEntryKey(setting, target);
    const standing = entries.get(key)?.standing;
    const value =
      agent === undefined
        ? acceptCredits((standing?.value as Credits | undefined) ?? find(standard.credits, name), group)
        : acceptLimit((standing?.value as Limit | undefined) ?? standard.limit, group);
    if (value === undefined) {
      return void notes.push(`The exception for ${what} cannot be kept: nothing else is approved of it.`);
    }
    const [until = ''] = group.map(({ expires }) => expires).toSorted();
    const reasons = new Set(group.map(({ reason, approver }) => `${reason} (approved by ${approver})`));
    const reason = [...reasons].join('; ').slice(0, MAX_REASON).toWellFormed();
    entries.set(key, { setting, target, standing, exception: { value, until, why: { reason } } });
    if (group.length > 1) {
      notes.push(`The ${group.length} exceptions for ${what} are one now, with the first of their last days.`);
    }
  }

  for (const [classification, { allocations, unnamedAgents }] of Object.entries(defaults)) {
    if (!allocations && !unnamedAgents) continue;
    const standard = toStandard(mergeAllocations(allocations), unnamedAgents, allocations);
    chooseClass(classification as Classification, standard);
  }
  for (const environment of environments) convert(environment);
  return { entries: [...entries.values()], notes };
}

const MAX_REASON = 500;

function describeExceptions(environmentId: string, count: number): string {
  const some = count === 1 ? '1 exception' : `${count} exceptions`;
  return `${some} in environment ${environmentId}: accepted before, and set from now on until the last day.`;
}

/** Each rule and amount of the environment replaces that of the defaults. */
function mergeAllocations(own: Environment['allocations'] = {}, above: Environment['allocations'] = {}): Allocations {
  if (own === 'none') return {};
  const merged: Allocations = above === 'none' ? {} : { ...above };
  for (const [name, { allocated, rules }] of Object.entries(own)) {
    const key = Object.keys(merged).find((one) => isSameId(one, name)) ?? name;
    const before = merged[key];
    merged[key] = { allocated: allocated ?? before?.allocated, rules: { ...before?.rules, ...rules } };
  }
  return merged;
}

/** The defaults, without the currencies in which they govern more than the environment does. */
function toStandard(
  whole: Allocations,
  unnamed: Environment['unnamedAgents'],
  defaults: Environment['allocations'] = 'none',
): Standard {
  const general =
    defaults === 'none' ? [] : Object.entries(defaults).map(([name, one]) => [name, toCredits(one)] as const);
  const fitting = general.filter(([name, { allocated, rules }]) => {
    const own = find(whole, name);
    const credits = own && toCredits(own);
    const isAllocated = allocated === undefined || credits?.allocated !== undefined;
    return isAllocated && RULE_TYPES.every((rule) => rules[rule] === undefined || credits?.rules[rule] !== undefined);
  });
  return { ...(unnamed && { limit: toLimit(unnamed) }), credits: Object.fromEntries(fitting) };
}

function toCredits({ allocated, rules }: Allocations[string]): Credits {
  const set = RULE_TYPES.filter((rule) => typeof rules[rule] === 'boolean').map((rule) => [rule, rules[rule]]);
  return { ...(allocated !== undefined && { allocated }), rules: Object.fromEntries(set) };
}

function acceptCredits(before: Credits | undefined, group: readonly Exception[]): Credits {
  const value: Credits = { ...before, rules: { ...before?.rules } };
  for (const { setting, value: accepted } of group) {
    if (setting === 'allocated' && typeof accepted === 'number') value.allocated = Math.round(accepted);
    const rule = RULE_TYPES.find((one) => one === setting);
    if (rule && accepted !== 'platform-default') value.rules[rule] = isOn(accepted);
  }
  return value;
}

/** Undefined: an exception is about a part of a limit, and there is no limit. */
function acceptLimit(before: Limit | undefined, group: readonly Exception[]): Limit | undefined {
  // The limit comes first: the others are parts of it.
  const ordered = group.toSorted((one, other) => Number(isPart(one)) - Number(isPart(other)));
  return ordered.reduce<Limit | undefined>(acceptPart, before);
}

function isPart({ setting }: Exception): boolean {
  return setting !== 'monthlyLimit';
}

function acceptPart(limit: Limit | undefined, { setting, value }: Exception): Limit | undefined {
  const parts = typeof limit === 'object' ? limit : undefined;
  if (setting === 'monthlyLimit') {
    return typeof value === 'number' ? { noticeAt: 'off', stopAtLimit: false, ...parts, credits: value } : 'none';
  }
  if (parts === undefined) return undefined;
  if (setting === 'alertAt') return { ...parts, noticeAt: typeof value === 'number' ? value : 'off' };
  return { ...parts, stopAtLimit: isOn(value) };
}

function isOn(value: Exception['value']): boolean {
  return value === true || value === 'on';
}

/** Currencies are compared without regard to case. */
function find<Value>(byName: Record<string, Value>, name: string): Value | undefined {
  const key = Object.keys(byName).find((one) => isSameId(one, name));
  return key === undefined ? undefined : byName[key];
}

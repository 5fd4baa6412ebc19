// A register of an earlier release as entries of a policy. What it does not say is not governed.
import { type Credits, type Limit, RULE_TYPES, type Standard } from '../policy/values.ts';
import type { DocumentEntry } from './entry-schema.ts';
import { type Converted, type ConvertOptions, convertExceptions, find } from './register-exceptions.ts';
import type { RegisterAllocation, RegisterEnvironment, RegisterForm, RegisterLimit } from './register-schema.ts';

type Classification = 'maker-development' | 'funded-production';

const CLASS_NAMES: Record<Classification, string> = { 'maker-development': 'maker', 'funded-production': 'production' };

type Allocations = RegisterEnvironment['allocations'];

/** All that is approved of an environment by its entry and the defaults together. */
type Whole = { credits: Record<string, RegisterAllocation>; limit: RegisterLimit | undefined };

export function convertRegister(register: RegisterForm, options: ConvertOptions): Converted {
  const converted: Converted = { entries: [], notes: [] };
  const classes = createClasses(register, converted.entries);
  for (const environment of register.environments) {
    const { id: environmentId, classification } = environment;
    if (classification === 'undecided') {
      converted.notes.push(`Environment ${environmentId} is undecided in the file: the next review shows it as new.`);
      continue;
    }
    const whole = toWhole(environment, register.defaults[classification]);
    const { className, standard } = classes(classification, whole);
    add(converted, { setting: 'class', target: { environmentId } }, className);
    if (environment.owners.length > 0)
      add(converted, { setting: 'owners', target: { environmentId } }, environment.owners);
    const credits = addCredits(environmentId, whole, standard, converted);
    const limits = addAgents(environment, converted, options);
    convertExceptions(environment, { credits, limits, standard }, converted, options);
  }
  return converted;
}

function add(
  { entries }: Converted,
  { setting, target }: Pick<DocumentEntry, 'setting' | 'target'>,
  value: NonNullable<DocumentEntry['standing']>['value'],
): void {
  entries.push({ setting, target, standing: { value, why: undefined } });
}

/** An environment's rules and amounts come before those of the defaults, each by itself. */
function toWhole(
  { allocations, unnamedAgents }: Pick<RegisterEnvironment, 'allocations' | 'unnamedAgents'>,
  defaults: { allocations?: Allocations; unnamedAgents?: RegisterLimit | undefined } = {},
): Whole {
  const inherited = toCurrencies(defaults.allocations);
  const own = toCurrencies(allocations);
  const names = [...Object.keys(inherited), ...Object.keys(own).filter((name) => find(inherited, name) === undefined)];
  const merged = names.map((name) => {
    const [mine, above] = [find(own, name), find(inherited, name)];
    const rules = { ...above?.rules, ...mine?.rules };
    return [name, { allocated: mine?.allocated ?? above?.allocated, rules }] as const;
  });
  const credits = allocations === 'none' ? {} : Object.fromEntries(merged);
  return { credits, limit: unnamedAgents ?? defaults.unnamedAgents };
}

function toCurrencies(allocations: Allocations): Record<string, RegisterAllocation> {
  return allocations === undefined || allocations === 'none' ? {} : allocations;
}

type Class = { className: string; standard: Standard };

/**
 * Of environments that differ in what a class alone can say (the limit of agents without one of their own, and what is not
 * governed) each kind gets a class of its own: maker, maker-2, …
 */
function createClasses({ defaults }: RegisterForm, entries: DocumentEntry[]) {
  const known = new Map<string, Class>();
  const counts = new Map<Classification, number>();
  const create = (classification: Classification, standard: Standard): Class => {
    const key = JSON.stringify([classification, standard]);
    const before = known.get(key);
    if (before) return before;
    const count = (counts.get(classification) ?? 0) + 1;
    counts.set(classification, count);
    const className = `${CLASS_NAMES[classification]}${count === 1 ? '' : `-${count}`}`;
    entries.push({ setting: 'standard', target: { className }, standing: { value: standard, why: undefined } });
    known.set(key, { className, standard });
    return { className, standard };
  };
  const general = (classification: Classification) => toWhole({ allocations: undefined }, defaults[classification]);
  for (const classification of ['maker-development', 'funded-production'] as const) {
    const whole = general(classification);
    if (defaults[classification]) create(classification, toStandard(whole, whole));
  }
  return (classification: Classification, whole: Whole) =>
    create(classification, toStandard(general(classification), whole));
}

/** Of what is general, that which does not govern more than what is approved of the environment. */
function toStandard(general: Whole, whole: Whole): Standard {
  const fitting = Object.entries(general.credits).filter(([name, allocation]) => {
    const [above, own] = [toCredits(allocation), toCredits(find(whole.credits, name) ?? { rules: {} })];
    const isOpen = above.allocated !== undefined && own.allocated === undefined;
    return !isOpen && RULE_TYPES.every((rule) => above.rules[rule] === undefined || own.rules[rule] !== undefined);
  });
  const limit = whole.limit && toLimit(whole.limit);
  const credits = Object.fromEntries(fitting.map(([name, allocation]) => [name, toCredits(allocation)]));
  return { ...(limit !== undefined && { limit }), credits };
}

function toCredits({ allocated, rules }: RegisterAllocation): Credits {
  const set = Object.entries(rules).filter(([, state]) => typeof state === 'boolean');
  return { ...(allocated !== undefined && { allocated }), rules: Object.fromEntries(set) };
}

function toLimit({ monthlyLimit, alertAt, stopWhenReached }: RegisterLimit): Limit {
  return monthlyLimit === 'none' ? 'none' : { credits: monthlyLimit, noticeAt: alertAt, stopAtLimit: stopWhenReached };
}

/** Returns what counts for each currency. Only what differs from the class becomes an entry. */
function addCredits(
  environmentId: string,
  whole: Whole,
  standard: Standard,
  converted: Converted,
): Record<string, Credits> {
  const all: Record<string, Credits> = {};
  for (const [currency, allocation] of Object.entries(whole.credits)) {
    const credits = toCredits(allocation);
    all[currency] = credits;
    const above = find(standard.credits, currency);
    const rules = RULE_TYPES.filter((rule) => credits.rules[rule] !== above?.rules[rule]);
    const isAllocated = credits.allocated !== above?.allocated;
    if (!isAllocated && rules.length === 0) continue;
    const own: Credits = {
      ...(isAllocated && { allocated: credits.allocated }),
      rules: Object.fromEntries(rules.map((rule) => [rule, credits.rules[rule]])),
    };
    add(converted, { setting: 'credits', target: { environmentId, currency } }, own);
  }
  return all;
}

/** Returns the limit of each agent that is named, by its id in the inventory. */
function addAgents(
  { id: environmentId, agents }: RegisterEnvironment,
  converted: Converted,
  { currency, findAgent }: ConvertOptions,
): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const agent of agents) {
    const agentId = findAgent(environmentId, agent.id);
    if (agentId === undefined)
      converted.notes.push(`Agent ${agent.id} of environment ${environmentId} is not known: its id is taken as it is.`);
    const target = { environmentId, agentId: agentId ?? agent.id };
    limits.set(target.agentId.toLowerCase(), toLimit(agent));
    add(converted, { setting: 'limit', target: { ...target, currency } }, toLimit(agent));
    if (agent.owners.length > 0) add(converted, { setting: 'owners', target }, agent.owners);
  }
  return limits;
}

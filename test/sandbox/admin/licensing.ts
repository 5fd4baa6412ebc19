// Allocations, entitlements and thresholds: what each operation does to the state, and what it answers.
import { z } from 'zod';
import { check, Refused, type Reply } from '../loopback/reply.ts';
import { buildError } from './faults.ts';
import {
  type AdminState,
  type Allocation,
  CURRENCY,
  type CurrencyAllocation,
  findAgent,
  findEnvironment,
  type Threshold,
  toThresholdKey,
} from './model.ts';

/** The rules of the contract; an update sets all four of them. */
const RULE_TYPES: readonly string[] = ['Alert', 'TenantPool', 'PayGo', 'Deny'];

// The contract names no bounds.
const credits = z.int().min(0);
const amount = z.number().min(0);
// Fields beyond the contract's are looked at where it is known which of them there are.
const ALLOCATION_BODY = z.looseObject({
  environmentId: z.string().min(1),
  currencyAllocations: z
    .array(
      z.looseObject({
        currencyType: z.string().min(1),
        allocated: credits,
        autoAllocated: z.never({ error: 'is read only' }).optional(),
        enforcementRules: z
          .array(z.looseObject({ ruleType: z.string().min(1), enabled: z.boolean() }))
          .refine((rules) => hasNoTwins(rules.map(({ ruleType }) => ruleType)), 'a rule is there twice'),
      }),
    )
    .min(1)
    .refine((all) => hasNoTwins(all.map(({ currencyType }) => currencyType)), 'a currency is there twice'),
});
// Every field may be left out, and is cleared then: the threshold is replaced as a whole.
const THRESHOLD_BODY = z.strictObject({
  stopResource: z.boolean().default(false),
  limit: amount.default(0),
  stopIfOverCapacity: z.boolean().default(false),
  notifyIfOverCapacity: z.boolean().default(false),
  notificationThreshold: amount.default(0),
});

type AllocationBody = z.infer<typeof ALLOCATION_BODY>;
function hasNoTwins(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

const badRequest = (message: string, code = 'BadRequest') => new Refused(buildError(400, code, message));
const notThere = () => new Refused(buildError(404, 'NotFound', 'The environment has no allocation.'));

export function readAllocation(state: AdminState, environmentId: string): Reply {
  const allocation = state.allocations.get(environmentId.toLowerCase());
  if (!allocation) throw notThere();
  return { status: 200, body: allocation };
}

/** Replaces all of it: a currency, a rule or a field that the body leaves out is gone. */
export function writeAllocation(state: AdminState, body: unknown): Reply {
  const wanted = check(ALLOCATION_BODY, body, buildError);
  const { environmentId } = wanted;
  const current = state.allocations.get(environmentId.toLowerCase()) ?? findNew(state, environmentId);
  if (!current) throw notThere();
  refuseChange(state, current, wanted);
  const next = merge(current, wanted);
  state.allocations.set(environmentId.toLowerCase(), next);
  return { status: 200, body: next };
}

function findNew(state: AdminState, environmentId: string): Allocation | undefined {
  const isMade = state.makesAllocations && findEnvironment(state, environmentId) !== undefined;
  return isMade ? { environmentId, currencyAllocations: [] } : undefined;
}

export function readEntitlements(state: AdminState, environmentId: string): Reply {
  const entitlements = state.entitlements.get(environmentId.toLowerCase()) ?? [];
  if (entitlements.length > 0) return { status: 200, body: [...entitlements] };
  if (!findEnvironment(state, environmentId)) throw badRequest('The environment does not exist.');
  return { status: 204 };
}

/** Replaces the whole threshold. Live services list no 404 here: what is unknown is a bad request. */
export function writeThreshold(state: AdminState, parts: readonly string[], body: unknown): Reply {
  const [environmentId = '', currency = '', resourceId = ''] = parts;
  const wanted = check(THRESHOLD_BODY, body, buildError);
  const allocation = state.allocations.get(environmentId.toLowerCase());
  const isKnown = allocation?.currencyAllocations.some(({ currencyType }) => currencyType === currency);
  if (currency !== CURRENCY && !isKnown) throw badRequest(`The currency ${currency} has no thresholds.`);
  const agent = findAgent(state, environmentId, resourceId);
  if (!agent) throw badRequest('The environment has no such resource.');
  const key = toThresholdKey(environmentId, agent.botId ?? agent.name, currency);
  const previous = state.thresholds.get(key);
  const threshold: Threshold = {
    entitlementId: currency,
    environmentId,
    resourceId: agent.botId ?? agent.name,
    ...wanted,
    resourceConsumption: previous?.resourceConsumption ?? 0,
    createdOn: previous?.createdOn ?? new Date().toISOString(),
  };
  state.thresholds.set(key, threshold);
  return { status: 200, body: threshold };
}

export function listThresholds(state: AdminState, currency: string): Reply {
  return {
    status: 200,
    body: [...state.thresholds.values()].filter(({ entitlementId }) => entitlementId === currency),
  };
}

function refuseChange(state: AdminState, current: Allocation, body: AllocationBody): void {
  if (hasNewField(current, body)) throw badRequest('A field is not known.');
  for (const wanted of body.currencyAllocations) {
    const known = current.currencyAllocations.find(({ currencyType }) => currencyType === wanted.currencyType);
    if (!known && wanted.currencyType !== CURRENCY) throw badRequest(`There is no currency ${wanted.currencyType}.`);
    const problem = findRuleProblem(known, wanted);
    if (problem) throw badRequest(problem);
    const isLocked = findEnvironment(state, body.environmentId)?.isTenantPoolLocked === true;
    if (isLocked && isTenantPoolChanged(known, wanted)) {
      throw badRequest('A policy of the environment group governs this rule.', 'TenantPoolLockedByPolicy');
    }
    if (wanted.currencyType === CURRENCY && countAllocated(state, current) + wanted.allocated > state.prepaid) {
      throw badRequest('More credits than the tenant has left.', 'InsufficientCapacity');
    }
  }
}

type Wanted = AllocationBody['currencyAllocations'][number];

// An update of the message currency sets all four rules; rules and fields beyond the contract are taken where they exist.
function findRuleProblem(known: CurrencyAllocation | undefined, wanted: Wanted): string | undefined {
  const names = wanted.enforcementRules.map(({ ruleType }) => ruleType);
  const missing = wanted.currencyType === CURRENCY ? RULE_TYPES.find((rule) => !names.includes(rule)) : undefined;
  if (missing !== undefined) return `${wanted.currencyType}: the rule ${missing} is missing`;
  const existing = known?.enforcementRules ?? [];
  const isKnown = (name: string) => RULE_TYPES.includes(name) || existing.some(({ ruleType }) => ruleType === name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) return `${wanted.currencyType}: the rule ${unknown} is unknown`;
  const isOdd = wanted.enforcementRules.some((rule) =>
    hasNewField(existing.find(({ ruleType }) => ruleType === rule.ruleType) ?? NEW_RULE, rule),
  );
  return isOdd || hasNewField(known ?? NEW_CURRENCY, wanted)
    ? `${wanted.currencyType}: a field is not known`
    : undefined;
}

const NEW_RULE = { ruleType: '', enabled: false };
const NEW_CURRENCY = { currencyType: '', allocated: 0, enforcementRules: [] };

function hasNewField(known: object, wanted: object): boolean {
  return Object.keys(wanted).some((field) => !(field in known));
}

// An absent rule counts as enabled, the platform's default.
function isTenantPoolChanged(known: CurrencyAllocation | undefined, wanted: Wanted): boolean {
  const read = (rules: Wanted['enforcementRules'] | CurrencyAllocation['enforcementRules']) =>
    rules.find(({ ruleType }) => ruleType === 'TenantPool')?.enabled ?? true;
  return read(known?.enforcementRules ?? []) !== read(wanted.enforcementRules);
}

function countAllocated(state: AdminState, except: Allocation): number {
  let sum = 0;
  for (const allocation of state.allocations.values()) {
    if (allocation === except) continue;
    for (const one of allocation.currencyAllocations) if (one.currencyType === CURRENCY) sum += one.allocated;
  }
  return sum;
}

function merge(current: Allocation, body: AllocationBody): Allocation {
  const currencyAllocations = body.currencyAllocations.map((wanted) => {
    const known = current.currencyAllocations.find(({ currencyType }) => currencyType === wanted.currencyType);
    return { ...wanted, autoAllocated: known?.autoAllocated ?? 0 };
  });
  return { ...body, environmentId: current.environmentId, currencyAllocations };
}

// The exceptions of a register: all about one target become one, which holds through the first of their last days.
import { isOver } from '../policy/policy.ts';
import { type AgentTarget, type EnvironmentTarget, isSameId, toEntryKey } from '../policy/target.ts';
import { type Credits, type Limit, RULE_TYPES, type Standard } from '../policy/values.ts';
import type { DocumentEntry } from './entry-schema.ts';
import type { RegisterEnvironment, RegisterException } from './register-schema.ts';

export type ConvertOptions = {
  /** The currency that limits were in. */
  currency: string;
  /** The id of an agent in the inventory: a register may name it by either of its ids. Undefined: no such agent is known. */
  findAgent(environmentId: string, id: string): string | undefined;
  /** Epoch ms. */
  now: number;
};

/** `notes`: what could not be taken over as it was: sentences with names of the file, untrusted. */
export type Converted = { entries: DocumentEntry[]; notes: string[] };

/** What is approved in an environment: credits by currency, limits by the agents' ids in lower case. */
export type Approved = { credits: Record<string, Credits>; limits: ReadonlyMap<string, Limit>; standard: Standard };

/** Those that are over are left out. Adds what cannot be kept to the notes. */
export function convertExceptions(
  { id: environmentId, exceptions }: RegisterEnvironment,
  approved: Approved,
  converted: Converted,
  options: ConvertOptions,
): void {
  const open = exceptions.filter(({ expires }) => !isOver(expires, options.now));
  if (open.length > 0) {
    const some = open.length === 1 ? '1 exception' : `${open.length} exceptions`;
    converted.notes.push(
      `${some} in environment ${environmentId}: accepted before, and set from now on until the last day.`,
    );
  }
  const groups = Map.groupBy(open, ({ agent, currency = '' }) => (agent ?? currency).toLowerCase());
  for (const group of groups.values()) {
    const [{ agent, currency = options.currency } = {}] = group;
    const what = agent === undefined ? `${currency} of environment ${environmentId}` : `agent ${agent}`;
    const accepted =
      agent === undefined
        ? acceptCredits({ environmentId, currency }, group, approved)
        : acceptLimit(toAgent(environmentId, agent, options), group, approved);
    if (accepted === undefined) {
      converted.notes.push(`The exception for ${what} cannot be kept: nothing else is approved of it.`);
      continue;
    }
    setException(converted, accepted, group);
    if (group.length > 1) {
      converted.notes.push(
        `The ${group.length} exceptions for ${what} are one now, with the first of their last days.`,
      );
    }
  }
}

type Accepted =
  | { setting: 'credits'; target: EnvironmentTarget; value: Credits }
  | { setting: 'limit'; target: AgentTarget; value: Limit };

function toAgent(environmentId: string, agent: string, { currency, findAgent }: ConvertOptions): AgentTarget {
  return { environmentId, agentId: findAgent(environmentId, agent) ?? agent, currency };
}

type Group = readonly RegisterException[];

function acceptCredits(target: EnvironmentTarget, group: Group, { credits }: Approved): Accepted {
  const approved = find(credits, target.currency ?? '');
  const value: Credits = { ...approved, rules: { ...approved?.rules } };
  for (const { setting, value: accepted } of group) {
    if (setting === 'allocated' && typeof accepted === 'number') value.allocated = Math.round(accepted);
    const rule = RULE_TYPES.find((one) => one === setting);
    if (rule && accepted !== 'platform-default') value.rules[rule] = isOn(accepted);
  }
  return { setting: 'credits', target, value };
}

/** Undefined where a part is accepted of a limit that is not there. */
function acceptLimit(target: AgentTarget, group: Group, { limits, standard }: Approved): Accepted | undefined {
  const approved = limits.get(target.agentId.toLowerCase()) ?? standard.limit;
  // The limit comes first: the others are parts of it.
  const ordered = group.toSorted((one, other) => Number(isPart(one)) - Number(isPart(other)));
  const value = ordered.reduce<Limit | undefined>(acceptPart, approved);
  return value && { setting: 'limit', target, value };
}

function isPart({ setting }: RegisterException): boolean {
  return setting !== 'monthlyLimit';
}

function acceptPart(limit: Limit | undefined, { setting, value }: RegisterException): Limit | undefined {
  const whole = limit === undefined || limit === 'none' ? undefined : limit;
  if (setting === 'monthlyLimit') {
    return typeof value === 'number' ? { noticeAt: 'off', stopAtLimit: false, ...whole, credits: value } : 'none';
  }
  if (whole === undefined) return undefined;
  if (setting === 'alertAt') return { ...whole, noticeAt: typeof value === 'number' ? value : 'off' };
  return { ...whole, stopAtLimit: isOn(value) };
}

function isOn(value: RegisterException['value']): boolean {
  return value === true || value === 'on';
}

const MAX_REASON = 500;

function setException({ entries }: Converted, { setting, target, value }: Accepted, group: Group): void {
  const until = group.map(({ expires }) => expires).toSorted()[0] ?? '';
  const reasons = new Set(group.map(({ reason, approver }) => `${reason} (approved by ${approver})`));
  const reason = [...reasons].join('; ').slice(0, MAX_REASON).toWellFormed();
  const exception = { value, until, why: { reason } };
  const key = toEntryKey(setting, target);
  const place = entries.findIndex((entry) => toEntryKey(entry.setting, entry.target) === key);
  const standing = entries[place];
  if (standing) entries[place] = { ...standing, exception };
  else entries.push({ setting, target, exception });
}

/** Currencies are compared without regard to case. */
export function find<Value>(byName: Record<string, Value>, name: string): Value | undefined {
  const key = Object.keys(byName).find((one) => isSameId(one, name));
  return key === undefined ? undefined : byName[key];
}

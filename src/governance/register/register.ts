// The register: what is approved for each environment and agent, once defaults are filled in.
import type { RuleState, RuleType } from '../allocations/allocation.ts';

export type Classification = 'maker-development' | 'funded-production';

/** In the file, in the place of a classification that nobody has decided yet. */
export const UNDECIDED = 'undecided';

export type StatedAllocation = {
  currencyType: string;
  /** Prepaid credits. */
  allocated?: number | undefined;
  rules: { [rule in RuleType]?: RuleState | undefined };
};

/** Complete: a gap would approve what nobody thought of. */
export type ApprovedAllocation = { currencyType: string; allocated: number; rules: Record<RuleType, RuleState> };

/** `none`: no monthly limit is to be set for the agent. */
export type ApprovedLimit =
  | { monthlyLimit: number; alertAt: number | 'off'; stopWhenReached: 'on' | 'off' }
  | { monthlyLimit: 'none' };

export const LIMIT_SETTINGS = ['monthlyLimit', 'alertAt', 'stopWhenReached'] as const;

export type SettingName = 'allocated' | RuleType | (typeof LIMIT_SETTINGS)[number];

export type SettingValue = number | RuleState | 'none';

/** One setting at one value: any further drift is not accepted. */
export type AcceptedDrift = {
  setting: SettingName;
  /** Of an allocation's setting only. */
  currency: string | undefined;
  value: SettingValue;
};

export type ApprovedException = {
  /** The id of the agent that it is about; undefined: the environment's own allocation. */
  agent: string | undefined;
  accepts: AcceptedDrift;
  reason: string;
  approver: string;
  /** YYYY-MM-DD: the last day on which it holds, in UTC. */
  expiresOn: string;
};

export type RegisteredAgent = {
  /** Either of an agent's two ids. */
  id: string;
  name: string | undefined;
  /** E-mail addresses, ids in the directory, or Slack user ids. */
  owners: string[];
  limit: ApprovedLimit;
};

export type RegisteredEnvironment = {
  id: string;
  name: string | undefined;
  classification: Classification;
  owners: string[];
  /** `none`: it is known and approved that this environment has no allocation at all. */
  allocations: ApprovedAllocation[] | 'none';
  /** For its agents that are not named; undefined: those are unclassified. */
  unnamedAgents: ApprovedLimit | undefined;
  agents: RegisteredAgent[];
  exceptions: ApprovedException[];
};

export type RegisterDefaults = {
  allocations: StatedAllocation[] | 'none' | undefined;
  unnamedAgents: ApprovedLimit | undefined;
};

export type Register = {
  /** `harness`: agents of which the service says that no harness made them are left out, unless they are named. */
  reviewedAgents: 'all' | 'harness';
  /** What to do about credits of a currency that an environment's entry does not name. */
  otherCurrencies: 'report' | 'ignore';
  defaults: { [use in Classification]?: RegisterDefaults | undefined };
  /** In the order of the file. */
  environments: RegisteredEnvironment[];
  /** The ids of its entries that nobody has decided yet: nothing of them counts. */
  undecided?: string[];
};

/** Ids and currencies are compared without regard to case. */
export function toIdKey(...ids: string[]): string {
  return ids.join('\n').toLowerCase();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether it is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day counts as a whole, in UTC. */
export function isExpired(expiresOn: string, now: number): boolean {
  return now >= Date.parse(`${expiresOn}T00:00:00Z`) + DAY_MS;
}

// The words of a review: what was found of each environment and agent, held against the register.

import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { FoundRule } from '../allocations/allocation.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import type { ApprovedLimit, Classification, SettingName, SettingValue } from '../register/register.ts';

export type FindingStatus =
  | 'compliant'
  | 'drift'
  /** All drift is accepted, for now. */
  | 'approved_exception'
  /** The register does not say what is approved. */
  | 'unclassified'
  /** In the register, and not in an inventory that is complete. */
  | 'vanished'
  /** It cannot be told; never as good as compliant. */
  | 'unreadable';

/** `looser`: what is found allows more, or warns later, than what is approved. */
export type Way = 'looser' | 'tighter' | 'unclear';

export type Difference = {
  setting: SettingName;
  /** Of an allocation's setting only. */
  currency: string | undefined;
  /** `none`: no such credits are approved, or no limit is to be set. */
  approved: SettingValue;
  /** `unknown`: read, but in a form that does not tell. */
  found: SettingValue | 'unknown';
  way: Way;
  /** Of several exceptions for it, the one that holds longest. */
  exception: DifferenceException | undefined;
};

export type DifferenceException = { isExpired: boolean; reason: string; approver: string; expiresOn: string };

/** Why something is unreadable: a code of the administrative interface's errors, or one of these. */
export type UnreadableReason = OwnReason | (string & {});

type OwnReason =
  | 'no_allocation' // the service knows no allocation of this environment
  | 'inventory_truncated' // not listed, by an inventory that is not complete
  | 'inventory_empty' // no environment was listed at all, though the register names some
  | 'limit_not_told' // the deployment does not tell limits, and none was set from here
  | 'limit_not_verified' // last set from here as approved; the deployment does not tell whether it still is
  | 'named_twice' // what is approved of this agent is stated under each of its two ids
  | 'value_not_told' // read, but a setting is in a form that does not tell
  | 'no_environment' // the service does not name the agent's environment
  | 'unexpected'; // another part failed

type FindingOf<Kind extends string> = {
  kind: Kind;
  /** The same from review to review. */
  key: string;
  environmentId: string;
  /** For people; the id where there is no name. Untrusted. */
  name: string;
  /** As the register names them: e-mail addresses, ids in the directory or Slack user ids. */
  owners: string[];
  /** Of a person in the directory, as the inventory tells it. */
  ownerId: string | undefined;
  status: FindingStatus;
  /** Also where the status is not drift: accepted ones, and those from the defaults for what is unclassified. */
  differences: Difference[];
  /** Of what is unreadable; and of what is unclassified and could not be read either. */
  reason: UnreadableReason | undefined;
  /** Of an approved exception: when the first of them ends, YYYY-MM-DD. */
  expiresOn: string | undefined;
};

export type EnvironmentFinding = FindingOf<'environment'> & {
  classification: Classification | undefined;
  /** Whether it draws on the tenant's unallocated credits. By default, platforms of this kind let it. */
  tenantPool: FoundRule;
};

export type AgentFinding = FindingOf<'agent'> & {
  /** The id that its limit goes by; of a vanished agent the register's. */
  agentResourceId: string;
  /** Its id in the inventory; of a vanished agent the register's. */
  agentName: string;
  isHarness: boolean | 'unknown';
  /** What its limit was held against. */
  approvedLimit: ApprovedLimit | undefined;
  /** What its limit is known from. A difference from `last_set` may have been mended elsewhere since. */
  limitSource: KnownLimit['source'] | undefined;
};

export type Finding = EnvironmentFinding | AgentFinding;

/** What is newly there and already draws on the pool that is everybody's. */
export function drawsOnTenantPool({ status, tenantPool }: EnvironmentFinding): boolean {
  return status === 'unclassified' && (tenantPool === 'on' || tenantPool === 'platform-default');
}

// What was read for a review, or why it was not.
export type Unreadable = { unreadable: UnreadableReason };

/** 'none': the service knows no allocation of this environment. */
export type AllocationReading = Allocation | 'none' | Unreadable;

/** `agent` has the id that its limit is filed under. */
export type LimitReading = { agent: GovernedAgent; known: KnownLimit } | Unreadable;

export type InventoryReading = {
  environments: Found<Environment> | Unreadable;
  agents: Found<Agent> | Unreadable;
};

/** Why the inventory may lack some; undefined where it is complete. */
export type InventoryGaps = { environments: UnreadableReason | undefined; agents: UnreadableReason | undefined };

export function isUnreadable(reading: object | string | undefined): reading is Unreadable {
  return typeof reading === 'object' && 'unreadable' in reading;
}

/** Why something that is not in the list may exist all the same; undefined where the list is complete. */
export function toGap(list: Found<unknown> | Unreadable): UnreadableReason | undefined {
  if (isUnreadable(list)) return list.unreadable;
  return list.truncated ? 'inventory_truncated' : undefined;
}

// What a review found for each environment and agent, compared with the register.

import { createHash } from 'node:crypto';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { FoundRule } from '../allocations/allocation.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import {
  type ApprovedLimit,
  type Classification,
  type SettingName,
  type SettingValue,
  toIdKey,
} from '../register/register.ts';

export type FindingStatus =
  | 'compliant'
  /**
   * As approved, as far as the service tells: it does not show limits, and the last one set from here is what is
   * approved, or none is approved and none was set. A limit that was changed elsewhere would not be seen.
   */
  | 'as_far_as_told'
  | 'drift'
  /** All drift is accepted, for now. */
  | 'approved_exception'
  /** The register does not say what is approved. */
  | 'unclassified'
  /** In the register, and not in an inventory that is complete. */
  | 'vanished'
  /** Unknown: never counts as compliant. */
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

/** Nobody has accepted it, or not any more. */
export function isOpen({ exception }: Difference): boolean {
  return exception === undefined || exception.isExpired;
}

/** Open, and of a value that can be told. */
export function isAcceptable(difference: Difference): boolean {
  return difference.found !== 'unknown' && isOpen(difference);
}

/** The same for the same setting of a finding, short, of letters and digits: forms carry it through Slack. */
export function toDifferenceKey({ setting, currency }: Pick<Difference, 'setting' | 'currency'>): string {
  return createHash('sha256')
    .update(toIdKey(setting, currency ?? ''))
    .digest('base64url')
    .slice(0, 12);
}

/** The finding with these differences alone; `keys` undefined: with all of them. */
export function onlyDifferences<Some extends Finding>(finding: Some, keys: readonly string[] | undefined): Some {
  if (keys === undefined) return finding;
  return { ...finding, differences: finding.differences.filter((one) => keys.includes(toDifferenceKey(one))) };
}

export type DifferenceException = { isExpired: boolean; reason: string; approver: string; expiresOn: string };

/** Why something is unreadable: a code of the administrative interface's errors, or one of these. */
export type UnreadableReason = OwnReason | (string & {});

type OwnReason =
  | 'no_allocation' // the service knows no allocation of this environment
  | 'inventory_truncated' // not listed, by an inventory that is not complete
  | 'inventory_empty' // no environment was listed at all, though the register names some
  | 'limit_not_told' // the deployment does not tell limits, and none was set from here
  | 'limit_stale' // last set from here as approved, too long ago; the deployment does not tell whether it still is
  | 'limit_in_doubt' // the last change from here may or may not have been made, and the deployment does not tell
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
  /** Also if the status is not drift: accepted ones. */
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
  /** What its limit was compared with. */
  approvedLimit: ApprovedLimit | undefined;
  /** Where its limit is known from. A difference from `last_set` may have been corrected elsewhere since. */
  limitSource: KnownLimit['source'] | undefined;
  /** Of a limit that was last set from here: when, and until when that counts. Epoch ms. */
  limitSetAt?: number | undefined;
  limitStaleAt?: number | undefined;
};

export type Finding = EnvironmentFinding | AgentFinding;

/** `environmentName`: of an agent, where the report has it. Untrusted. */
export type ReviewedFinding = { finding: Finding; environmentName?: string | undefined };

/** What is newly there and already draws on the pool that is everybody's. */
export function drawsOnTenantPool({ status, tenantPool }: EnvironmentFinding): boolean {
  return status === 'unclassified' && (tenantPool === 'on' || tenantPool === 'platform-default');
}

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

/** Why the list may be incomplete; undefined where it is complete. */
export function toGap(list: Found<unknown> | Unreadable): UnreadableReason | undefined {
  if (isUnreadable(list)) return list.unreadable;
  return list.truncated ? 'inventory_truncated' : undefined;
}

const REASONS: { [reason: string]: string } = {
  no_allocation: 'the service knows no allocation of it',
  inventory_truncated: 'the service did not list everything, so it may be there or not',
  inventory_empty: 'the service listed no environment at all, though the register names some',
  named_twice: 'its limit is stated twice, once under each of its two ids: keep one of the two entries in the register',
  limit_not_told: 'the limit could not be read from the service, and none was set from here',
  limit_stale: 'last set from here as approved, too long ago to count; the service does not show what holds now',
  limit_in_doubt: 'the last change from here may or may not have been made; the service does not show what holds now',
  value_not_told: 'the service shows a setting in a form that does not tell its value',
  no_environment: 'the service does not name its environment',
  unexpected: 'this app failed; its log says how',
  admin_unauthorized: 'the service did not accept your sign-in any more',
  admin_forbidden: 'the service does not let your account read this',
  admin_not_found: 'the service does not know it',
  admin_not_offered: 'the service does not offer to read it',
  admin_rejected: 'the service refused to read it',
  admin_throttled: 'the service had too much to do, for too long',
  admin_unreachable: 'the service did not answer, or was not available',
  admin_failed: 'the service reported an internal error',
  admin_unreadable: 'the service answered in a way this app cannot read',
};

/** What is read with a right of its own. */
export type ReadThing = 'environment' | 'agent' | 'inventory';

const RIGHTS: Record<ReadThing, string> = {
  environment: 'read allocations',
  agent: 'read the limits of agents',
  inventory: 'query the inventory',
};

/**
 * Half a sentence in plain text: why something is unreadable. `thing`: what was to be read, where it is one. A code that is
 * not known is shown as it is: untrusted.
 */
export function explainReason(reason: UnreadableReason, thing?: ReadThing): string {
  const said = REASONS[reason] ?? `reason: ${reason}`;
  if (reason !== 'admin_forbidden') return said;
  const right = thing === undefined ? `${RIGHTS.environment} or to ${RIGHTS.agent}` : RIGHTS[thing];
  return `${said}: it lacks the right to ${right}, which the administrator role there has`;
}

const SETTABLE: ReadonlySet<UnreadableReason> = new Set(['limit_not_told', 'limit_stale', 'limit_in_doubt']);

/** Nothing shows which limit the agent has, and setting the approved one, again or for the first time, helps. */
export function isLimitToSet(finding: Finding): boolean {
  if (finding.kind !== 'agent' || finding.status !== 'unreadable') return false;
  const isApproved = finding.approvedLimit !== undefined && finding.approvedLimit.monthlyLimit !== 'none';
  return isApproved && SETTABLE.has(finding.reason ?? '');
}

/** The agent as its limit is looked up. */
export function toGoverned(finding: AgentFinding, environmentName: string | undefined): GovernedAgent {
  const { environmentId, agentResourceId, agentName, name } = finding;
  return { environmentId, agentResourceId, name: agentName, displayName: name, environmentName };
}

/** The differences that no exception accepts, or not any more. */
export function findOpen({ differences }: Finding): Difference[] {
  return differences.filter(isOpen);
}

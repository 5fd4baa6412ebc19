import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { AgentLimit, KnownLimit } from '../inventory/agent-limit.ts';

/** The reason of an outcome that a later look found, after the change had broken off. Stored: never rename. */
export const INTERRUPTED = 'interrupted';

/** How a change ended. `written` says what the deployment may hold of it; `reason` is a stable code. */
export type ChangeOutcome = {
  kind: 'verified' | 'applied_not_verified' | 'conflict' | 'failed';
  written: 'yes' | 'no' | 'perhaps';
  reason?: string;
  /** What was there instead, where that was the conflict. */
  found?: KnownLimit | Allocation | 'none';
  /** As the service gave them to our requests. */
  requestIds?: readonly string[];
};

/** Written before anything is sent. No names, and no texts but the reason that the admin gave: ids only. */
type ChangeRecord = {
  schema: 1;
  /** One per confirmation: a double click has the same. */
  id: string;
  /** The enterprise id where there is one, else the team id; `workspace` is the installing team, for purging. */
  team: string;
  workspace: string;
  /** The Slack user id of the admin who asked for it. */
  user: string;
  /** The account of the directory that they were signed in with: see AccountLink. Older records have none. */
  account?: string | undefined;
  /** Of the second admin, where one was needed. */
  approvedBy?: string | undefined;
  approverAccount?: string | undefined;
  /** Why, in the admin's own words. */
  reason?: string | undefined;
  environmentId: string;
  /** Epoch ms. */
  at: number;
  /** Missing: begun, and not known to have ended. It may have been written. */
  outcome?: ChangeOutcome;
};

/** One change of one agent's limit. */
export type LimitChange = ChangeRecord & {
  kind: 'agent_limit';
  agentResourceId: string;
  /** Its id in the inventory. Older records have none. */
  agentName?: string | undefined;
  /** Undefined: the one that is configured. */
  currencyType?: string | undefined;
  /** The change was made to stop the agent, or to let it run again; its limit went along. */
  action?: 'stop' | 'run_again' | undefined;
  before: KnownLimit;
  after: AgentLimit;
};

/** One change of the credits of one environment: the complete allocation, as it was and as it was to be. */
export type AllocationChange = ChangeRecord & { kind: 'allocation'; before: Allocation; after: Allocation };

export type Change = LimitChange | AllocationChange;

/** Who confirms a change: `by` is who asked for it, `approvedBy` the second admin where one was needed; with accounts. */
export type ChangeRequest = {
  changeId: string;
  by: { team: string; workspace: string; user: string };
  reason?: string | undefined;
  approvedBy?: string | undefined;
} & Pick<ChangeRecord, 'account' | 'approverAccount'>;

/** Port: the changes, durable before they are made. */
export type ChangeStore = {
  /** Stores the change once per id: of two callers with one id, one gets 'new'. */
  begin(change: Change): Promise<'new' | 'duplicate'>;
  finish(id: string, outcome: ChangeOutcome): Promise<void>;
  get(id: string): Promise<Change | undefined>;
  /**
   * The latest change (by `at`) of this agent that was or may have been written: all but those whose outcome says
   * `written: 'no'`, and `exceptId`. Ids are compared without regard to case. Without `currencyType`: of the configured one.
   */
  lastSet(
    environmentId: string,
    agentResourceId: string,
    exceptId?: string,
    currencyType?: string,
  ): Promise<LimitChange | undefined>;
  /** The same of this environment's allocation. */
  lastAllocation(environmentId: string): Promise<AllocationChange | undefined>;
  /**
   * In the order of `begin`: changes without an outcome, and those that a later look ended (reason `interrupted`), until
   * they are `told`.
   */
  untold(): Promise<Change[]>;
  /** Whoever made it knows what became of it, or cannot be told. */
  told(id: string): Promise<void>;
};

/** Whether a plan has to be approved by a second admin: also where it cannot be told whether it loosens anything. */
export function needsSecondApprover(
  { loosens }: { loosens: boolean | 'unknown' },
  { needsApproval }: { needsApproval: boolean },
): boolean {
  return needsApproval && loosens !== false;
}

/** One line of old → new, in words. */
export type PlanRow = { label: string; before: string; after: string; isChanged: boolean };

export function toPlanRow(label: string, before: string, after: string): PlanRow {
  return { label, before, after, isChanged: before !== after };
}

/**
 * The id of one change of a bulk change, whose own lane settles and tells it. `id`: of the bulk change; `attempt`: from 1.
 * Never change it: a later release may go on with a bulk change of this one.
 */
export function toBulkItemId(id: string, index: number, attempt: number): string {
  return `${id}-${index}${attempt === 1 ? '' : `-${attempt}`}`;
}

/** Other changes have UUIDs, or ids of forms, as their ids. */
export function isBulkItem({ id }: Pick<Change, 'id'>): boolean {
  return /^[\da-f]{12}-\d+(?:-\d+)?$/.test(id);
}

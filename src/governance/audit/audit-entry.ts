// One line of the account of what admins did. No names and no tokens: ids, figures, and the reason that the admin gave.

/** What was done, in a word that stays. */
type AuditAction =
  | 'limit_change'
  | 'allocation_change'
  | 'approval_requested'
  | 'approval_refused'
  | 'environment_classified'
  | 'limit_approved'
  | 'exception_accepted'
  | 'exception_withdrawn'
  | 'review_run';

type AuditOutcome = {
  /** `begun`: another entry of the same change says how it ended; where there is none, it broke off. */
  kind: 'begun' | 'done' | 'refused' | 'verified' | 'applied_not_verified' | 'conflict' | 'failed';
  /** Of a change: what the deployment may hold of it. */
  written?: 'yes' | 'no' | 'perhaps' | undefined;
  /** A stable code. */
  reason?: string | undefined;
  /** What was there instead, where that was the conflict. */
  found?: unknown;
};

/** Ids as the service and Slack have them. */
type AuditSubject = {
  environmentId?: string | undefined;
  agentResourceId?: string | undefined;
  /** Joins the entries of one change; the id of its record. */
  changeId?: string | undefined;
};

export type AuditEntry = {
  schema: 1;
  /** Epoch ms. */
  at: number;
  what: AuditAction;
  /** Slack user ids; none for what runs by itself. `approver`: the second admin, where one was needed. */
  who: { user?: string | undefined; approver?: string | undefined };
  /** The enterprise id where there is one, else the team id; `workspace` is the installing team. */
  team: string;
  workspace: string;
  subject: AuditSubject;
  /** Plain values, complete: as it was, and as it was to be. */
  before?: unknown;
  after?: unknown;
  /** In the admin's own words. */
  reason?: string | undefined;
  outcome: AuditOutcome;
  /** As the service gave them to our requests. */
  requestIds: readonly string[];
};

/** An entry in its place. `hash` is over all the rest, `previousHash` included: see audit-chain.ts. */
export type LinkedEntry = AuditEntry & { seq: number; previousHash: string; hash: string };

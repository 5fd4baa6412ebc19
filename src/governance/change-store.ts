import type { AgentLimit, KnownLimit } from './limit.ts';

/** How a change ended. `written` says what the deployment may hold of it; `reason` is a stable code. */
export type ChangeOutcome = {
  kind: 'verified' | 'applied_not_verified' | 'conflict' | 'failed';
  written: 'yes' | 'no' | 'perhaps';
  reason?: string;
};

/** One change of one agent's limit: written before anything is sent. No names and no texts, ids only. */
export type LimitChange = {
  schema: 1;
  /** One per confirmation: a double click has the same. */
  id: string;
  kind: 'agent_limit';
  /** The enterprise id where there is one, else the team id; `workspace` is the installing team, for purging. */
  team: string;
  workspace: string;
  /** The Slack user id of the admin. */
  user: string;
  environmentId: string;
  agentResourceId: string;
  before: KnownLimit;
  after: AgentLimit;
  /** Epoch ms. */
  at: number;
  /** Missing: begun, and not known to have ended. It may have been written. */
  outcome?: ChangeOutcome;
};

/** Port: the changes, durable before they are made. */
export type ChangeStore = {
  /** Stores the change once per id: of two callers with one id, one gets 'new'. */
  begin(change: LimitChange): Promise<'new' | 'duplicate'>;
  finish(id: string, outcome: ChangeOutcome): Promise<void>;
  /**
   * The latest change (by `at`) of this agent that was or may have been written: all but those whose outcome says
   * `written: 'no'`, and `exceptId`. Ids are compared without regard to case.
   */
  lastSet(environmentId: string, agentResourceId: string, exceptId?: string): Promise<LimitChange | undefined>;
};

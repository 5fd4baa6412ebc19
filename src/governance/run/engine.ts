// What forms, reviews and imports hand their edits to: it makes the plan, has it approved, and carries it out.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Item, Plan } from '../plan/plan.ts';
import type { Seen } from '../plan/seen.ts';
import type { ReadUsed } from '../plan/warnings.ts';
import type { Edit } from '../policy/edit.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Modal } from '../shell/modal.ts';
import type { Say } from '../shell/respond.ts';
import type { RunContent } from './run.ts';

/** A plan, and what whoever confirms it has to be shown or asked. Plain JSON. */
export type Proposal = {
  plan: Plan;
  /** What it does that nobody may overlook, the gravest first: mrkdwn. */
  warnings: string[];
  /** A warning says that agents stop at once, or that money is spent: it is shown before it is carried out. */
  isGrave: boolean;
  /** The number to be typed: see rails in plan.ts. */
  typed?: number | undefined;
  /** A second administrator has to approve it. */
  needsApprover: boolean;
};

/** In whose name it is looked. */
export type By = { caller: Caller; session: AdminSession };

export type ProposeOptions = {
  /** What was just read; without it, what the edits touch is read now. */
  seen?: Seen | undefined;
  /** See CompareOptions. */
  unknownStop?: 'runs' | undefined;
  /** What was used this month, as far as it is known besides: for warnings. */
  used?: ReadUsed | undefined;
};

/** Who confirms, and where they hear of it. */
export type Confirmation = {
  caller: Caller;
  /** One line: see parseReason. */
  reason: string;
  /** The Slack user id of the second administrator, where one is needed. */
  approver?: string | undefined;
  say: Say;
  /** Shows in the window what happens, and what came of it. */
  show?: Modal['show'] | undefined;
  /** Where the outcome is said after a restart: see click-place.ts. */
  replyTo: string;
};

/**
 * `started`: recorded, and carried out now or in the background; what comes of it is said. `waiting`: for the approver.
 * `nothing`: the policy says so already, and the service as well. `outdated`: somebody changed the same entries meanwhile.
 */
export type Confirmed = 'started' | 'waiting' | 'nothing' | 'outdated';

/** A plan, with all who decided about it. */
export type Approved = {
  plan: Plan;
  by: Caller;
  /** The directory account that it was asked for with. */
  account: string | undefined;
  approver?: Caller | undefined;
  approverAccount?: string | undefined;
  reason: string;
  replyTo: string;
};

export type Engine = {
  /**
   * Reads what the edits touch, and compares. Edits that stop something read nothing of the service where the agents are
   * known. Throws the errors of admin-errors.ts and StoreUnavailableError.
   */
  propose(edits: readonly Edit[], by: By, options?: ProposeOptions): Promise<Proposal>;
  /**
   * The plan that sets back what a review found, without edits. What the items touch is read again and compared with the
   * policy of now: an item that is not as it was found any more is left out as `changed`. Throws as `propose` does.
   */
  proposeItems(items: readonly Item[], by: By): Promise<Proposal>;
  /**
   * What sets back the policy as it was before a run, and with it what the service had where the policy says nothing of it.
   * Throws as `propose` does.
   */
  proposeUndo(content: RunContent, by: By): Promise<Proposal>;
  /**
   * Changes the policy and begins the run in one commit: once for each plan, however often it is called. Resolves as soon
   * as that is durable; a plan with few items, or with stops alone, is carried out at once. Throws StoreUnavailableError,
   * and a SentenceError where the approver could not be asked.
   */
  confirm(proposal: Proposal, confirmation: Confirmation): Promise<Confirmed>;
  /** The same for what a second administrator has approved: in their name, and both hear how it ends. */
  carryOutApproved(approved: Approved): Promise<Confirmed>;
};

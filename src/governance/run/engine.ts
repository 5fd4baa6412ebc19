// Takes edits from forms, reviews and imports, makes a plan of them, gets it approved, and carries it out.
import type { Edit } from '../../policy/edit.ts';
import type { Item, Plan } from '../plan/plan.ts';
import type { Seen } from '../plan/seen.ts';
import type { ReadUsed } from '../plan/warnings.ts';
import type { Admin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Modal } from '../shell/modal.ts';
import type { Say } from '../shell/respond.ts';
import type { RunContent } from './run-store.ts';

/** A plan, and what to show and ask the person who confirms it. Plain JSON. */
export type Proposal = {
  plan: Plan;
  /** Important effects, the most serious first: mrkdwn. */
  warnings: string[];
  /** Agents stop at once, or money is spent: always show the plan before carrying it out. */
  isGrave: boolean;
  /** The number that the person has to type: see toTypedNumber. */
  typed?: number | undefined;
  /** A second administrator has to approve it. */
  needsApprover: boolean;
};

/** Whose access is used to read from the service. What needs no read, such as a rule of a channel, opens no session. */
export type By = Pick<Admin, 'caller' | 'openSession'>;

export type ProposeOptions = {
  /** Data that was just read. Without it, everything that the edits touch is read now. */
  seen?: Seen | undefined;
  /** See CompareOptions. */
  unknownStop?: 'runs' | undefined;
  /** This month's consumption, if it is known: for warnings. */
  used?: ReadUsed | undefined;
};

/** Who confirms, and where to show them the outcome. */
export type Confirmation = {
  caller: Caller;
  /** One line: see parseReason. */
  reason: string;
  /** The Slack user id of the second administrator, if one is needed. */
  approver?: string | undefined;
  say: Say;
  /** Shows progress and outcome in the window. */
  show?: Modal['show'] | undefined;
  /** Where to post the outcome after a restart: see click-place.ts. */
  replyTo: string;
};

/**
 * `started`: recorded, and carried out now or in the background; the outcome is posted. `waiting`: for the approver.
 * `nothing`: policy and service have these values already. `outdated`: somebody changed the same entries meanwhile.
 */
export type Confirmed = 'started' | 'waiting' | 'nothing' | 'outdated';

/** A plan, with the people who requested and approved it. */
export type ApprovedPlan = {
  plan: Plan;
  by: Caller;
  /** The directory account of the person who requested it. */
  account: string | undefined;
  approver?: Caller | undefined;
  approverAccount?: string | undefined;
  reason: string;
  replyTo: string;
};

export type Engine = {
  /**
   * Reads what the edits touch, and compares. For stops of known agents it reads nothing from the service. Throws the
   * errors of admin-errors.ts and StoreUnavailableError.
   */
  propose(edits: readonly Edit[], by: By, options?: ProposeOptions): Promise<Proposal>;
  /**
   * The plan that corrects what a review found, without edits. Reads the items again and compares them with the current
   * policy. Items that have changed since the review are left out as `changed`. Throws the same errors as `propose`.
   */
  proposeItems(items: readonly Item[], by: By): Promise<Proposal>;
  /**
   * The plan that undoes a run. It restores the policy, and the values of the service that the policy did not set.
   * Throws the same errors as `propose`.
   */
  proposeUndo(content: RunContent, by: By): Promise<Proposal>;
  /**
   * Changes the policy and begins the run in one commit. Repeated calls for the same plan change nothing. Resolves when
   * the commit is durable. A plan with few items, or only stops, is carried out at once. Throws StoreUnavailableError,
   * and a SentenceError if the approver could not be asked.
   */
  confirm(proposal: Proposal, confirmation: Confirmation): Promise<Confirmed>;
  /** The same for a plan that a second administrator approved. Both people are told how it ends. */
  carryOutApproved(approved: ApprovedPlan): Promise<Confirmed>;
};

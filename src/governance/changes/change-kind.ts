// What a change has to know of what it changes. Limits and allocations are its kinds.
import type { ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Content } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { AppliedOutcome, FoundValue } from './carry-out-once.ts';
import type { AllocationChange, Change, ChangeStore, LimitChange, PlanRow } from './change.ts';
import type { ConfirmOptions } from './change-views.ts';

/** What every plan has. Plain values: it is kept as JSON between its making and its confirmation. */
export type ChangePlan = {
  /** What the plan was made from: it holds only as long as this does. */
  before: Change['before'];
  after: Change['after'];
  rows: readonly PlanRow[];
  /** `text`: for people, in mrkdwn. */
  warnings: readonly { text: string }[];
  /** Allows more than before. */
  loosens: boolean | 'unknown';
};

/** `kind`: kept with the plan. `environmentName`: as its makers gave it, where it is known; untrusted. */
export type PlannedChange<Plan = ChangePlan> = {
  kind: 'limit' | 'allocation';
  plan: Plan;
  environmentName?: string | undefined;
};

/** What of a plan goes into the record of its change: the ids of what is changed, and its values. */
type ChangeSubject =
  | Pick<LimitChange, 'kind' | 'environmentId' | 'agentResourceId' | 'before' | 'after'>
  | Pick<AllocationChange, 'kind' | 'environmentId' | 'before' | 'after'>;

export type LookSources<Session> = { session: Session; changes: ChangeStore; now: () => number };

/** `Found`: what a look shows. `Reason`: why a change cannot be verified, beyond what may happen to all of them. */
export type ChangeKind<
  Plan extends ChangePlan = ChangePlan,
  Found extends FoundValue = FoundValue,
  Reason extends string = string,
  Session extends object = AdminSession,
> = {
  topic: ModalTopic;
  /** callback_id of the confirmation. */
  confirmModal: string;

  /** For `exclusively`: what it changes is changed by one at a time. */
  toLockKey(plan: Plan): string;
  toSubject(plan: Plan): ChangeSubject;
  /** The last change of the same thing that was or may have been written. */
  findLast(plan: Plan, changes: ChangeStore): Promise<Change | undefined>;
  /** What is there now. `exceptId`: the change that is just being made. Throws where that cannot be told now. */
  lookUp(plan: Plan, sources: LookSources<Session>, exceptId?: string): Promise<Found>;
  /** Whether what was found is what the plan was made from. */
  isAsPlanned(plan: Plan, found: Found): boolean;
  write(plan: Plan, found: Found, session: Session): Promise<unknown>;
  /** After the write. Throws where reading fails. */
  readBack(
    plan: Plan,
    sources: LookSources<Session>,
    exceptId: string,
  ): Promise<Exclude<AppliedOutcome<Plan['before'], Found, Reason>, { kind: 'failed' | 'duplicate' }>>;
  /** Ends the record of a change that broke off, by what is there now. */
  endBrokenOff(changeId: string, found: Found, sources: LookSources<Session>): Promise<unknown>;

  /** What is changed: mrkdwn. */
  name(change: PlannedChange<Plan>): string;
  /** The same as plain text, perhaps from outside. */
  toPlainName(change: PlannedChange<Plan>): string;
  /** As in *the limit of X in Y was not changed*: mrkdwn. */
  describe(change: PlannedChange<Plan>): string;
  /** Old → new in mrkdwn, a section each. */
  listRows(plan: Plan): string[];
  /** Whether `listRows` leaves out nothing that changes. */
  isListedWhole(plan: Plan): boolean;
  buildConfirmation(change: PlannedChange<Plan>, options: ConfirmOptions): ModalView;
  buildOutcome(
    change: PlannedChange<Plan>,
    outcome: AppliedOutcome<Plan['before'], Found, Reason>,
    options: { timeZone: string },
  ): Content;
};

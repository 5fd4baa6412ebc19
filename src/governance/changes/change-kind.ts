// What a change has to know of what it changes. Limits, stops and allocations are its kinds.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { AppliedOutcome, FoundValue } from './carry-out-once.ts';
import type { AllocationChange, Change, ChangeStore, LimitChange, PlanRow } from './change.ts';

/** What every plan has. Plain values: it is kept as JSON between its making and its confirmation. */
export type ChangePlan = {
  /** What the plan was made from: it holds only as long as this does. */
  before: Change['before'];
  after: Change['after'];
  rows: readonly PlanRow[];
  /** `text`: for people, in mrkdwn. */
  warnings: readonly { code: string; text: string }[];
  /** Allows more than before. */
  loosens: boolean | 'unknown';
  /** False: all of it holds already. */
  changes: boolean;
};

/** `kind`: kept with the plan. `environmentName`: as its makers gave it, where it is known; untrusted. */
export type PlannedChange<Plan = ChangePlan> = {
  kind: 'limit' | 'stop' | 'allocation';
  plan: Plan;
  environmentName?: string | undefined;
};

/** What of a plan goes into the record of its change: the ids of what is changed, and its values. */
type ChangeSubject =
  | Pick<
      LimitChange,
      'kind' | 'environmentId' | 'agentResourceId' | 'agentName' | 'currencyType' | 'action' | 'before' | 'after'
    >
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

  /** Of the button that confirms it: what it does. */
  toLabel(plan: Plan): string;
  /** What is changed: mrkdwn. */
  name(change: PlannedChange<Plan>): string;
  /** The same as plain text, perhaps from outside. */
  toPlainName(change: PlannedChange<Plan>): string;
  /** As in *the limit of X in Y was not changed*: mrkdwn. */
  describe(change: PlannedChange<Plan>): string;
  /** Where *X is set* and the like do not say what happens. */
  toWords?(change: PlannedChange<Plan>): ChangeWords;
  /** Old → new in mrkdwn, a section each. */
  listRows(plan: Plan): string[];
  /** Whether `listRows` leaves out nothing that changes. */
  isListedWhole(plan: Plan): boolean;
  /** In mrkdwn, below the last look at it: how far to trust what that shows. */
  listNotes(change: PlannedChange<Plan>, options: { timeZone: string }): string[];
  describeConflict(values: { expected: Plan['before']; found: Found }, options: { timeZone: string }): string;
  advice: ChangeAdvice<Reason>;
};

/** How a change is told. All of it is mrkdwn, without the full stop. */
export type ChangeWords = {
  /** While it is carried out: *Stopping X*. */
  doing: string;
  done: string;
  /** The service took it. */
  taken: string;
  /** Nobody knows whether the service took it. */
  perhaps: string;
  undone: string;
};

/** What to do where a change did not end as planned. All of it is mrkdwn. */
type ChangeAdvice<Reason extends string> = {
  /** The command that shows what is set now. */
  look: string;
  /** How to open it again, as the beginning of a sentence. */
  openAgain: string;
  /** Where to look when nothing tells whether it was set, as the beginning of a sentence. */
  check: string;
  /** Why it could not be verified, and what to do. */
  notVerified: Record<Reason, string>;
};

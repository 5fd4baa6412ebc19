// How a change goes on and ended, told to the admin who confirmed it.
import type { ModalView } from '@slack/types';
import { buildSection, type Content, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { toSections } from '../shell/blocks.ts';
import { buildEndModal } from '../shell/modal.ts';
import {
  type AppliedOutcome,
  type CommonReason,
  type ConflictStage,
  type EndedOutcome,
  type FoundValue,
  isPerhapsWritten,
} from './carry-out-once.ts';
import type { Change, ChangeOutcome, PlanRow } from './change.ts';
import type { ChangeKind, ChangePlan, ChangeWords, PlannedChange } from './change-kind.ts';

/** Takes the place of the confirmation while the change is carried out. */
export function buildApplyingModal<Plan extends ChangePlan>(
  kind: Pick<ChangeKind<Plan>, 'topic' | 'describe' | 'toWords'>,
  change: PlannedChange<Plan>,
): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about how it ended.';
  return buildOutcomeModal(kind.topic, { blocks: [`${toWords(kind, change).doing}…`, note].map(buildSection) });
}

export function buildOutcomeModal({ id, title }: ModalTopic, { blocks }: Pick<Content, 'blocks'>): ModalView {
  return buildEndModal(`${id}_outcome`, title, blocks);
}

/** Its `text` alone says how it ended, too: notifications and screen readers have it. */
export function buildChangeOutcome<Plan extends ChangePlan, Found extends FoundValue, Reason extends string>(
  kind: OutcomeKind<Plan, Found, Reason>,
  change: PlannedChange<Plan>,
  outcome: AppliedOutcome<Plan['before'], Found, Reason>,
  options: { timeZone: string },
): Content {
  const what = kind.describe(change);
  const words = toWords(kind, change);
  const rows = kind.listRows(change.plan);
  switch (outcome.kind) {
    case 'duplicate':
      return buildRepeatedOutcome(what, undefined);
    case 'verified':
      return toSections(`:white_check_mark: ${ENDS.verified}: ${words.done}, and was read back.`, rows);
    case 'applied_not_verified': {
      const said = isPerhapsWritten(outcome.reason) ? `${words.perhaps}.` : `${words.taken}.`;
      const notes: Record<Reason | CommonReason, string> = {
        ...kind.advice.notVerified,
        ...describeCommon(kind.advice),
      };
      return toSections(`:warning: ${ENDS.applied_not_verified}: ${said}`, [notes[outcome.reason], ...rows]);
    }
    case 'conflict': {
      const { said, advice } = describeStage(outcome.stage, what, kind.advice);
      return toSections(`:x: ${ENDS.conflict}: ${said}`, [kind.describeConflict(outcome, options), advice]);
    }
    case 'failed': {
      const sentence = toMrkdwnLine(outcome.failure.sentence, 600);
      return toSections(`:x: ${ENDS.failed}: ${words.undone}.`, [sentence]);
    }
  }
}

/** Of a confirmation that was sent twice. `ended`: how it went, where it has. */
export function buildRepeatedOutcome(what: string, ended: EndedOutcome['kind'] | undefined): Content {
  const headline = `This change of ${what} was confirmed before; it is carried out once.`;
  const how =
    ended === undefined
      ? 'It has not ended yet. If you get no message about it, give the command again: that shows what became of it.'
      : `It ended as ${ENDS[ended]}; the message about it says more.`;
  return toSections(headline, [how]);
}

/** old → new, or what stays, once. */
export function describeRow({ label, before, after, isChanged }: PlanRow): string {
  return isChanged ? `${label}: ${before} → *${after}*` : `${label}: ${after} (unchanged)`;
}

/** Each once, in mrkdwn. */
export function listWarnings({ warnings }: Pick<ChangePlan, 'warnings'>): string[] {
  return [...new Set(warnings.map(({ text }) => `:warning: ${text}`))];
}

/** A change from here that was begun, and broke off. Its outcome says what a later look has shown of it. */
export type InterruptedChange = Pick<Change, 'user' | 'at'> & { outcome: ChangeOutcome };

/** What became of it, in mrkdwn. `what`: was changed, as its kind describes it. */
export function describeInterrupted({ outcome, ...begun }: InterruptedChange, timeZone: string, what?: string): string {
  return `:warning: ${describeBrokenOff(begun, timeZone, what)} ${INTERRUPTED[outcome.kind]}`;
}

/** That it broke off, in mrkdwn. */
export function describeBrokenOff({ user, at }: Pick<Change, 'user' | 'at'>, timeZone: string, what?: string): string {
  const of = what === undefined ? '' : ` of ${what}`;
  return `A change${of} by <@${user}> of ${formatTime(at, timeZone)} broke off.`;
}

type OutcomeKind<Plan extends ChangePlan, Found extends FoundValue, Reason extends string> = Pick<
  ChangeKind<Plan, Found, Reason>,
  'describe' | 'toWords' | 'listRows' | 'describeConflict' | 'advice'
>;

function toWords<Plan extends ChangePlan>(
  kind: Pick<ChangeKind<Plan>, 'describe' | 'toWords'>,
  change: PlannedChange<Plan>,
): ChangeWords {
  const what = kind.describe(change);
  return {
    doing: `Setting ${what}`,
    done: `${what} is set`,
    taken: `the service took ${what}`,
    perhaps: `${what} may or may not be set`,
    undone: `${what} was not changed`,
    ...kind.toWords?.(change),
  };
}

type Advice = ChangeKind['advice'];

const ENDS: Record<EndedOutcome['kind'], string> = {
  verified: '*Verified*',
  applied_not_verified: '*Applied, not verified*',
  conflict: '*Conflict*',
  failed: '*Failed*',
};

function describeCommon({ look, check }: Pick<Advice, 'look' | 'check'>): Record<CommonReason, string> {
  return {
    read_back_failed: `Reading it back failed. Look with ${look} in a few minutes.`,
    still_old: `It still shows the old values. Look with ${look} in a few minutes before you set it again.`,
    error_answer: `The service answered with an error that does not say whether it was made, and looking did not settle it. ${check}, before you set it again.`,
    no_answer: `The service did not answer in time, and looking did not settle it. ${check}, before you set it again.`,
  };
}

function describeStage(
  stage: ConflictStage,
  what: string,
  { look, openAgain }: Pick<Advice, 'look' | 'openAgain'>,
): { said: string; advice: string } {
  const perhaps = `Somebody may have changed it at the same time. Look again with ${look}`;
  switch (stage) {
    case 'before_write':
      return {
        said: `somebody changed ${what} while you looked at it. Nothing was changed.`,
        advice: `${openAgain}, and decide from what is there now.`,
      };
    case 'after_write':
      return {
        said: `${what} was sent, but the service shows something else.`,
        advice: `${perhaps}, and agree with them.`,
      };
    case 'unanswered':
      return {
        said: `the service did not confirm it, so ${what} may or may not have been set, and now it shows something else.`,
        advice: `${perhaps} before you set it again.`,
      };
  }
}

const INTERRUPTED: Record<ChangeOutcome['kind'], string> = {
  verified: 'It had been made: the service shows now what it was to set.',
  failed: 'It was not made: the service still shows what was there before.',
  conflict: 'The service shows neither what was there before nor what was to be set: decide from what is there now.',
  applied_not_verified: 'Whether it was made cannot be told here: check it in the admin console.',
};

// How a change goes on and ended, told to the admin who confirmed it.
import type { ContextBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnLine,
} from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { buildApproverInput, buildReasonInput } from '../shell/blocks.ts';
import type { AppliedOutcome, ConflictStage, EndedOutcome } from './carry-out-once.ts';
import type { Change, ChangeOutcome, PlanRow } from './change.ts';

/** What is said of an outcome beyond its name. All of it is mrkdwn. */
export type OutcomeWords<Expected, Found, Reason extends string> = {
  /** Old → new, a section each. */
  rows: string[];
  /** Why it could not be verified, and what to do. */
  notes: Record<Reason | 'read_back_failed' | 'no_answer', string>;
  describeConflict(conflict: { expected: Expected; found: Found }): string;
  /** What to do about a conflict. */
  advice: Record<ConflictStage, string>;
};

/** `what`: was changed, as its kind describes it. `text` alone says it, too: notifications and screen readers have it. */
export function buildChangeOutcome<Expected, Found, Reason extends string>(
  what: string,
  outcome: AppliedOutcome<Expected, Found, Reason>,
  words: OutcomeWords<Expected, Found, Reason>,
): Content {
  if (outcome.kind === 'duplicate') return buildRepeatedOutcome(what, undefined);
  const [headline, ...details] = describe(what, outcome, words);
  return toContent(headline, details);
}

/** Of a confirmation that was sent twice. `ended`: how it went, where it has. */
export function buildRepeatedOutcome(what: string, ended: EndedKind | undefined): Content {
  const headline = `This change of ${what} was confirmed before; it is carried out once.`;
  const how =
    ended === undefined
      ? 'It has not ended yet. If you get no message about it, give the command again: that shows what became of it.'
      : `It ended as *${KINDS[ended]}*; the message about it says more.`;
  return toContent(headline, [how]);
}

/** Takes the place of the confirmation while the change is carried out. */
export function buildApplyingModal(what: string, topic: ModalTopic): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about how it ended.';
  return buildEndModal(topic, [buildSection(`Setting ${what}…`), buildSection(note)]);
}

export function buildOutcomeModal(topic: ModalTopic, { blocks }: Content): ModalView {
  return buildEndModal(topic, blocks);
}

/** Closing it closes the form below as well: what that shows is out of date. */
function buildEndModal({ id, title }: ModalTopic, blocks: ModalView['blocks']): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_outcome`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

type EndedKind = EndedOutcome['kind'];

const KINDS: Record<EndedKind, string> = {
  verified: 'Verified',
  applied_not_verified: 'Applied, not verified',
  conflict: 'Conflict',
  failed: 'Failed',
};

function describe<Expected, Found, Reason extends string>(
  what: string,
  outcome: EndedOutcome<Expected, Found, Reason>,
  { rows, notes, describeConflict, advice }: OutcomeWords<Expected, Found, Reason>,
): [string, ...string[]] {
  const name = `*${KINDS[outcome.kind]}*`;
  switch (outcome.kind) {
    case 'verified':
      return [`:white_check_mark: ${name}: ${what} is set, and was read back.`, ...rows];
    case 'applied_not_verified': {
      const said = outcome.reason === 'no_answer' ? `${what} may or may not be set.` : `the service took ${what}.`;
      return [`:warning: ${name}: ${said}`, notes[outcome.reason], ...rows];
    }
    case 'conflict': {
      const { stage } = outcome;
      return [`:x: ${name}: ${describeStage(stage, what)}`, describeConflict(outcome), advice[stage]];
    }
    case 'failed':
      return [`:x: ${name}: ${what} was not changed.`, toMrkdwnLine(outcome.failure.sentence, 600)];
  }
}

function describeStage(stage: ConflictStage, what: string): string {
  switch (stage) {
    case 'before_write':
      return `somebody changed ${what} while you looked at it. Nothing was changed.`;
    case 'after_write':
      return `${what} was sent, but the service shows something else.`;
    case 'unanswered':
      return `the service did not answer, so ${what} may or may not have been set, and now it shows something else.`;
  }
}

function toContent(headline: string, details: string[]): Content {
  return { text: headline, blocks: fitBlocks([headline, ...details].map(buildSection)) };
}

// The second look at a change, whatever it changes: old → new, what it would break, why, Confirm or Back.
export type ConfirmOptions = {
  timeZone: string;
  /** One per confirmation shown, where the plan is kept: submitting it twice is one change. */
  changeId: string;
  /** Where the admin is answered in the end. */
  replyTo?: string | undefined;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** On top of a form: its close button leads back there. */
  isPushed: boolean;
  /** A second admin has to approve it: asks who. */
  needsApprover?: boolean;
};

export type ConfirmParts = {
  callbackId: string;
  /** What is changed, and old → new. */
  blocks: KnownBlock[];
  warnings: readonly { text: string }[];
  /** In mrkdwn, below: how far to trust it. */
  notes: string[];
  /** False: it is set already, and there is nothing to confirm. */
  changes: boolean;
};

export function buildChangeConfirmation(
  { callbackId, blocks, warnings, notes, changes }: ConfirmParts,
  { changeId, replyTo, reason, isPushed, needsApprover = false }: ConfirmOptions,
): ModalView {
  const texts = [...new Set(warnings.map(({ text }) => text))];
  return {
    type: 'modal',
    callback_id: callbackId,
    title: buildPlainText('Confirm the change'),
    ...(changes ? { submit: buildPlainText(needsApprover ? 'Ask for approval' : 'Confirm') } : {}),
    close: buildPlainText(isPushed ? 'Back' : 'Cancel'),
    private_metadata: encodeConfirmState({ changeId, replyTo }),
    blocks: [
      ...blocks,
      ...(changes ? [] : [buildSection('This is what is set already: there is nothing to change.')]),
      ...(texts.length === 0 ? [] : [buildSection(texts.map((text) => `:warning: ${text}`).join('\n'))]),
      ...(notes.length === 0 ? [] : [buildNotes(notes)]),
      ...(changes ? [buildReasonInput(reason)] : []),
      ...(changes && needsApprover ? [buildApproverInput()] : []),
    ],
  };
}

/** old → new, or what stays, once. */
export function describeRow({ label, before, after, isChanged }: PlanRow): string {
  return isChanged ? `${label}: ${before} → *${after}*` : `${label}: ${after} (unchanged)`;
}

function buildNotes(notes: string[]): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}

const stateSchema = z.object({ schema: z.literal(1), changeId: z.string().min(1), replyTo: z.string().optional() });

/** The plan itself is kept elsewhere: it may be longer than what a modal can carry. */
export type ConfirmState = { changeId: string; replyTo?: string | undefined };

function encodeConfirmState(state: ConfirmState): string {
  return JSON.stringify({ schema: 1, ...state });
}

/** Undefined where it is not the private_metadata of a confirmation. */
export function parseConfirmState(text: string): ConfirmState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A change from here that was begun, and broke off. Its outcome says what a later look has shown of it. */
export type InterruptedChange = Pick<Change, 'user' | 'at'> & { outcome: ChangeOutcome };

/** What became of it, in mrkdwn. */
export function describeInterrupted({ user, at, outcome }: InterruptedChange, timeZone: string): string {
  return `:warning: A change by <@${user}> of ${formatTime(at, timeZone)} broke off. ${ENDS[outcome.kind]}`;
}

const ENDS: Record<ChangeOutcome['kind'], string> = {
  verified: 'It had been made: the service shows now what it was to set.',
  failed: 'It was not made: the service still shows what was there before.',
  conflict: 'The service shows neither what was there before nor what was to be set: decide from what is there now.',
  applied_not_verified: 'Whether it was made cannot be told here: check it in the admin console.',
};

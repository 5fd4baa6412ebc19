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
import { ALLOCATION_TOPIC, LIMIT_TOPIC, type ModalTopic } from '../../slack/views/modal.ts';
import type { AllocationPlan } from '../allocations/allocation-plan.ts';
import type { AllocationOutcome } from '../allocations/apply-allocation.ts';
import { describeAgent, describeEnvironment } from '../inventory/inventory-views.ts';
import type { LimitOutcome } from '../limits/apply-limit.ts';
import type { LimitPlan } from '../limits/limit-plan.ts';
import type { AdminFailure } from '../shell/admin-failure.ts';
import { buildApproverInput, buildReasonInput } from '../shell/blocks.ts';
import type { ConflictStage } from './carry-out-once.ts';
import type { Change, ChangeOutcome, PlanRow } from './change.ts';

export type AppliedOutcome = LimitOutcome | AllocationOutcome;

/** An outcome, with what is to be said of it beyond its name. All of it is mrkdwn, a section each. */
export type ToldOutcome =
  | { kind: 'verified'; rows: string[] }
  | { kind: 'applied_not_verified'; reason: string; note: string; rows: string[] }
  | { kind: 'conflict'; stage: ConflictStage; values: string; advice: string }
  | { kind: 'failed'; failure: AdminFailure }
  | { kind: 'duplicate' };

/** `text` alone says it, too: it is what notifications and screen readers have. */
export function buildChangeOutcome(change: PlannedChange, told: ToldOutcome): Content {
  if (told.kind === 'duplicate') return buildRepeatedOutcome(change, undefined);
  const [headline, ...details] = describe(change, told);
  return toContent(headline, details);
}

/** Of a confirmation that was sent twice. `ended`: how it went, where it has. */
export function buildRepeatedOutcome(change: PlannedChange, ended: EndedKind | undefined): Content {
  const headline = `This change of ${describeChanged(change)} was confirmed before; it is carried out once.`;
  const how =
    ended === undefined
      ? 'It has not ended yet. If you get no message about it, give the command again: that shows what became of it.'
      : `It ended as *${KINDS[ended]}*; the message about it says more.`;
  return toContent(headline, [how]);
}

/** Takes the place of the confirmation while the change is carried out. */
export function buildApplyingModal(change: PlannedChange): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about how it ended.';
  return buildEndModal(change, [buildSection(`Setting ${describeChanged(change)}…`), buildSection(note)]);
}

export function buildOutcomeModal(change: PlannedChange, { blocks }: Content): ModalView {
  return buildEndModal(change, blocks);
}

/** Closing it closes the form below as well: what that shows is out of date. */
function buildEndModal(change: PlannedChange, blocks: ModalView['blocks']): ModalView {
  const { id, title } = topicOf(change);
  return {
    type: 'modal',
    callback_id: `${id}_outcome`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

type EndedKind = Exclude<AppliedOutcome['kind'], 'duplicate'>;

const KINDS: Record<EndedKind, string> = {
  verified: 'Verified',
  applied_not_verified: 'Applied, not verified',
  conflict: 'Conflict',
  failed: 'Failed',
};

function describe(change: PlannedChange, told: Exclude<ToldOutcome, { kind: 'duplicate' }>): [string, ...string[]] {
  const what = describeChanged(change);
  const name = `*${KINDS[told.kind]}*`;
  switch (told.kind) {
    case 'verified':
      return [`:white_check_mark: ${name}: ${what} is set, and was read back.`, ...told.rows];
    case 'applied_not_verified': {
      const said = told.reason === 'no_answer' ? `${what} may or may not be set.` : `the service took ${what}.`;
      return [`:warning: ${name}: ${said}`, told.note, ...told.rows];
    }
    case 'conflict':
      return [`:x: ${name}: ${describeConflict(told.stage, what)}`, told.values, told.advice];
    case 'failed':
      return [`:x: ${name}: ${what} was not changed.`, toMrkdwnLine(told.failure.sentence, 600)];
  }
}

function describeConflict(stage: ConflictStage, what: string): string {
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

/** As in *the limit of X in Y was not changed*: mrkdwn. */
export function describeChanged(change: PlannedChange): string {
  return change.kind === 'limit'
    ? `the limit of ${describeAgent(change.plan.agent)}`
    : `the allocation of ${describeEnvironment(change.plan.environmentId, change.environmentName)}`;
}

export function topicOf({ kind }: Pick<PlannedChange, 'kind'>): ModalTopic {
  return kind === 'limit' ? LIMIT_TOPIC : ALLOCATION_TOPIC;
}

/** Plans are plain values. `environmentName`: as its makers gave it, where it is known; untrusted. */
export type PlannedChange =
  | { kind: 'limit'; plan: LimitPlan }
  | { kind: 'allocation'; plan: AllocationPlan; environmentName?: string | undefined };

// How a change goes on and ended, told to the admin who confirmed it.
import type { ModalView } from '@slack/types';
import { describeChanged, type PlannedChange, topicOf } from '../../slack/views/admin/planned-change.ts';
import { buildPlainText, buildSection, type Content } from '../../slack/views/content.ts';
import { fitBlocks } from '../../slack/views/fit-blocks.ts';
import { toMrkdwnLine } from '../../slack/views/shown-text.ts';
import type { AllocationOutcome } from '../allocations/apply-allocation.ts';
import type { LimitOutcome } from '../limits/apply-limit.ts';
import type { AdminFailure } from '../shell/admin-failure.ts';
import type { ConflictStage } from './carry-out-once.ts';

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

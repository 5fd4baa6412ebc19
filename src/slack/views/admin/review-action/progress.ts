// How the corrections of a page go on, and how they ended.
import type { KnownBlock, ModalView } from '@slack/types';
import type { AppliedOutcome } from '../../../../governance/changes/change-views.ts';
import { describeChanges, describePlanned } from '../../../../governance/review/decided-views.ts';
import {
  buildLeftOut,
  type LeftOut,
  type PlannedCorrection,
} from '../../../../governance/review-actions/correct-page-views.ts';
import { buildReviewNotice, CORRECT_PAGE_TOPIC } from '../../../../governance/review-actions/review-action-views.ts';
import { buildSection, type Content } from '../../content.ts';
import { fitBlocks } from '../../fit-blocks.ts';
import { toMrkdwnLine } from '../../shown-text.ts';
import { formatCount } from '../review/words.ts';

/** `repeated`: it was begun by a confirmation before, and `ended` says how that went, where it has. */
export type CorrectionEnd =
  | Exclude<AppliedOutcome, { kind: 'duplicate' }>
  | { kind: 'repeated'; ended: Exclude<AppliedOutcome['kind'], 'duplicate'> | undefined }
  /** Somebody else was at work on the same thing for so long that nothing was done. */
  | { kind: 'busy' }
  /** It was begun when the work broke off; `ended`: how, where that is known. */
  | { kind: 'broke_off'; ended: Exclude<AppliedOutcome['kind'], 'duplicate'> | undefined }
  /** Not tried: what came before it stopped the work. */
  | { kind: 'not_tried' };

export type CorrectionProgress = {
  corrections: readonly PlannedCorrection[];
  /** By change id; what is not in it has not ended. */
  ends: ReadonlyMap<string, CorrectionEnd>;
  leftOut: readonly LeftOut[];
};

export function buildCorrecting({ corrections, ends }: CorrectionProgress): ModalView {
  const done = corrections.filter(({ changeId }) => ends.has(changeId)).length;
  return buildReviewNotice(
    [
      buildSection(`Correcting, one after the other: ${done} of ${corrections.length} done…`),
      ...corrections.map((one) => buildSection(describeEnd(one, ends.get(one.changeId)))),
      buildSection('You may close this: it goes on all the same, and you get a message about how it ended.'),
    ],
    CORRECT_PAGE_TOPIC,
  );
}

/** To a second confirmation, while the first is carried out. */
export function buildInHand({ corrections, ends }: CorrectionProgress): ModalView {
  return buildReviewNotice(
    [buildSection(IN_HAND), ...corrections.map((one) => buildSection(describeEnd(one, ends.get(one.changeId))))],
    CORRECT_PAGE_TOPIC,
  );
}

const IN_HAND =
  'This was confirmed before, and is being carried out just now, each correction once. You get a message about how it ended.';

/** `isBrokenOff`: something stopped the work before its end. */
export function buildCorrected(progress: CorrectionProgress, isBrokenOff = false): Content {
  const { corrections, ends, leftOut } = progress;
  const headline = describeHeadline(progress);
  const blocks: KnownBlock[] = [
    buildSection(headline),
    ...corrections.map((one) => buildSection(describeEnd(one, ends.get(one.changeId) ?? { kind: 'not_tried' }))),
    ...(isBrokenOff ? [buildSection(BROKEN_OFF)] : []),
    ...buildLeftOut(leftOut),
    buildSection('`/assistant-admin review` shows the whole picture again.'),
  ];
  return { text: headline, blocks: fitBlocks(blocks) };
}

const BROKEN_OFF =
  ':x: *Broken off here*, because this app could not go on. What is above was carried out as it says there; the rest was not tried. Press the button of the report again for the rest.';

function describeHeadline({ corrections, ends }: CorrectionProgress): string {
  const verified = [...ends.values()].filter(isVerified).length;
  const icon = verified === corrections.length ? ':white_check_mark:' : ':warning:';
  return `${icon} *Corrected*: ${verified} of ${formatCount(corrections.length, 'finding')}, and read back.`;
}

function isVerified(end: CorrectionEnd): boolean {
  return end.kind === 'verified' || (end.kind === 'repeated' && end.ended === 'verified');
}

function describeEnd({ change }: PlannedCorrection, end: CorrectionEnd | undefined): string {
  const name = describePlanned(change);
  switch (end?.kind) {
    case undefined:
      return `:hourglass: ${name}`;
    case 'verified':
      return `:white_check_mark: ${name}: *Verified*. ${describeChanges(change.plan.rows).slice(0, 1_500).toWellFormed()}`;
    case 'applied_not_verified':
      return `:warning: ${name}: *Applied, not verified*. ${end.reason === 'no_answer' ? NO_ANSWER : NOT_VERIFIED}`;
    case 'conflict':
      return `:x: ${name}: *Conflict*. ${CONFLICTS[end.stage]}`;
    case 'failed':
      return `:x: ${name}: *Failed*, nothing was changed. ${toMrkdwnLine(end.failure.sentence, 600)}`;
    case 'repeated':
      return `:repeat: ${name}: confirmed before, and carried out once. ${describeRepeated(end.ended)}`;
    case 'busy':
      return `:hourglass: ${name}: somebody else is changing it just now, so nothing was changed here. Review it again.`;
    case 'broke_off':
      return `:warning: ${name}: begun, and broken off. ${describeBrokeOff(end.ended)}`;
    case 'not_tried':
      return `:heavy_minus_sign: ${name}: not tried, nothing was changed.`;
  }
}

const NO_ANSWER =
  'The service did not answer in time: it may or may not hold the new values. Look again before you correct it once more.';

const NOT_VERIFIED = 'The service took it, and did not show it when it was read back. Look again in a few minutes.';

const CONFLICTS = {
  before_write: 'Somebody changed it after you saw the plan, so nothing was changed here. Review it again.',
  after_write:
    'It was sent, but the service shows something else: somebody may have changed it at once. Review it again.',
  unanswered:
    'The service did not answer, so it may or may not have been set, and now it shows something else. Review it again.',
};

const KINDS = {
  verified: 'It ended as *Verified*.',
  applied_not_verified: 'It ended as *Applied, not verified*.',
  conflict: 'It ended as *Conflict*.',
  failed: 'It ended as *Failed*.',
};

function describeBrokeOff(ended: keyof typeof KINDS | undefined): string {
  if (ended === undefined) return 'It may have been made: review it again before you correct it once more.';
  return ended === 'failed' ? 'It ended as *Failed*: nothing was changed.' : KINDS[ended];
}

function describeRepeated(ended: keyof typeof KINDS | undefined): string {
  return ended === undefined ? 'It has not ended yet.' : KINDS[ended];
}

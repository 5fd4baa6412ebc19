// *Correct all on this page…*: every finding with what would change, and which of them are to be corrected.

import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  shortenLines,
  toLine,
  toMrkdwnLine,
} from '../../slack/views/content.ts';
import { MAX_CHECKBOXES, MAX_OPTION_TEXT_LENGTH } from '../../slack/web/limits.ts';
import type { AppliedOutcome } from '../changes/carry-out-once.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { describeChanges } from '../review/decided-views.ts';
import { formatCount } from '../review/finding-words.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { buildLines } from '../shell/blocks.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { buildRadioButtons, buildReasonInput, readChoice } from '../shell/form-fields.ts';
import { buildCorrectionNotes, UNNAMED_HEADING } from './correction-views.ts';
import { buildReviewForm, buildReviewNotice, type ReviewFormState } from './review-action-views.ts';

/** The block id. */
export const CHOSEN_FIELD = 'chosen';

/** The block id. */
export const STOP_FIELD = 'stopped';

const VALUE = 'value';

/** Plain values only: kept as JSON until it is confirmed. `changeId`: of this finding and this confirmation alone. */
export type PlannedCorrection = {
  changeId: string;
  change: PlannedChange;
  /** The register does not name it yet, so only the admin approves it. */
  isUnnamed?: boolean | undefined;
  /** Nothing tells whether the agent is stopped. Planned so that it runs: only to be made where the admin says so. */
  mayBeStopped?: boolean | undefined;
  /** The limit as it was last set from here, which the service does not show: mrkdwn. */
  again?: string | undefined;
};

/** Of all on the page that may be stopped. */
export type StopAnswer = 'not_stopped' | 'leave_out';

/** A finding that has to be looked at by itself. `name` and `why` are mrkdwn. */
export type LeftOut = { name: string; why: string };

export type PlannedPage = {
  planned: PlannedCorrection[];
  leftOut: LeftOut[];
};

/** `repeated`: it was begun by a confirmation before, and `ended` says how that went, where it has. */
export type CorrectionEnd =
  | Exclude<AppliedOutcome, { kind: 'duplicate' }>
  | { kind: 'repeated'; ended: Exclude<AppliedOutcome['kind'], 'duplicate'> | undefined }
  /** Another change of the same subject held the lock, so nothing was done. */
  | { kind: 'busy' }
  /** It was begun when the work broke off; `ended`: how, where that is known. */
  | { kind: 'broke_off'; ended: Exclude<AppliedOutcome['kind'], 'duplicate'> | undefined }
  /** Not tried: what came before it stopped the work. */
  | { kind: 'not_tried' };

export type CorrectionProgress = {
  corrections: readonly PlannedCorrection[];
  /** By change id; a change that is missing has not ended. */
  ends: ReadonlyMap<string, CorrectionEnd>;
  leftOut: readonly LeftOut[];
};

/** Each has a checkbox. */
export const MAX_PLANNED = MAX_CHECKBOXES;

const UNNAMED =
  'The better first step is *Classify…*: it says what an environment is, and what is approved follows from that. Until then these go back to what the register has for environments that it does not name, which can stop all their agents. None of them is ticked.';

/** Ticked is what the register names. `planned` holds that first; one at least, at most MAX_PLANNED, all shown whole. */
export function buildCorrectPageModal(
  { planned, leftOut }: PlannedPage,
  { state, reason, isRegisterChanged }: { state: ReviewFormState; reason: string; isRegisterChanged: boolean },
): ModalView {
  const named = planned.filter(({ isUnnamed }) => !isUnnamed);
  const plans = planned.map((one, index) => buildLines(describePlan(one, index)));
  return buildReviewForm(REVIEW_TOPICS.correct_page, {
    submit: 'Confirm',
    blocks: [
      buildSection(
        named.length === 0
          ? 'Nothing that the register names can be corrected at once on this page.'
          : `${formatCount(named.length, 'finding')} of this page can be corrected at once: back to what the register approves. Everything else stays as it is.`,
      ),
      ...buildCorrectionNotes([], { isRegisterChanged }),
      ...plans.slice(0, named.length).flat(),
      ...(named.length < planned.length ? buildLines([UNNAMED_HEADING, UNNAMED]) : []),
      ...plans.slice(named.length).flat(),
      ...buildLeftOut(leftOut),
      buildChoice(planned),
      ...(planned.some(({ mayBeStopped }) => mayBeStopped) ? [buildStopQuestion()] : []),
      buildReasonInput(reason),
    ],
    state,
  });
}

function buildStopQuestion(): InputBlock {
  const label = 'Is one of these agents stopped now? The service does not tell of all';
  const options = {
    not_stopped: 'None of them is stopped',
    leave_out: 'Some may be: leave out those that would run again',
  };
  const hint = 'Setting a limit also says whether the agent is stopped. Correct a stopped one by itself.';
  return buildRadioButtons<StopAnswer>(STOP_FIELD, label, options, { hint });
}

/** Undefined where it was not asked. */
export function readStopAnswer(values: FormValues): StopAnswer | undefined | 'missing' {
  if (values[STOP_FIELD] === undefined) return undefined;
  return readChoice(values, STOP_FIELD, ['not_stopped', 'leave_out']) ?? 'missing';
}

/** Nothing of the page can be corrected at once. */
export function buildNothingOnPage(leftOut: readonly LeftOut[]): ModalView {
  return buildReviewNotice(
    [buildSection('Nothing of this page can be corrected at once.'), ...buildLeftOut(leftOut)],
    REVIEW_TOPICS.correct_page,
  );
}

function buildLeftOut(leftOut: readonly LeftOut[]) {
  if (leftOut.length === 0) return [];
  return buildLines(['*Left out*', ...leftOut.map(({ name, why }) => `• ${name}: ${why}`)]);
}

/** The change ids that are ticked. */
export function readChosen(values: FormValues): string[] {
  return (values[CHOSEN_FIELD]?.[VALUE]?.selected_options ?? []).map(({ value }) => value);
}

/** Every change must be shown in full; with its name and warnings it has to fit into a few sections. */
const MAX_CHANGES_LENGTH = 1_500;

/** False where so much changes that it has to be confirmed separately. */
export function isShownWhole({ plan }: PlannedChange): boolean {
  return describeChanges(plan.rows).length <= MAX_CHANGES_LENGTH;
}

function describePlan({ change, again }: Omit<PlannedCorrection, 'changeId'>, index: number): string[] {
  const { rows, warnings } = change.plan;
  const texts = [...new Set(warnings.map(({ text }) => text))];
  return [
    `*${index + 1}.* ${kindOf(change).name(change)}`,
    ...(again === undefined ? [] : [`Set again: ${again}`]),
    describeChanges(rows),
    ...texts.map((text) => `:warning: ${text}`),
  ];
}

function buildChoice(planned: readonly PlannedCorrection[]): InputBlock {
  const options = planned.map(({ changeId, change }, index): PlainTextOption => {
    const name = kindOf(change).toPlainName(change);
    return { text: buildPlainText(toLine(`${index + 1}. ${name}`, MAX_OPTION_TEXT_LENGTH)), value: changeId };
  });
  const ticked = options.filter((_, index) => !planned[index]?.isUnnamed);
  return {
    type: 'input',
    block_id: CHOSEN_FIELD,
    label: buildPlainText('Correct these'),
    element: {
      type: 'checkboxes',
      action_id: VALUE,
      options,
      // Slack takes no empty list.
      ...(ticked.length === 0 ? {} : { initial_options: ticked }),
    },
  };
}

export function buildCorrecting({ corrections, ends }: CorrectionProgress): ModalView {
  const done = corrections.filter(({ changeId }) => ends.has(changeId)).length;
  return buildReviewNotice(
    [
      buildSection(`Correcting, one after the other: ${done} of ${corrections.length} done…`),
      ...corrections.map((one) => buildEnd(one, ends.get(one.changeId))),
      buildSection('You may close this: it goes on all the same, and you get a message about how it ended.'),
    ],
    REVIEW_TOPICS.correct_page,
  );
}

/** To a second confirmation, while the first is carried out. */
export function buildInHand({ corrections, ends }: CorrectionProgress): ModalView {
  return buildReviewNotice(
    [buildSection(IN_HAND), ...corrections.map((one) => buildEnd(one, ends.get(one.changeId)))],
    REVIEW_TOPICS.correct_page,
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
    ...corrections.map((one) => buildEnd(one, ends.get(one.changeId) ?? { kind: 'not_tried' })),
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
  const set = [...ends.values()].filter(isNotShown).length;
  const icon = verified + set === corrections.length ? ':white_check_mark:' : ':warning:';
  const done = `${icon} *Corrected*: ${verified + set} of ${formatCount(corrections.length, 'finding')}`;
  if (set === 0) return `${done}, and read back.`;
  return `${done}. ${formatCount(set, 'limit')} could not be read back, because the service does not show limits.`;
}

/** Set, on a service that shows no limits: there is nothing to look at again. */
function isNotShown(end: CorrectionEnd): boolean {
  return end.kind === 'applied_not_verified' && end.reason === 'not_offered';
}

function isVerified(end: CorrectionEnd): boolean {
  return end.kind === 'verified' || (end.kind === 'repeated' && end.ended === 'verified');
}

/** Long names and a long sentence together could be longer than a section. */
function buildEnd(correction: PlannedCorrection, end: CorrectionEnd | undefined): KnownBlock {
  return buildSection(shortenLines(describeEnd(correction, end), SECTION_LIMIT));
}

function describeEnd({ change }: PlannedCorrection, end: CorrectionEnd | undefined): string {
  const name = kindOf(change).name(change);
  switch (end?.kind) {
    case undefined:
      return `:hourglass: ${name}`;
    case 'verified':
      return `:white_check_mark: ${name}: *Verified*. ${describeChanges(change.plan.rows).slice(0, 1_500).toWellFormed()}`;
    case 'applied_not_verified':
      if (isNotShown(end)) return `:white_check_mark: ${name}: *Set*. ${NOT_SHOWN}`;
      return `:warning: ${name}: *Applied, not verified*. ${describeNotVerified(end.reason)}`;
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

function describeNotVerified(reason: string): string {
  if (reason === 'error_answer') return ERROR_ANSWER;
  return reason === 'no_answer' ? NO_ANSWER : NOT_VERIFIED;
}

const ERROR_ANSWER =
  'The service answered with an error that does not say whether it holds the new values. Look again before you correct it once more.';

const NO_ANSWER =
  'The service did not answer in time: it may or may not hold the new values. Look again before you correct it once more.';

const NOT_SHOWN =
  'The service took it, and does not show limits, so this could not be checked. It is remembered here, with its date.';

const NOT_VERIFIED = 'The service took it, and did not show it when it was read back. Look again in a few minutes.';

const CONFLICTS = {
  before_write: 'Somebody changed it after you saw the plan, so nothing was changed here. Review it again.',
  after_write:
    'It was sent, but the service shows something else: somebody may have changed it at once. Review it again.',
  unanswered:
    'The service did not confirm it, so it may or may not have been set, and now it shows something else. Review it again.',
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

// *Correct all on this page…*: every finding with what would change, and which of them are to be corrected.
import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { PlannedChange } from '../../slack/views/admin/planned-change.ts';
import { buildReasonInput } from '../../slack/views/admin/reason-field.ts';
import { formatCount } from '../../slack/views/admin/review/words.ts';
import { encodeReviewForm, type ReviewFormState } from '../../slack/views/admin/review-action/metadata.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { toLine } from '../../slack/views/shown-text.ts';
import { MAX_CHECKBOXES, MAX_OPTION_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { describeChanges, describePlanned } from '../review/decided-views.ts';
import { buildLines } from '../shell/blocks.ts';
import { buildCorrectionNotes, UNNAMED_HEADING } from './correct-words.ts';
import { buildReviewNotice, CORRECT_PAGE_TOPIC } from './review-action-views.ts';

export const CORRECT_PAGE_FORM = `${CORRECT_PAGE_TOPIC.id}_form`;

/** The block id. */
export const CHOSEN_FIELD = 'chosen';

const VALUE = 'value';

const UNNAMED =
  'The better first step is *Classify…*: it says what an environment is, and what is approved follows from that. Until then these go back to what the register has for environments that it does not name, which can stop all their agents. None of them is ticked.';

/** Plain values only: kept as JSON until it is confirmed. `changeId`: of this finding and this confirmation alone. */
export type PlannedCorrection = {
  changeId: string;
  change: PlannedChange;
  /** The register does not name it yet, so that it is done on an admin's word alone. */
  isUnnamed?: boolean | undefined;
};

/** A finding that has to be looked at by itself. `name` and `why` are mrkdwn. */
export type LeftOut = { name: string; why: string };

export type PlannedPage = {
  planned: PlannedCorrection[];
  leftOut: LeftOut[];
};

/** Each has a checkbox. */
export const MAX_PLANNED = MAX_CHECKBOXES;

/** Ticked is what the register names. `planned` holds that first; one at least, at most MAX_PLANNED, all shown whole. */
export function buildCorrectPageModal(
  { planned, leftOut }: PlannedPage,
  { state, reason, isRegisterChanged }: { state: ReviewFormState; reason: string; isRegisterChanged: boolean },
): ModalView {
  const named = planned.filter(({ isUnnamed }) => !isUnnamed);
  const plans = planned.map(({ change }, index) => buildLines(describePlan(change, index)));
  return {
    type: 'modal',
    callback_id: CORRECT_PAGE_FORM,
    title: buildPlainText(CORRECT_PAGE_TOPIC.title),
    submit: buildPlainText('Confirm'),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
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
      buildReasonInput(reason),
    ],
  };
}

/** Nothing of the page can be corrected at once. */
export function buildNothingOnPage(leftOut: readonly LeftOut[]): ModalView {
  return buildReviewNotice(
    [buildSection('Nothing of this page can be corrected at once.'), ...buildLeftOut(leftOut)],
    CORRECT_PAGE_TOPIC,
  );
}

export function buildLeftOut(leftOut: readonly LeftOut[]) {
  if (leftOut.length === 0) return [];
  return buildLines(['*Left out*', ...leftOut.map(({ name, why }) => `• ${name}: ${why}`)]);
}

type ViewValues = Record<string, Record<string, { selected_options?: { value: string }[] | null }>>;

/** The change ids that are ticked. */
export function readChosen(values: ViewValues): string[] {
  return (values[CHOSEN_FIELD]?.[VALUE]?.selected_options ?? []).map(({ value }) => value);
}

/** Nobody confirms what is not shown; with its name and warnings it has to fit into a few sections. */
const MAX_CHANGES_LENGTH = 1_500;

/** False: so much changes that it has to be looked at by itself. */
export function isShownWhole({ plan }: PlannedChange): boolean {
  return describeChanges(plan.rows).length <= MAX_CHANGES_LENGTH;
}

function describePlan(change: PlannedChange, index: number): string[] {
  const { rows, warnings } = change.plan;
  const texts = [...new Set(warnings.map(({ text }) => text))];
  return [
    `*${index + 1}.* ${describePlanned(change)}`,
    describeChanges(rows),
    ...texts.map((text) => `:warning: ${text}`),
  ];
}

function buildChoice(planned: readonly PlannedCorrection[]): InputBlock {
  const options = planned.map(({ changeId, change }, index): PlainTextOption => {
    const name = change.kind === 'limit' ? change.plan.agent.displayName : (change.environmentName ?? '');
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

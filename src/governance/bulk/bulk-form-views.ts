// *Correct all at once…*, before its preview: which kinds of findings, and whether agents are stopped.
import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { StopDecision } from '../inventory/agent-limit.ts';
import { CANDIDATE_KINDS, type CandidateKind } from '../review/bulk-candidates.ts';
import { formatCount } from '../review/finding-words.ts';
import type { ReportHead } from '../review/report.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { buildReviewForm, type ReviewFormState } from '../review-actions/review-action-views.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildRadioButtons, type FormValues, readChoice } from '../shell/form-fields.ts';
import { ITEM_WORDS } from './item-words.ts';

/** The block ids. */
export const KINDS_FIELD = 'kinds';
const STOPPED_FIELD = 'stopped';

const VALUE = 'value';

type Counts = NonNullable<ReportHead['candidates']>;

/** First of all: which kinds of findings. All are ticked. */
export function buildBulkForm({ counts, cut }: Counts, state: ReviewFormState, leftAlone: string[]): ModalView {
  const kinds = CANDIDATE_KINDS.filter((kind) => (counts[kind] ?? 0) > 0);
  const more = cut === 0 ? [] : [`${formatCount(cut, 'finding')} more than fit into one go: review again afterwards.`];
  const notes = [...leftAlone, ...more];
  const hasAgents = kinds.some((kind) => ITEM_WORDS[kind].one === 'agent');
  return buildReviewForm(REVIEW_TOPICS.correct_all, {
    submit: 'Preview',
    blocks: [
      buildSection('Nothing is changed before you confirm the preview.'),
      buildKinds(kinds, counts),
      ...(hasAgents ? [buildStopped()] : []),
      ...(notes.length === 0 ? [] : [buildNotes(notes)]),
    ],
    state,
  });
}

function buildKinds(kinds: readonly CandidateKind[], counts: Counts['counts']): InputBlock {
  const options = kinds.map((kind) => {
    const { one, what } = ITEM_WORDS[kind];
    return { text: buildPlainText(`${formatCount(counts[kind] ?? 0, one)} ${what}`), value: kind };
  });
  return {
    type: 'input',
    block_id: KINDS_FIELD,
    label: buildPlainText('Correct'),
    element: { type: 'checkboxes', action_id: VALUE, options, initial_options: options },
  };
}

/** Asked once for all of them. */
export function buildStopped(): InputBlock {
  const field = buildRadioButtons<StopDecision>(
    STOPPED_FIELD,
    'Are agents stopped whose state the service does not show?',
    { not_stopped: 'No, they run', keep_stopped: 'Yes, and they stay so' },
    { hint: 'Setting a limit also says whether the agent is stopped. Without an answer, they are left out.' },
  );
  return { ...field, optional: true };
}

export type BulkChoice = { kinds: CandidateKind[]; stopDecision: StopDecision | undefined };

export function readBulkForm(values: FormValues): BulkChoice {
  const ticked = (values[KINDS_FIELD]?.[VALUE]?.selected_options ?? []).map(({ value }) => value);
  return {
    kinds: CANDIDATE_KINDS.filter((kind) => ticked.includes(kind)),
    stopDecision: readStopped(values),
  };
}

/** Undefined where nobody said it. */
export function readStopped(values: FormValues): StopDecision | undefined {
  return readChoice(values, STOPPED_FIELD, ['not_stopped', 'keep_stopped'] as const);
}

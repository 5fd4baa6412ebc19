// What has to be asked before a correction can be planned.
import type { InputBlock, ModalView } from '@slack/types';
import { RULE_LABELS } from '../../../../governance/allocation/allocation-rows.ts';
import { RULE_TYPES } from '../../../../governance/allocation/credit-rules.ts';
import { buildStopQuestion } from '../../../../governance/limits/limit-form-views.ts';
import { describeFinding } from '../../../../governance/review/decided-views.ts';
import type { ChosenRule, Correction } from '../../../../governance/review/plan-correction.ts';
import { CORRECT_TOPIC } from '../../../../governance/review-actions/review-action-views.ts';
import { MAX_BLOCK_ID_LENGTH, MAX_MODAL_BLOCKS } from '../../../web/limits.ts';
import { buildPlainText, buildSection } from '../../content.ts';
import { toLine } from '../../shown-text.ts';
import { encodeReviewForm, type ReviewFormState } from './metadata.ts';

/** Both questions come back under this name. */
export const CORRECT_CHOICE_FORM = `${CORRECT_TOPIC.id}_choice`;

const VALUE = 'value';

type NeedsRules = Extract<Correction, { kind: 'needs_choice' }>;
type OpenRule = NeedsRules['open'][number];
type NeedsStop = Extract<Correction, { kind: 'needs_stop_decision' }>;

/** An update sets all four rules, and nobody says what these are to be. */
export function buildRuleChoice({ finding, open }: NeedsRules, state: ReviewFormState): ModalView {
  const why =
    'An update has to set all four rules. The register leaves these to the platform, or does not state them, and the service does not tell what holds now: choose what is to hold.';
  return buildChoice(
    [buildSection(`${describeFinding(finding, undefined)}\n${why}`), ...open.slice(0, MAX_RULES).map(buildRule)],
    state,
  );
}

/** Nobody may restart an agent, or stop one, by overlooking this. */
export function buildStopChoice({ finding, agent, stopped }: NeedsStop, state: ReviewFormState): ModalView {
  const why = 'Setting its limit also says whether the agent is stopped.';
  return buildChoice(
    [buildSection(`${describeFinding(finding, agent.environmentName)}\n${why}`), buildStopQuestion(stopped)],
    state,
  );
}

type ViewValues = Record<string, Record<string, { selected_option?: { value: string } | null }>>;

export function readChosenRules(values: ViewValues): ChosenRule[] {
  return Object.entries(values).flatMap(([blockId, fields]) => {
    const [name, ...rest] = blockId.split(':');
    const rule = RULE_TYPES.find((one) => one === name);
    const chosen = fields[VALUE]?.selected_option?.value;
    if (rule === undefined || chosen === undefined) return [];
    return [{ currencyType: rest.join(':'), rule, isOn: chosen === 'on' }];
  });
}

/** Leaves room for what stands above the rules. */
const MAX_RULES = MAX_MODAL_BLOCKS - 10;

function buildChoice(blocks: ModalView['blocks'], state: ReviewFormState): ModalView {
  return {
    type: 'modal',
    callback_id: CORRECT_CHOICE_FORM,
    title: buildPlainText(CORRECT_TOPIC.title),
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks,
  };
}

function buildRule({ currencyType, rule }: OpenRule): InputBlock {
  return {
    type: 'input',
    block_id: `${rule}:${currencyType}`.slice(0, MAX_BLOCK_ID_LENGTH),
    label: buildPlainText(`${RULE_LABELS[rule]} (${toLine(currencyType, 60)})`),
    element: {
      type: 'radio_buttons',
      action_id: VALUE,
      options: [
        { text: buildPlainText('On'), value: 'on' },
        { text: buildPlainText('Off'), value: 'off' },
      ],
    },
  };
}

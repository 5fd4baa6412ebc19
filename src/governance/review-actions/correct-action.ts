// *Correct…*: from a finding to the confirmation of what brings it back, or to what has to be asked before.

import { randomUUID } from 'node:crypto';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { english } from '../../languages/english.ts';
import { buildPlainText, buildSection, toLine } from '../../slack/views/content.ts';
import { buildProblemModal } from '../../slack/views/modal.ts';
import { MAX_BLOCK_ID_LENGTH, MAX_MODAL_BLOCKS } from '../../slack/web/limits.ts';
import { RULE_TYPES } from '../allocations/allocation.ts';
import { RULE_LABELS } from '../allocations/allocation-plan.ts';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { isConfirmable, TOO_MUCH_CHANGES } from '../confirmation/slack-confirmed-change.ts';
import { buildStopQuestion, readLimitForm } from '../limits/limit-form-views.ts';
import { describeFinding, describeOccasion } from '../review/decided-views.ts';
import {
  type ChosenRule,
  type Correction,
  type CorrectionWish,
  findCorrection,
  toCorrectionSources,
  toPlannedChange,
} from '../review/find-correction.ts';
import type { ReviewedFinding } from '../review/finding.ts';
import type { RecheckPorts } from '../review/recheck.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, type Reviewed, readFinding } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { buildSettingsButton, registerChooseSettings } from './choose-settings-action.ts';
import { buildCorrectionNotes, buildStuck } from './correction-views.ts';
import { type Pressed, type ReviewActionPorts, registerReviewAction, type Submitted } from './review-action.ts';
import { buildReviewForm, type ReviewFormState } from './review-action-views.ts';

export type CorrectPorts = ConfirmPorts & FindingPorts & RecheckPorts & ReviewActionPorts;

type Asked = Pick<Pressed, 'caller' | 'session' | 'modal' | 'state'>;

/** Both questions that may have to be asked first come back under this name. */
const CORRECT_CHOICE_FORM = `${REVIEW_TOPICS.correct.id}_choice`;

const VALUE = 'value';

/** Leaves room for the blocks above the rules. */
const MAX_RULES = MAX_MODAL_BLOCKS - 10;

/**
 * *Correct…* on a finding: what is there now is compared with the register as it is now, and the correction is confirmed
 * and carried out as any other change.
 */
export function registerReviewCorrect(shell: AdminShell, ports: CorrectPorts): void {
  registerReviewAction<CorrectionWish>(
    shell,
    {
      topic: REVIEW_TOPICS.correct,
      callbackId: CORRECT_CHOICE_FORM,
      working: REVIEW_TOPICS.correct.loading,
      open: (pressed) => show(pressed, {}, ports),
      read(values) {
        const { stopDecision } = readLimitForm(values);
        return { answer: { chosen: readChosenRules(values), stopDecision } };
      },
      submit: (submitted, wish) => goOn(submitted, wish, ports),
    },
    ports,
  );
  registerChooseSettings(shell, (submitted) => goOn(submitted, {}, ports), ports);
}

async function goOn({ caller, openSession, state, modal }: Submitted, wish: CorrectionWish, ports: CorrectPorts) {
  const session = await openSession();
  await show({ caller, session, modal, state: { ...state, id: randomUUID() } }, wish, ports);
}

async function show(asked: Asked, wish: CorrectionWish, ports: CorrectPorts): Promise<void> {
  const { state, session, modal } = asked;
  const found = await readFinding(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { finding, environmentName, approved } = found;
  const sources = toCorrectionSources(session, approved, ports);
  const correction = await findCorrection(finding, { ...wish, environmentName, settings: state.settings }, sources);
  await modal.show(await toView(correction, found, asked, ports));
}

async function toView(
  correction: Correction,
  { head, approved, finding, environmentName }: Reviewed & ReviewedFinding,
  { state, caller }: Asked,
  ports: CorrectPorts,
) {
  const { replyTo } = state;
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return buildStuck(correction, environmentName);
    case 'needs_choice':
      return buildRuleChoice(correction, state);
    case 'needs_stop_decision':
      return buildStopChoice(correction, state);
  }
  const change = toPlannedChange(correction);
  if (!isConfirmable(change)) return buildProblemModal(TOO_MUCH_CHANGES, REVIEW_TOPICS.correct, english);
  const reason = describeOccasion(head.at, await ports.timeZone(caller), [{ finding }]);
  const confirming = { caller, reason, replyTo };
  const view = await toConfirmation(kindOf(change), change, confirming, ports, false);
  const isRegisterChanged = head.registerHash !== approved.registerHash;
  const notes = buildCorrectionNotes(correction.left, { isRegisterChanged });
  return { ...view, blocks: [...notes, ...buildSettingsButton(correction.finding, state), ...view.blocks] };
}

type NeedsRules = Extract<Correction, { kind: 'needs_choice' }>;

type OpenRule = NeedsRules['open'][number];

type NeedsStop = Extract<Correction, { kind: 'needs_stop_decision' }>;

/** An update sets all four rules, and the register does not state these. */
export function buildRuleChoice({ finding, open }: NeedsRules, state: ReviewFormState): ModalView {
  const why =
    'An update has to set all four rules. The register leaves these to the platform, or does not state them, and the service does not tell what holds now: choose what is to hold.';
  return buildChoice(
    [buildSection(`${describeFinding(finding, undefined)}\n${why}`), ...open.slice(0, MAX_RULES).map(buildRule)],
    state,
  );
}

/** Must be answered, so that no agent is restarted or stopped by accident. */
export function buildStopChoice({ finding, agent, stopped }: NeedsStop, state: ReviewFormState): ModalView {
  const why = 'Setting its limit also says whether the agent is stopped.';
  return buildChoice(
    [buildSection(`${describeFinding(finding, agent.environmentName)}\n${why}`), buildStopQuestion(stopped)],
    state,
  );
}

export function readChosenRules(values: FormValues): ChosenRule[] {
  return Object.entries(values).flatMap(([blockId, fields]) => {
    const [name, ...rest] = blockId.split(':');
    const rule = RULE_TYPES.find((one) => one === name);
    const chosen = fields[VALUE]?.selected_option?.value;
    if (rule === undefined || chosen === undefined) return [];
    return [{ currencyType: rest.join(':'), rule, isOn: chosen === 'on' }];
  });
}

function buildChoice(blocks: KnownBlock[], state: ReviewFormState): ModalView {
  return buildReviewForm(REVIEW_TOPICS.correct, {
    submit: 'Review change',
    blocks,
    state,
    callbackId: CORRECT_CHOICE_FORM,
  });
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

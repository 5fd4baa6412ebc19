import { randomUUID } from 'node:crypto';
import type { InputBlock, ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildPlainText, buildSection, toLine } from '../../slack/views/content.ts';
import { buildProblemModal } from '../../slack/views/modal.ts';
import { MAX_BLOCK_ID_LENGTH, MAX_MODAL_BLOCKS } from '../../slack/web/limits.ts';
import { RULE_TYPES } from '../allocations/allocation.ts';
import { type AllocationConfirmPorts, toAllocationConfirm } from '../allocations/allocation-form.ts';
import { RULE_LABELS } from '../allocations/allocation-plan.ts';
import { isConfirmable, TOO_MUCH_CHANGES } from '../confirmation/confirmed-change.ts';
import { type LimitConfirmPorts, toLimitConfirm } from '../limits/limit-form.ts';
import { buildStopQuestion, readLimitForm } from '../limits/limit-form-views.ts';
import { type ChosenRule, type Correction, type CorrectionWish, findCorrection } from '../review/correction.ts';
import { describeFinding, describeOccasion } from '../review/decided-views.ts';
import { REVIEW_CORRECT_ACTION, type ReviewPlace } from '../review/finding-views.ts';
import {
  type FindingPorts,
  type LookPorts,
  type Reviewed,
  type ReviewedFinding,
  readFinding,
  toCorrectionSources,
} from '../review/reviewed-finding.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { Modal } from '../shell/modal.ts';
import { buildCorrectionNotes, buildStuck } from './correct-words.ts';
import { type FormPorts, onReviewButton, registerReviewForm } from './review-action.ts';
import { CORRECT_TOPIC, encodeReviewForm, type ReviewFormState } from './review-action-views.ts';

type Asked = {
  place: ReviewPlace;
  caller: Caller;
  session: AdminSession;
  modal: Modal;
  replyTo: string | undefined;
};

export type CorrectPorts = AllocationConfirmPorts & FindingPorts & FormPorts & LimitConfirmPorts & LookPorts;

/**
 * *Correct…* on a finding: what is there now is held against the register as it is now, and what would bring it back is
 * confirmed and carried out as any other change.
 */
export function registerReviewCorrect(shell: AdminShell, ports: CorrectPorts): void {
  const topic = CORRECT_TOPIC;
  onReviewButton(shell, { actionId: REVIEW_CORRECT_ACTION, topic }, (pressed) => show(pressed, {}, ports));
  registerReviewForm(
    shell,
    {
      callbackId: CORRECT_CHOICE_FORM,
      topic,
      working: topic.loading,
      check: (values) => {
        const wish = { chosen: readChosenRules(values), stopDecision: readLimitForm(values).stopDecision };
        return {
          async run({ caller, openSession, state, modal }) {
            const session = await openSession();
            await show({ caller, session, modal, place: state.place, replyTo: state.replyTo }, wish, ports);
          },
        };
      },
    },
    ports,
  );
}

async function show(asked: Asked, wish: CorrectionWish, ports: CorrectPorts): Promise<void> {
  const { place, session, modal } = asked;
  const found = await readFinding(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { finding, environmentName } = found;
  const sources = toCorrectionSources(session, found, ports);
  const correction = await findCorrection(finding, { ...wish, environmentName }, sources);
  await modal.show(await toView(correction, found, asked, ports));
}

async function toView(
  correction: Correction,
  { head, approved, environmentName }: Reviewed & ReviewedFinding,
  { place, caller, replyTo }: Asked,
  ports: CorrectPorts,
) {
  const state = { id: randomUUID(), place, replyTo };
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return buildStuck(correction, environmentName);
    case 'needs_choice':
      return buildRuleChoice(correction, state);
    case 'needs_stop_decision':
      return buildStopChoice(correction, state);
  }
  if (!isConfirmable(correction)) {
    return buildProblemModal(TOO_MUCH_CHANGES, CORRECT_TOPIC);
  }
  const confirming = { caller, reason: describeOccasion(head.at, await ports.timeZone(caller)), replyTo };
  const view =
    correction.kind === 'limit'
      ? await toLimitConfirm(correction.plan, confirming, ports, false)
      : await toAllocationConfirm(
          correction.plan,
          { ...confirming, environmentName: correction.finding.name },
          ports,
          false,
        );
  const isRegisterChanged = head.registerHash !== approved.registerHash;
  const notes = buildCorrectionNotes(correction.left, { isRegisterChanged, finding: correction.finding });
  return { ...view, blocks: [...notes, ...view.blocks] };
}

// What has to be asked before a correction can be planned.
/** Both questions come back under this name. */
const CORRECT_CHOICE_FORM = `${CORRECT_TOPIC.id}_choice`;

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

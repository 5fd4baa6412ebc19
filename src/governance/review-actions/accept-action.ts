import { randomUUID } from 'node:crypto';
import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { parseReason } from '../audit/audited-changes.ts';
import { findShadowedByFile } from '../review/decide-once.ts';
import { ACCEPT_TOPIC, describeFinding, formatLastDay, formatMoment } from '../review/decided-views.ts';
import {
  acceptDrift,
  approvesMore,
  type DecisionRequest,
  findLastDayProblem,
  toLatestDay,
} from '../review/decisions.ts';
import type { Difference, Finding } from '../review/finding.ts';
import { describeDifference, REVIEW_ACCEPT_ACTION } from '../review/finding-views.ts';
import { DECIDED_MEANWHILE, type StillThere } from '../review/recheck.ts';
import { describeGone, type LookPorts, lookAgain, readDecidable } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildLines, buildReasonInput, REASON_FIELD, readReason } from '../shell/blocks.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type DecidePorts, decideAndTell } from './decide-action.ts';
import {
  type Checked,
  type FormPorts,
  type FormValues,
  onReviewButton,
  type Pressed,
  registerReviewForm,
  type Submitted,
} from './review-action.ts';
import {
  buildDecisionApprover,
  buildDecisionSubmit,
  encodeReviewForm,
  type ReviewFormState,
} from './review-action-views.ts';

const NOTHING_OPEN = 'There is no drift here any more that could be accepted. Look at the review again.';

/** More than these fit into no modal, and nobody reads them. */
const MAX_DIFFERENCES = 200;

const TOO_MANY =
  'There are too many differences to accept them at once. Correct some of them, or state them in the register.';

export type AcceptPorts = DecidePorts & FormPorts & LookPorts & TimeZones;

/** *Accept…* on a finding in drift: the values that were found may stay until a day. */
export function registerReviewAccept(shell: AdminShell, ports: AcceptPorts): void {
  const button = { actionId: REVIEW_ACCEPT_ACTION, topic: ACCEPT_TOPIC };
  onReviewButton(shell, button, (pressed) => open(pressed, ports));
  const form = { callbackId: ACCEPT_FORM, topic: ACCEPT_TOPIC, working: 'Recording the exception…' };
  registerReviewForm(shell, { ...form, check: (values, now) => check(values, now, ports) }, ports);
}

async function open({ caller, place, modal, session, replyTo }: Pressed, ports: AcceptPorts): Promise<void> {
  const found = await readDecidable(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const [looked, timeZone] = await Promise.all([lookAgain(found, session, ports), ports.timeZone(caller)]);
  if ('problem' in looked) return modal.showProblem(looked.problem);
  const still = looked(found.approved);
  if (still.kind !== 'open') return modal.showProblem(describeGone(still, NOTHING_OPEN));
  const { finding, moved } = still;
  if (finding.differences.length + moved.length > MAX_DIFFERENCES) return modal.showProblem(TOO_MANY);
  const state = { id: randomUUID(), place, replyTo };
  const needsApprover = ports.needsApproval && approvesMore('exception', finding);
  const { environmentName, head } = found;
  const times = { foundAt: head.at, now: ports.now(), timeZone };
  await modal.show(buildAcceptModal(finding, { environmentName, moved, ...times, state, needsApprover }));
}

function check(values: FormValues, now: number, ports: AcceptPorts): Checked {
  const expiresOn = readLastDay(values);
  const problem = findLastDayProblem(expiresOn, now);
  const parsed = parseReason(readReason(values));
  if (problem !== undefined || !parsed.ok) {
    return {
      errors: {
        ...(problem === undefined ? {} : { [LAST_DAY_FIELD]: problem }),
        ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
      },
    };
  }
  return { run: (submitted) => accept(submitted, { expiresOn, reason: parsed.reason }, ports) };
}

/** Looks again: hours may have passed since the form was opened. */
async function accept(
  submitted: Submitted,
  { expiresOn, reason }: { expiresOn: string; reason: string },
  ports: AcceptPorts,
): Promise<void> {
  const { openSession, state, modal } = submitted;
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const looked = await lookAgain(found, await openSession(), ports);
  if ('problem' in looked) return modal.showProblem(looked.problem);
  const form = {
    topic: ACCEPT_TOPIC,
    reason,
    decide({ approved }: typeof found, request: DecisionRequest) {
      // Others may have accepted some of it while this waited for its turn.
      const still = looked(approved);
      if (still.kind !== 'open') return { problem: describeGone(still, DECIDED_MEANWHILE) };
      const decided = acceptDrift(still.finding, { ...request, expiresOn });
      const shadowed = 'record' in decided ? findShadowedByFile(decided.record, approved) : undefined;
      return shadowed === undefined ? decided : { problem: shadowed };
    },
    approvesMore: ({ approved }: typeof found) => isMore(looked(approved)),
  };
  await decideAndTell(submitted, form, ports);
}

function isMore(still: StillThere): boolean {
  return still.kind === 'open' && approvesMore('exception', still.finding);
}

// *Accept…*: drift that may stay for a while, at the values it has.
const ACCEPT_FORM = `${ACCEPT_TOPIC.id}_form`;

/** The block id. */
const LAST_DAY_FIELD = 'last_day';

const VALUE = 'value';

type AcceptOptions = {
  environmentName: string | undefined;
  /** They differ, too, but not as they were found. */
  moved: readonly Difference[];
  /** When the review found it: epoch ms. */
  foundAt: number;
  now: number;
  timeZone: string;
  state: ReviewFormState;
  /** A second admin has to approve it: asks who. */
  needsApprover?: boolean;
};

/** `finding`: what was found, and is still there. */
export function buildAcceptModal(
  finding: Finding,
  { environmentName, moved, foundAt, now, timeZone, state, needsApprover = false }: AcceptOptions,
): ModalView {
  const open = finding.differences.filter(({ exception }) => exception === undefined || exception.isExpired);
  const accepted = open.filter(({ found }) => found !== 'unknown');
  const untold = open.filter(({ found }) => found === 'unknown');
  const before = finding.differences.filter((difference) => !open.includes(difference));
  return {
    type: 'modal',
    callback_id: ACCEPT_FORM,
    title: buildPlainText(ACCEPT_TOPIC.title),
    submit: buildDecisionSubmit('Accept', needsApprover),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks: [
      buildSection(
        `${describeFinding(finding, environmentName)}\nYou accept this, as found on ${formatMoment(foundAt, timeZone)} and still there now, at exactly these values:`,
      ),
      ...buildLines(toBullets(accepted)),
      ...buildRest('Accepted already, and as it was:', before),
      ...buildRest('Not accepted, because its value cannot be read:', untold),
      ...buildRest('Not accepted, because it has changed since that review (review again to decide about it):', moved),
      buildLastDayInput(now),
      buildReasonInput(),
      ...buildDecisionApprover(needsApprover),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: 'Nothing is changed in the environment. Once a value moves on, or the last day is over, it is drift again.',
          },
        ],
      },
    ],
  };
}

type ViewValues = Record<string, Record<string, { selected_date?: string | null }>>;

/** YYYY-MM-DD as chosen; empty where nothing is. */
function readLastDay(values: ViewValues): string {
  return values[LAST_DAY_FIELD]?.[VALUE]?.selected_date ?? '';
}

function buildRest(title: string, differences: readonly Difference[]) {
  return differences.length === 0 ? [] : buildLines([title, ...toBullets(differences)]);
}

function toBullets(differences: readonly Difference[]): string[] {
  return differences.map((difference) => `• ${describeDifference(difference)}`);
}

function buildLastDayInput(now: number): InputBlock {
  return {
    type: 'input',
    block_id: LAST_DAY_FIELD,
    label: buildPlainText('Last day'),
    hint: buildPlainText(`A day after today, up to ${formatLastDay(toLatestDay(now))}. It counts as a whole, in UTC.`),
    element: { type: 'datepicker', action_id: VALUE, placeholder: buildPlainText('Choose a day') },
  };
}

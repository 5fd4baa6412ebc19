// *Accept…*: drift that may stay until a day, at exactly the values that were found.

import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { describeFinding } from '../review/decided-views.ts';
import { acceptDrift, findLastDayProblem, toLatestDay } from '../review/decisions.ts';
import { type Difference, type Finding, isOpen, onlyDifferences } from '../review/finding.ts';
import { describeDifference, formatDay, formatMoment } from '../review/finding-words.ts';
import { findShadowedByFile } from '../review/recheck.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildLines, buildNotes } from '../shell/blocks.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type Current, type DecidePorts, type FormRequest, registerReviewDecision } from './decide-action.ts';
import type { Filled } from './review-action.ts';
import { buildDecisionForm, type ReviewFormState } from './review-action-views.ts';
import { buildTicks, readTicks } from './settings-form.ts';

/** *Accept…* on a finding in drift. */
export function registerReviewAccept(shell: AdminShell, ports: DecidePorts): void {
  registerReviewDecision<'exception', Accepted>(
    shell,
    {
      kind: 'exception',
      working: 'Recording the exception…',
      nothingOpen: NOTHING_OPEN,
      buildForm: (current, request) => buildForm(current, request, ports),
      read: readAcceptForm,
      decide({ finding, approved }, { settings, ...request }) {
        const decided = acceptDrift(onlyDifferences(finding, settings), request);
        const shadowed = 'record' in decided ? findShadowedByFile(decided.record, approved) : undefined;
        return shadowed === undefined ? decided : { problem: shadowed };
      },
    },
    ports,
  );
}

const NOTHING_OPEN = 'There is no drift here any more that could be accepted. Look at the review again.';

/** More do not fit into a modal. */
const MAX_DIFFERENCES = 200;

const TOO_MANY =
  'There are too many differences to accept them at once. Correct some of them, or state them in the register.';

/** The block id. */
const LAST_DAY_FIELD = 'last_day';

const VALUE = 'value';

async function buildForm(
  { finding, moved, environmentName, head }: Current<'exception'>,
  { caller, state, needsApprover }: FormRequest,
  ports: DecidePorts,
) {
  if (finding.differences.length + moved.length > MAX_DIFFERENCES) return { problem: TOO_MANY };
  const times = { foundAt: head.at, now: ports.now(), timeZone: await ports.timeZone(caller) };
  return buildAcceptModal(finding, { environmentName, moved, ...times, state, needsApprover });
}

/** `settings`: those that are ticked, by toDifferenceKey; undefined: all. */
type Accepted = { expiresOn: string; settings: string[] | undefined };

function readAcceptForm(values: FormValues, now: number): Filled<Accepted> {
  const expiresOn = values[LAST_DAY_FIELD]?.[VALUE]?.selected_date ?? '';
  const problem = findLastDayProblem(expiresOn, now);
  const ticks = readTicks(values);
  if (problem === undefined && 'answer' in ticks) return { answer: { expiresOn, settings: ticks.answer } };
  return {
    errors: {
      ...('errors' in ticks ? ticks.errors : {}),
      ...(problem === undefined ? {} : { [LAST_DAY_FIELD]: problem }),
    },
  };
}

type AcceptOptions = {
  environmentName: string | undefined;
  /** They also differ, but not as they were found. */
  moved: readonly Difference[];
  /** When the review found it: epoch ms. */
  foundAt: number;
  now: number;
  timeZone: string;
  state: ReviewFormState;
  needsApprover?: boolean;
};

/** `finding`: what was found, and is still there. */
export function buildAcceptModal(
  finding: Finding,
  { environmentName, moved, foundAt, now, timeZone, state, needsApprover }: AcceptOptions,
): ModalView {
  const open = finding.differences.filter(isOpen);
  const accepted = open.filter(({ found }) => found !== 'unknown');
  const untold = open.filter(({ found }) => found === 'unknown');
  const before = finding.differences.filter((difference) => !open.includes(difference));
  return buildDecisionForm(REVIEW_TOPICS.exception, {
    submit: 'Accept',
    blocks: [
      buildSection(
        `${describeFinding(finding, environmentName)}\nYou accept this, as found on ${formatMoment(foundAt, timeZone)} and still there now, at exactly these values:`,
      ),
      ...buildLines(toBullets(accepted)),
      ...buildRest('Accepted already, and as it was:', before),
      ...buildRest('Not accepted, because its value cannot be read:', untold),
      ...buildRest('Not accepted, because it has changed since that review (review again to decide about it):', moved),
      ...buildTicks('Accept these', accepted),
      buildLastDayInput(now),
    ],
    foot: [
      buildNotes([
        'Nothing is changed in the environment. Once a value moves on, or the last day is over, it is drift again.',
      ]),
    ],
    state,
    needsApprover,
  });
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
    hint: buildPlainText(`A day after today, up to ${formatDay(toLatestDay(now))}. It counts as a whole, in UTC.`),
    element: { type: 'datepicker', action_id: VALUE, placeholder: buildPlainText('Choose a day') },
  };
}

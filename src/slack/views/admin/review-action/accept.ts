// *Accept…*: drift that may stay for a while, at the values it has.
import type { InputBlock, ModalView } from '@slack/types';
import {
  ACCEPT_TOPIC,
  describeFinding,
  formatLastDay,
  formatMoment,
} from '../../../../governance/review/decided-views.ts';
import type { Difference, Finding } from '../../../../governance/review/finding.ts';
import { toLatestDay } from '../../../../governance/review/last-day.ts';
import {
  buildDecisionApprover,
  buildDecisionSubmit,
} from '../../../../governance/review-actions/review-action-views.ts';
import { buildLines } from '../../../../governance/shell/blocks.ts';
import { buildPlainText, buildSection } from '../../content.ts';
import { buildReasonInput } from '../reason-field.ts';
import { describeDifference } from '../review/words.ts';
import { encodeReviewForm, type ReviewFormState } from './metadata.ts';

export const ACCEPT_FORM = `${ACCEPT_TOPIC.id}_form`;

/** The block id. */
export const LAST_DAY_FIELD = 'last_day';

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
export function readLastDay(values: ViewValues): string {
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

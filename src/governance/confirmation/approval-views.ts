// What waits for a second admin, and what became of it, in words (mrkdwn).

import { type Budget, fits, MESSAGE_BUDGET, measureBlocks } from '../../slack/text-out/message-budget.ts';
import { listAllocationRows } from '../../slack/views/admin/allocation/confirm.ts';
import { describeRow } from '../../slack/views/admin/change-confirm.ts';
import { describeChanged, topicOf } from '../../slack/views/admin/planned-change.ts';
import { describeDifference, describePerson } from '../../slack/views/admin/review/words.ts';
import { buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { formatTime } from '../../slack/views/shown-text.ts';
import type { ApprovalState } from '../approval/approval-state.ts';
import {
  ACCEPT_TOPIC,
  APPROVE_LIMIT_TOPIC,
  CLASSIFICATIONS,
  CLASSIFY_TOPIC,
  describeApproved,
  describeDefaults,
  describeFinding,
  formatLastDay,
} from '../review/decided-views.ts';
import { fitLines, packLines } from '../shell/blocks.ts';
import type { Pending, PlannedDecision } from './pending-change.ts';

type Planned = Pending['planned'];

/** What is asked for, as in *your change of the limit of X was approved*. */
export function describeAsked(planned: Planned, article: 'a' | 'the' | 'your'): string {
  if (planned.kind !== 'decision') return `${article} change of ${describeChanged(planned)}`;
  const { record, finding, environmentName } = planned;
  const name = describeFinding(finding, environmentName);
  switch (record.kind) {
    case 'exception':
      return `${article === 'a' ? 'an' : article} exception for the drift of ${name}`;
    case 'classification':
      return `${article} classification of ${name}`;
    case 'agent_limit':
      return `${article} limit in the register for ${name}`;
  }
}

export function topicOfAsked(planned: Planned): ModalTopic {
  return planned.kind === 'decision' ? TOPICS[planned.record.kind] : topicOf(planned);
}

const TOPICS = { exception: ACCEPT_TOPIC, classification: CLASSIFY_TOPIC, agent_limit: APPROVE_LIMIT_TOPIC };

/** Old → new and what it would break, or what is decided; a section each. */
export function describePlan(planned: Planned): string[] {
  if (planned.kind === 'decision') return packLines(listDecided(planned));
  const warnings = new Set(planned.plan.warnings.map(({ text }) => `:warning: ${text}`));
  const rows =
    planned.kind === 'limit' ? [planned.plan.rows.map(describeRow).join('\n')] : listAllocationRows(planned.plan);
  return [...rows, ...(warnings.size === 0 ? [] : [fitLines([...warnings])])];
}

/** The rest of a request counts 3,800 characters at worst, in 4 blocks. */
const MAX_PLAN: Budget = { blocks: 30, characters: MESSAGE_BUDGET.characters - 3_800 };

/** Whether an approver sees all of it. */
export function isShownToApprover(planned: Planned): boolean {
  return fits(measureBlocks(describePlan(planned).map(buildSection)), MAX_PLAN);
}

function listDecided({ record, finding, environmentName, defaults }: PlannedDecision): string[] {
  const name = describeFinding(finding, environmentName);
  switch (record.kind) {
    case 'exception': {
      const isAccepted = ({ setting, currency, found }: (typeof finding.differences)[number]) =>
        record.accepts.some((one) => one.setting === setting && one.currency === currency && one.value === found);
      return [
        `What was found may stay until ${formatLastDay(record.expiresOn)}, at exactly these values:`,
        ...finding.differences.filter(isAccepted).map((one) => `• ${describeDifference(one)}`),
      ];
    }
    case 'classification': {
      const owners = record.owners.map(describePerson).join(', ');
      return [
        `It counts as *${CLASSIFICATIONS[record.classification].toLowerCase()}* from then on, with what the register approves for that:`,
        ...describeDefaults(defaults),
        owners === '' ? 'No owners are named.' : `Owners: ${owners}`,
      ];
    }
    case 'agent_limit':
      return [`The register says from then on, for ${name}: *${describeApproved(record.limit)}*.`];
  }
}

/** What is said to whoever presses a button of a request that is over. */
export function describeClosed(state: ApprovalState | undefined, timeZone: string): string {
  switch (state?.kind) {
    case 'approved':
      return `This was approved on ${formatTime(state.at, timeZone)} already. A request is decided once.`;
    case 'rejected':
      return `This was rejected on ${formatTime(state.at, timeZone)} already, and nothing was changed.`;
    case 'withdrawn':
      return 'This request was withdrawn, and nothing was changed. If the change is still wanted, it has to be asked for again.';
    case 'asking':
    case 'asked':
      return `This request ran out on ${formatTime(state.expiresAt, timeZone)}, and nothing was changed. If the change is still wanted, it has to be asked for again.`;
    case undefined:
      return 'This request is over, and nothing can be decided about it any more. `/assistant-admin audit` shows what was changed.';
  }
}

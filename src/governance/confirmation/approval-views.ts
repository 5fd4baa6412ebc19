// What waits for a second admin, and what became of it: what the approver reads, and what who asked for it reads.

import type { AnyBlock, Button, ModalView } from '@slack/types';
import { type Budget, fits, MESSAGE_BUDGET, measureBlocks } from '../../slack/text-out/message-budget.ts';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  shortenLines,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { listWarnings } from '../changes/change-views.ts';
import { buildExportButton } from '../exports/slack-export.ts';
import { CLASSIFICATIONS, describeApproved, describeDefaults, describeFinding } from '../review/decided-views.ts';
import { describeDifference, describePerson, formatCount, formatDay } from '../review/finding-words.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import type { PlannedDecision } from '../review/reviewed-finding.ts';
import { fitLines, packLines, toSections } from '../shell/blocks.ts';
import { buildEndModal } from '../shell/modal.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { describeChanged, kindOf } from './change-kinds.ts';
import { hashShown } from './find-objection.ts';
import { type ApprovalState, isBulk, isDecision, type Pending, type PlannedBulk } from './pending-change.ts';

type Planned = Pending['planned'];

/** See buildExportButton: the value is the id of a bulk change. */
export const BULK_EXPORT = 'admin_bulk';

/** Of a bulk change, whatever it is made from. */
export const BULK_TOPIC: ModalTopic = {
  id: 'admin_bulk',
  title: 'Bulk change',
  loading: 'Looking up what would change…',
};

/** Whether an approver sees all of it. */
export function isShownToApprover(planned: Planned): boolean {
  return fits(measureBlocks(describePlan(planned).map(buildSection)), MAX_PLAN);
}

/** Takes the place of the confirmation while the approver is written to. */
export function buildAskingModal(change: PlannedChange, approver: string): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about it.';
  return buildApprovalModal(change, [
    buildSection(`Asking <@${approver}> to approve ${describeAsked(change, 'the')}…`),
    buildSection(note),
  ]);
}

export function buildAskedModal(planned: Planned, { blocks }: Content): ModalView {
  return buildApprovalModal(planned, blocks);
}

export function buildAsked(
  pending: Pending,
  { timeZone, isApproverSignedIn = true }: { timeZone: string; isApproverSignedIn?: boolean },
): Content {
  const { approver, planned, expiresAt } = pending;
  const yet = `Nothing is ${isDecision(pending) ? 'recorded' : 'changed'} yet.`;
  const text = `:hourglass_flowing_sand: *Waiting for approval*: <@${approver}> was asked to approve ${describeAsked(planned, 'the')}. ${yet}`;
  const next = `You get a direct message about how it ends. The request runs out on ${formatTime(expiresAt, timeZone)}; then ask again.`;
  const first = isApproverSignedIn
    ? []
    : [`<@${approver}> is not signed in for administration, and has to be before they can approve it.`];
  return toSections(text, [...describePlan(planned), ...first, next]);
}

/** The value of each is read by parseApprovalButton. */
export const APPROVE_ACTION = 'admin_approval_approve';
export const REJECT_ACTION = 'admin_approval_reject';

/** `isFileSent`: of the file with all of a bulk change. */
export function buildApprovalRequest(
  pending: Pending,
  { timeZone, isFileSent = false }: { timeZone: string; isFileSent?: boolean | undefined },
): Content {
  const { id, by, planned, expiresAt } = pending;
  const value = `${id}.${hashShown(pending)}`;
  const text = `<@${by.user}> asks you to approve ${describeAsked(planned, 'a')}.`;
  const note = `${describeEffect(pending)} This is open until ${formatTime(expiresAt, timeZone)}.`;
  return {
    text,
    blocks: fitBlocks([
      buildSection(text),
      ...buildPlan(pending),
      ...(planned.kind === 'bulk' ? [buildSection(describeRest(planned, isFileSent))] : []),
      {
        type: 'actions',
        elements: [...buildDecisions(pending, value), ...(isBulk(pending) ? [buildExportButton(BULK_EXPORT, id)] : [])],
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: note }] },
    ]),
  };
}

/** `shown`: the hash of what the message shows. */
export type ApprovalButton = { id: string; shown: string };

/** What loosens for many at once is the dangerous one of the two. */
function buildDecisions({ planned }: Pending, value: string): Button[] {
  const isBulkRequest = planned.kind === 'bulk';
  const approve = isBulkRequest ? `Approve all ${formatCredits(planned.total)}` : 'Approve';
  return [
    { ...buildButton(APPROVE_ACTION, approve, value), style: isBulkRequest ? 'danger' : 'primary' },
    { ...buildButton(REJECT_ACTION, 'Reject', value), ...(isBulkRequest ? {} : { style: 'danger' as const }) },
  ];
}

/** Above the file with all of a bulk change; its request comes next. */
export function buildFileComment({ by, planned }: Pending): string {
  return `<@${by.user}> needs your approval of ${describeAsked(planned, 'a')}: here is all of it, the request comes next.`;
}

function describeRest({ total }: PlannedBulk, isFileSent: boolean): string {
  const all = `${formatCredits(total)} in all, old and new, ${total === 1 ? 'is' : 'are'} in the file`;
  return isFileSent
    ? `*${all} above.* This message shows a part.`
    : `:warning: *${all} that I could not send.* This message shows a part: press *Export CSV* for the rest before you decide.`;
}

/** Neither part is secret: who may decide is checked at the click. Undefined where it is no such value. */
export function parseApprovalButton(value: string | undefined): ApprovalButton | undefined {
  const [, id, shown] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  return id === undefined || shown === undefined ? undefined : { id, shown };
}

/** The same message once it is decided: no buttons, and what came of it. `decision`: mrkdwn. */
export function buildDecidedRequest(pending: Pending, decision: string, outcome?: Content): Content {
  const asked = `<@${pending.by.user}> asked you to approve ${describeAsked(pending.planned, 'a')}.`;
  const told = outcome?.blocks ?? [];
  // An outcome that worked out repeats old → new, but for what has only begun.
  const isRepeated = told.length > 0 && !isBulk(pending);
  return {
    text: outcome?.text ?? decision,
    blocks: fitBlocks([
      buildSection(asked),
      ...(isRepeated ? [buildReason(pending)] : buildPlan(pending)),
      buildSection(decision),
      ...told,
    ]),
  };
}

/** For a message whose request is not kept any more: its text stays, its buttons go. `sentence`: mrkdwn. */
export function buildClosedRequest(blocks: readonly AnyBlock[], sentence: string): Content {
  const kept = blocks.filter(({ type }) => type === 'section');
  return { text: sentence, blocks: fitBlocks([...kept, buildSection(sentence)]) };
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

/** The content is in the words that the approver reads. `isSent`: false where nothing of a change was written. */
export function buildApproved(pending: Pending, { blocks }: Content, { isSent = true } = {}): Content {
  const { approver, planned } = pending;
  const how = isSent && !isDecision(pending) ? ' It was sent with their account.' : '';
  const text = `<@${approver}> approved ${describeAsked(planned, 'your')}.${how}`;
  return { text, blocks: fitBlocks([buildSection(text), ...blocks]) };
}

/** `reason`: of the approver. */
export function buildRejected({ approver, planned }: Pending, reason: string): Content {
  const text = `:x: *Rejected*: <@${approver}> rejected ${describeAsked(planned, 'your')}. Nothing was changed.`;
  const why = shortenLines(`Their reason: ${toMrkdwnName(reason, 500)}`, MAX_REASON);
  const next = 'If it is still wanted, agree with them, and ask for it again.';
  return toSections(text, [why, ...describePlan(planned), next]);
}

/** The rest of a request counts 3,800 characters at worst, in 4 blocks. */
const MAX_PLAN: Budget = { blocks: 30, characters: MESSAGE_BUDGET.characters - 3_800 };

/** Old → new and what it would break, or what is decided; a section each. */
function describePlan(planned: Planned): string[] {
  if (planned.kind === 'decision') return packLines(listDecided(planned));
  if (planned.kind === 'bulk') return packLines(planned.lines);
  const warnings = listWarnings(planned.plan);
  return [...kindOf(planned).listRows(planned.plan), ...(warnings.length === 0 ? [] : [fitLines(warnings)])];
}

function listDecided({ record, finding, environmentName, defaults }: PlannedDecision): string[] {
  const name = describeFinding(finding, environmentName);
  switch (record.kind) {
    case 'exception': {
      const isAccepted = ({ setting, currency, found }: (typeof finding.differences)[number]) =>
        record.accepts.some((one) => one.setting === setting && one.currency === currency && one.value === found);
      return [
        `What was found may stay until ${formatDay(record.expiresOn)}, at exactly these values:`,
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

/** What is asked for, as in *your change of the limit of X was approved*. */
export function describeAsked(planned: Planned, article: 'a' | 'the' | 'your'): string {
  if (planned.kind === 'bulk')
    return `${article} bulk change of ${formatCount(planned.total, planned.first.kind === 'classification' ? 'classification' : 'setting')}`;
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

function topicOfAsked(planned: Planned): ModalTopic {
  if (planned.kind === 'bulk') return BULK_TOPIC;
  return planned.kind === 'decision' ? REVIEW_TOPICS[planned.record.kind] : kindOf(planned).topic;
}

function buildApprovalModal(planned: Planned, blocks: ModalView['blocks']): ModalView {
  const { id, title } = topicOfAsked(planned);
  return buildEndModal(`${id}_approval`, title, blocks);
}

function describeEffect(pending: Pending): string {
  if (isBulk(pending)) return RUNS;
  return isDecision(pending) ? RECORDS : CHANGES;
}

const RUNS =
  'Approving has all of it carried out in the background, with your rights; both of you are in the audit log. Each change is checked once more before it is made. Nothing is changed until then.';

const CHANGES =
  'Approving makes the change at once, with your rights; both of you are in the audit log. Nothing is changed until then.';

const RECORDS =
  'Approving records it at once beside the register; both of you are in the audit log. Nothing is changed in the environment, and nothing counts until then.';

/** As it counts in a message. With it and what else stands in a request, all of a plan is shown: see isShownToApprover. */
const MAX_REASON = 1_000;

function buildPlan(pending: Pending): AnyBlock[] {
  return [...describePlan(pending.planned).map(buildSection), buildReason(pending)];
}

function buildReason({ reason }: Pending): AnyBlock {
  return buildSection(shortenLines(`Reason: ${toMrkdwnName(reason, 500)}`, MAX_REASON));
}

function buildButton(actionId: string, label: string, value: string): Button {
  return { type: 'button', action_id: actionId, text: buildPlainText(label), value };
}

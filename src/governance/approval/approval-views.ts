// The messages and windows of a request for approval, for the approver and the requester.
import type { AnyBlock, Button, ModalView } from '@slack/types';
import { formatDay } from '../../policy/policy.ts';
import {
  buildButton,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  shortenLines,
  toContent,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { listPlanLines, listPolicyEdits, type NameTarget, readUntil } from '../run/item-words.ts';
import type { FormWindow } from '../run/kept-form.ts';
import { buildActions, buildNotes, packLines, toSections } from '../shell/blocks.ts';
import { buildEndModal } from '../shell/modal.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import { hashShown } from './approval-rights.ts';
import type { Approval } from './approval-store.ts';

/** The value of each is read by parseApprovalButton. Written into messages: never rename. */
export const APPROVE_ACTION = 'approval_approve';
export const REJECT_ACTION = 'approval_reject';

/** `shown`: the hash of what the message shows. */
export type ApprovalButton = { id: string; shown: string };

/** Neither part is secret: who may decide is checked at the click. Undefined: `value` is no such value. */
export function parseApprovalButton(value: string | undefined): ApprovalButton | undefined {
  const [, id, shown] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  return id === undefined || shown === undefined ? undefined : { id, shown };
}

/** `isFileSent`: whether Slack took the file with the whole plan. Undefined: the message shows the whole plan. */
export type RequestOptions = { timeZone: string; name: NameTarget; isFileSent?: boolean | undefined };

export function buildApprovalRequest(approval: Approval, { timeZone, name, isFileSent }: RequestOptions): Content {
  const { by, expiresAt } = approval;
  const note = `If you approve, it is carried out at once, with your rights. Both of you are in the log. Open until ${formatTime(expiresAt, timeZone)}.`;
  const rest = isFileSent === undefined ? [] : [buildSection(isFileSent ? IN_FILE : NO_FILE)];
  return toContent(
    fitBlocks<AnyBlock>([
      buildSection(`<@${by.user}> asks you to approve ${describeCount(approval)}.`),
      ...buildPlan(approval, name),
      ...rest,
      ...buildActions(buildDecisions(approval)),
      buildNotes([note]),
    ]),
  );
}

/** Whether a request shows all of its plan. Whatever is cut says so with an ellipsis. */
export function isWhole({ blocks }: Content): boolean {
  return !JSON.stringify(blocks.filter(({ type }) => type === 'section')).includes('…');
}

const IN_FILE = '*All of it is in the file above.* This message shows a part.';

const NO_FILE =
  ':warning: *This message shows a part, and Slack did not take the file with all of it.* Ask the requester for the rest before you decide.';

function buildDecisions(approval: Approval): Button[] {
  const value = `${approval.id}.${hashShown(approval)}`;
  const count = countChanges(approval);
  const label = count > 1 ? `Approve all ${formatCredits(count)}` : 'Approve';
  return [
    { ...buildButton(APPROVE_ACTION, label, value), style: 'primary' as const },
    { ...buildButton(REJECT_ACTION, 'Reject…', value), style: 'danger' as const },
  ];
}

/** Goes with the file of the whole plan. The request comes next. */
export function buildFileComment(approval: Approval): string {
  return `<@${approval.by.user}> asks you to approve ${describeCount(approval)}: here is all of it, the request comes next.`;
}

export type AskedOptions = { timeZone: string; name: NameTarget; isApproverSignedIn: boolean };

/** For the requester. */
export function buildAsked(approval: Approval, { timeZone, name, isApproverSignedIn }: AskedOptions): Content {
  const { approver, expiresAt } = approval;
  const text = `:hourglass_flowing_sand: <@${approver}> was asked to approve ${describeCount(approval)}. Nothing is changed yet.`;
  const first = isApproverSignedIn ? [] : [`<@${approver}> has to sign in for administration first.`];
  const next = `You hear what they decide. The request ends on ${formatTime(expiresAt, timeZone)}.`;
  return toSections(text, [...packLines(listPlanLines(approval.plan, name)), ...first, next]);
}

export function buildAskedModal({ blocks }: Content): ModalView {
  return buildEndModal('approval_asked', 'Asked for approval', blocks);
}

/** The same message once it is decided: no buttons. `decision`: mrkdwn. */
export function buildDecidedRequest(approval: Approval, decision: string, name: NameTarget): Content {
  const asked = `<@${approval.by.user}> asked you to approve ${describeCount(approval)}.`;
  return toContent(fitBlocks<AnyBlock>([buildSection(asked), ...buildPlan(approval, name), buildSection(decision)]));
}

/** For the requester. */
export function buildRejected(approval: Approval, name: NameTarget): Content {
  const text = `:x: <@${approval.approver}> rejected ${describeCount(approval)}. Nothing was changed.`;
  return toSections(text, [
    describeReason('Their reason', approval.said ?? ''),
    ...packLines(listPlanLines(approval.plan, name)),
  ]);
}

/** For the requester. */
export function buildOutdated(approval: Approval, name: NameTarget): Content {
  const text = `:x: <@${approval.approver}> approved ${describeCount(approval)}. Somebody changed this meanwhile, so nothing was changed. If it is still wanted, ask for it again.`;
  return toSections(text, packLines(listPlanLines(approval.plan, name)));
}

/** Shown after a click on a request that is over; mrkdwn. */
export function describeClosed(approval: Approval | undefined, timeZone: string): string {
  if (approval === undefined) return 'This request is too old. `/assistant-admin log` shows what was changed.';
  const { state, decidedAt = 0, expiresAt } = approval;
  switch (state) {
    case 'approved':
      return `This was approved on ${formatTime(decidedAt, timeZone)}. A request is decided once.`;
    case 'rejected':
      return `This was rejected on ${formatTime(decidedAt, timeZone)}, and nothing was changed.`;
    case 'withdrawn':
      return 'This request was withdrawn, and nothing was changed. If it is still wanted, it has to be asked for again.';
    default:
      return `This request ended on ${formatTime(expiresAt, timeZone)}, and nothing was changed. If it is still wanted, it has to be asked for again.`;
  }
}

/** For a message whose request is over: its text stays, its buttons go. `sentence`: mrkdwn. */
export function buildClosedRequest(blocks: readonly AnyBlock[], sentence: string): Content {
  const kept = blocks.filter(({ type }) => type === 'section');
  return toContent(fitBlocks([...kept, buildSection(sentence)]));
}

export function buildRejectForm(approval: Approval): FormWindow {
  const who = `<@${approval.by.user}>`;
  const asked = `${who} asked you to approve ${describeCount(approval)}.`;
  return {
    submit: 'Reject',
    blocks: [buildSection(`${asked}\n${describeReason('Their reason', approval.reason)}`)],
    note: `${who} gets your reason in a direct message. Nothing is changed.`,
  };
}

/** Replaces the form. `sentence`: mrkdwn. */
export function buildRejectEnd(sentence: string): ModalView {
  return buildEndModal('approval_reject_end', 'Reject', [buildSection(sentence)]);
}

function describeCount(approval: Approval): string {
  const count = countChanges(approval);
  return `${count === 1 ? 'a change' : formatCount(count, 'change')} (plan ${approval.plan.id})`;
}

/** As many as the message and the file list. */
function countChanges({ plan }: Approval): number {
  return listPolicyEdits(plan).length + plan.items.length;
}

/** The warnings, old → new, the last day and the reason. */
function buildPlan({ plan, warnings, reason }: Approval, name: NameTarget): AnyBlock[] {
  const until = readUntil(plan.edits);
  const why = describeReason('Reason', reason);
  const last = until === undefined ? why : `Until ${formatDay(until)}. ${why}`;
  const alarms = warnings.map((warning) => `:warning: ${warning}`);
  return [...packLines([...alarms, ...listPlanLines(plan, name)]), last].map(buildSection);
}

/** Short enough to leave room for the rest of a section. */
function describeReason(label: string, reason: string): string {
  return shortenLines(`${label}: ${toMrkdwnName(reason, 500)}`, 1_000);
}

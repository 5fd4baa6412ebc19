// The messages and windows of a request for approval, for the approver and the requester.
import type { Button, KnownBlock, ModalView, SectionBlock } from '@slack/types';
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

/** `isInFile`: a file with the whole plan was sent before. */
export type RequestOptions = { timeZone: string; name: NameTarget; isInFile: boolean };

/** `isWhole`: whether it shows every warning, every line of the plan and the reason, uncut. If not, the approver needs a file. */
export function buildApprovalRequest(
  approval: Approval,
  { timeZone, name, isInFile }: RequestOptions,
): { content: Content; isWhole: boolean } {
  const { by, expiresAt, plan, warnings, reason } = approval;
  const note = `If you approve, it is carried out at once, with your rights. Both of you are in the log. Open until ${formatTime(expiresAt, timeZone)}.`;
  const blocks = fitBlocks<KnownBlock>([
    buildSection(`<@${by.user}> asks you to approve ${describeCount(approval)}.`),
    ...buildPlan(approval, name),
    ...(isInFile ? [buildSection(IN_FILE)] : []),
    ...buildActions(buildDecisions(approval)),
    buildNotes([note]),
  ]);
  const shown = blocks.flatMap((block) => (block.type === 'section' ? (block.text?.text ?? []) : [])).join('\n');
  const { lines, more } = listPlanLines(plan, name);
  // Compared with what is shown in the end: texts are shortened in several places.
  const parts = [[...warnings.map(toAlarm), ...lines].join('\n'), toMrkdwnName(reason, Infinity)];
  return { content: toContent(blocks), isWhole: more === 0 && parts.every((part) => shown.includes(part)) };
}

const IN_FILE = '*All of it is in the file above.* This message shows a part.';

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
  return toSections(text, [...packPlan(approval, name), ...first, next]);
}

export function buildAskedModal({ blocks }: Content): ModalView {
  return buildEndModal('approval_asked', 'Asked for approval', blocks);
}

/** The same message once it is decided: no buttons. `decision`: mrkdwn. */
export function buildDecidedRequest(approval: Approval, decision: string, name: NameTarget): Content {
  const asked = `<@${approval.by.user}> asked you to approve ${describeCount(approval)}.`;
  return toContent(fitBlocks([buildSection(asked), ...buildPlan(approval, name), buildSection(decision)]));
}

/** For the requester. */
export function buildRejected(approval: Approval, name: NameTarget): Content {
  const text = `:x: <@${approval.approver}> rejected ${describeCount(approval)}. Nothing was changed.`;
  return toSections(text, [describeReason('Their reason', approval.said ?? ''), ...packPlan(approval, name)]);
}

/** For the requester. */
export function buildOutdated(approval: Approval, name: NameTarget): Content {
  const text = `:x: <@${approval.approver}> approved ${describeCount(approval)}. Somebody changed this meanwhile, so nothing was changed. If it is still wanted, ask for it again.`;
  return toSections(text, packPlan(approval, name));
}

/** For the approver: what they decided, now or before, or why there is nothing to decide any more; mrkdwn. */
export function describeDecision(approval: Approval | undefined, timeZone: string): string {
  if (approval === undefined) return 'This request is too old. `/assistant-admin log` shows what was changed.';
  const { state, decidedAt = 0, expiresAt } = approval;
  switch (state) {
    case 'approved':
      return `✓ You approved this on ${formatTime(decidedAt, timeZone)}.`;
    case 'rejected':
      return `:x: You rejected this on ${formatTime(decidedAt, timeZone)}. Nothing was changed.`;
    case 'withdrawn':
      return 'This request was withdrawn, and nothing was changed. If it is still wanted, it has to be asked for again.';
    default:
      return `This request ended on ${formatTime(expiresAt, timeZone)}, and nothing was changed. If it is still wanted, it has to be asked for again.`;
  }
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
function buildPlan(approval: Approval, name: NameTarget): SectionBlock[] {
  const { plan, warnings, reason } = approval;
  const until = readUntil(plan.edits);
  const why = describeReason('Reason', reason);
  const last = until === undefined ? why : `Until ${formatDay(until)}. ${why}`;
  const alarms = packLines(warnings.map(toAlarm));
  return [...alarms, ...packPlan(approval, name), last].map(buildSection);
}

const toAlarm = (warning: string) => `:warning: ${warning}`;

/** The texts of sections. */
function packPlan({ plan }: Approval, name: NameTarget): string[] {
  const { lines, more } = listPlanLines(plan, name);
  return packLines(lines, more);
}

/** Short enough to leave room for the rest of a section. */
function describeReason(label: string, reason: string): string {
  return shortenLines(`${label}: ${toMrkdwnName(reason, 500)}`, 1_000);
}

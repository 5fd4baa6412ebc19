// What who asked for a change hears of it while a second admin is to decide, and afterwards.
import type { ModalView } from '@slack/types';
import type { PendingChange } from '../../../governance/approval/pending-change.ts';
import type { Content } from '../content.ts';
import { describePlan } from './approval-words.ts';
import { buildPlainText, buildSection, formatTime } from './limit-words.ts';
import { describeChanged, type PlannedChange, topicOf } from './planned-change.ts';

/** Takes the place of the confirmation while the approver is written to. */
export function buildAskingModal(change: PlannedChange, approver: string): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about it.';
  return buildEndModal(change, [
    buildSection(`Asking <@${approver}> to approve the change of ${describeChanged(change)}…`),
    buildSection(note),
  ]);
}

export function buildAskedModal(change: PlannedChange, { blocks }: Content): ModalView {
  return buildEndModal(change, blocks);
}

export function buildAsked(
  { approver, planned, expiresAt }: PendingChange,
  { timeZone }: { timeZone: string },
): Content {
  const text = `:hourglass_flowing_sand: *Waiting for approval*: <@${approver}> was asked to approve the change of ${describeChanged(planned)}. Nothing is changed yet.`;
  const next = `You get a direct message about how it ends. The request runs out on ${formatTime(expiresAt, timeZone)}; then ask again.`;
  return toContent(text, [...describePlan(planned), next]);
}

/** `outcome` is in the words that the approver reads. */
export function buildApproved({ approver, planned }: PendingChange, { blocks }: Content): Content {
  const text = `<@${approver}> approved your change of ${describeChanged(planned)}. It was sent with their account.`;
  return { text, blocks: [buildSection(text), ...blocks] };
}

export function buildRejected({ approver, planned }: PendingChange): Content {
  const text = `:x: *Rejected*: <@${approver}> rejected your change of ${describeChanged(planned)}. Nothing was changed.`;
  return toContent(text, [...describePlan(planned), 'Ask them why before you ask for it again.']);
}

function toContent(headline: string, details: string[]): Content {
  return { text: headline, blocks: [headline, ...details].map(buildSection) };
}

/** Closing it closes the form below as well: what that shows waits for somebody else now. */
function buildEndModal(change: PlannedChange, blocks: ModalView['blocks']): ModalView {
  const { id, title } = topicOf(change);
  return {
    type: 'modal',
    callback_id: `${id}_approval`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

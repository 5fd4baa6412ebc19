// What who asked for something hears of it while a second admin is to decide, and afterwards.
import type { ModalView } from '@slack/types';
import { describeAsked, describePlan, topicOfAsked } from '../../../../governance/confirmation/approval-views.ts';
import { isDecision, type Pending } from '../../../../governance/confirmation/pending-change.ts';
import { buildPlainText, buildSection, type Content } from '../../content.ts';
import { fitBlocks } from '../../fit-blocks.ts';
import { formatTime } from '../../shown-text.ts';
import type { PlannedChange } from '../planned-change.ts';

/** Takes the place of the confirmation while the approver is written to. */
export function buildAskingModal(change: PlannedChange, approver: string): ModalView {
  const note = 'You may close this: it goes on all the same, and you get a message about it.';
  return buildEndModal(change, [
    buildSection(`Asking <@${approver}> to approve ${describeAsked(change, 'the')}…`),
    buildSection(note),
  ]);
}

export function buildAskedModal(planned: Pending['planned'], { blocks }: Content): ModalView {
  return buildEndModal(planned, blocks);
}

export function buildAsked(pending: Pending, { timeZone }: { timeZone: string }): Content {
  const { approver, planned, expiresAt } = pending;
  const yet = `Nothing is ${isDecision(pending) ? 'recorded' : 'changed'} yet.`;
  const text = `:hourglass_flowing_sand: *Waiting for approval*: <@${approver}> was asked to approve ${describeAsked(planned, 'the')}. ${yet}`;
  const next = `You get a direct message about how it ends. The request runs out on ${formatTime(expiresAt, timeZone)}; then ask again.`;
  return toContent(text, [...describePlan(planned), next]);
}

/** `outcome` is in the words that the approver reads. */
export function buildApproved(pending: Pending, { blocks }: Content): Content {
  const { approver, planned } = pending;
  const how = isDecision(pending) ? '' : ' It was sent with their account.';
  const text = `<@${approver}> approved ${describeAsked(planned, 'your')}.${how}`;
  return { text, blocks: fitBlocks([buildSection(text), ...blocks]) };
}

export function buildRejected({ approver, planned }: Pending): Content {
  const text = `:x: *Rejected*: <@${approver}> rejected ${describeAsked(planned, 'your')}. Nothing was changed.`;
  return toContent(text, [...describePlan(planned), 'Ask them why before you ask for it again.']);
}

function toContent(headline: string, details: string[]): Content {
  return { text: headline, blocks: fitBlocks([headline, ...details].map(buildSection)) };
}

/** Closing it closes the form below as well: what that shows waits for somebody else now. */
function buildEndModal(planned: Pending['planned'], blocks: ModalView['blocks']): ModalView {
  const { id, title } = topicOfAsked(planned);
  return {
    type: 'modal',
    callback_id: `${id}_approval`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

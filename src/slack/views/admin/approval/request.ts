// What the second admin gets: what was planned, why, and two buttons; and what that message says afterwards.
import type { AnyBlock, Button } from '@slack/types';
import { describeAsked, describePlan } from '../../../../governance/confirmation/approval-views.ts';
import { isDecision, type Pending } from '../../../../governance/confirmation/pending-change.ts';
import { buildPlainText, buildSection, type Content } from '../../content.ts';
import { fitBlocks, shortenLines } from '../../fit-blocks.ts';
import { formatTime, toMrkdwnName } from '../../shown-text.ts';

/** The value of each is read by parseApprovalId. */
export const APPROVE_ACTION = 'admin_approval_approve';
export const REJECT_ACTION = 'admin_approval_reject';

/** As it counts in a message. With it and what else stands in a request, all of a plan is shown: see isShownToApprover. */
const MAX_REASON = 1_000;

type Shown = { timeZone: string };

const CHANGES =
  'Approving makes the change at once, with your rights; both of you are in the audit log. Nothing is changed until then.';

const RECORDS =
  'Approving records it at once beside the register; both of you are in the audit log. Nothing is changed in the environment, and nothing counts until then.';

export function buildApprovalRequest(pending: Pending, { timeZone }: Shown): Content {
  const { id, by, planned, expiresAt } = pending;
  const text = `<@${by.user}> asks you to approve ${describeAsked(planned, 'a')}.`;
  const note = `${isDecision(pending) ? RECORDS : CHANGES} This is open until ${formatTime(expiresAt, timeZone)}.`;
  return {
    text,
    blocks: fitBlocks([
      buildSection(text),
      ...buildPlan(pending),
      {
        type: 'actions',
        elements: [
          { ...buildButton(APPROVE_ACTION, 'Approve', id), style: 'primary' },
          { ...buildButton(REJECT_ACTION, 'Reject', id), style: 'danger' },
        ],
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: note }] },
    ]),
  };
}

/** The same message once it is decided: no buttons, and what came of it. `decision`: mrkdwn. */
export function buildDecidedRequest(pending: Pending, decision: string, outcome?: Content): Content {
  const asked = `<@${pending.by.user}> asked you to approve ${describeAsked(pending.planned, 'a')}.`;
  // An outcome that worked out repeats old → new.
  const told = outcome?.blocks ?? [];
  return {
    text: outcome?.text ?? decision,
    blocks: fitBlocks([
      buildSection(asked),
      ...(told.length > 0 ? [buildReason(pending)] : buildPlan(pending)),
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

/** The id of the request; it is not secret: who may decide is checked at the click. */
export function parseApprovalId(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

function buildPlan(pending: Pending): AnyBlock[] {
  return [...describePlan(pending.planned).map(buildSection), buildReason(pending)];
}

function buildReason({ reason }: Pending): AnyBlock {
  return buildSection(shortenLines(`Reason: ${toMrkdwnName(reason, 500)}`, MAX_REASON));
}

function buildButton(actionId: string, label: string, value: string): Button {
  return { type: 'button', action_id: actionId, text: buildPlainText(label), value };
}

// *Correct…*, where there is no plan to confirm, and what is said above one that there is.

import type { KnownBlock, ModalView } from '@slack/types';
import type { LeftDifference } from '../review/correction.ts';
import { describeFinding, describeLeft } from '../review/decided-views.ts';
import type { Correction } from '../review/find-correction.ts';
import type { Finding } from '../review/finding.ts';
import { describeReason } from '../review/finding-words.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { buildLines } from '../shell/blocks.ts';
import { buildReviewNotice } from './review-action-views.ts';

type Stuck = Extract<Correction, { kind: 'nothing' | 'amount_not_told' }>;

/** For a confirmation that is shown: in front of its own blocks. */
export function buildCorrectionNotes(
  left: readonly LeftDifference[],
  { isRegisterChanged }: { isRegisterChanged: boolean },
): KnownBlock[] {
  const notes = [
    ...(isRegisterChanged
      ? ["The register's file was changed since this review: what follows is what it approves now."]
      : []),
    ...(left.length === 0 ? [] : ['Left as it is:', ...describeLeft(left)]),
  ];
  return buildLines(notes);
}

export function buildStuck(stuck: Stuck, environmentName: string | undefined): ModalView {
  const name = describeFinding(stuck.finding, environmentName);
  return buildReviewNotice(
    buildLines([`${name}: ${describeStuck(stuck)}`, ...describeLeft(stuck.left)]),
    REVIEW_TOPICS.correct,
  );
}

/** Why there is nothing to confirm, in mrkdwn. */
export function describeStuck(stuck: Stuck): string {
  const { kind, finding, left } = stuck;
  if (kind === 'amount_not_told') {
    return 'the register does not state what is to be allocated, and what is allocated now cannot be read. Set it with `/assistant-admin allocation`.';
  }
  if (left.length > 0) return 'nothing of what still differs can be corrected from here.';
  return describeStatus(finding);
}

function describeStatus({ kind, status, reason }: Finding): string {
  switch (status) {
    case 'compliant':
      return 'it is as the register approves by now. There is nothing to be done.';
    case 'as_far_as_told':
      return 'as far as the service tells, it is as the register approves by now. There is nothing to be done.';
    case 'approved_exception':
      return 'all that differs is accepted by now. There is nothing to be done.';
    case 'unreadable':
      return `nothing can be corrected, because ${describeReason(reason ?? 'unexpected', kind)}.`;
    case 'unclassified':
      return kind === 'environment'
        ? 'the register does not name it, so nothing says what is approved. *Classify…* it first.'
        : 'the register says nothing about its limit. *Approve limit…* first.';
    default:
      return 'there is nothing that could be corrected from here by now. Look at the review again.';
  }
}

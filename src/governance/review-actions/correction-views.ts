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

const UNNAMED_HEADING = '*Not in the register yet*';

const UNNAMED: Record<Finding['kind'], string> = {
  environment:
    'The better first step is *Classify…*: it says what this environment is, and what is approved follows from that. Until then this goes back to what the register has for environments that it does not name, which can stop all its agents.',
  agent:
    'The better first step is *Classify…* on its environment: what limit is approved follows from that. Until then this goes back to what the register has for agents in environments that it does not name, which can stop the agent.',
};

const AS_UNNAMED: Record<Finding['kind'], string> = {
  environment: 'it is as the register has it for environments that it does not name. *Classify…* it.',
  agent: 'it is as the register has it for agents in environments that it does not name. *Classify…* its environment.',
};

/** Compared with the register's defaults for unlisted environments. */
function isUnnamed({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'unclassified';
}

/** For a confirmation that is shown: in front of its own blocks. */
export function buildCorrectionNotes(
  left: readonly LeftDifference[],
  { isRegisterChanged, finding }: { isRegisterChanged: boolean; finding?: Finding | undefined },
): KnownBlock[] {
  const notes = [
    ...(finding !== undefined && isUnnamed(finding) ? [UNNAMED_HEADING, UNNAMED[finding.kind]] : []),
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
  return stuck.isAsUnnamed ? AS_UNNAMED[finding.kind] : describeStatus(finding);
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

import type { Finding, UnreadableReason } from '../finding.ts';
import { listFindings, type Review } from '../review.ts';

/**
 * Why a review as a whole says nothing, though it came to an end: compared with the one before, it would be a flood of
 * news that is none. A list that is only not complete is no such failure, and neither are some that could not be read.
 */
export function findWholeFailure(review: Review): UnreadableReason | undefined {
  const { gaps, summary } = review;
  const gap = [gaps.environments, gaps.agents].find((one) => one !== undefined && one !== 'inventory_truncated');
  if (gap !== undefined) return gap;
  // Whatever came after that was not even asked for.
  if (summary.unreadable.admin_unauthorized !== undefined) return 'admin_unauthorized';
  const findings = [...listFindings(review)];
  const environments = findings.filter(({ kind, status }) => kind === 'environment' && status !== 'vanished');
  const agents = findings.filter((finding) => finding.kind === 'agent' && finding.approvedLimit !== undefined);
  return findCommon(environments) ?? findCommon(agents);
}

/** The failure of a call that kept more than half of them from being read. */
function findCommon(findings: readonly Finding[]): UnreadableReason | undefined {
  const byReason = Map.groupBy(
    findings.filter(({ reason }) => reason !== undefined && isFailure(reason)),
    ({ reason }) => reason,
  );
  return [...byReason].find(([, failed]) => failed.length > findings.length / 2)?.[0];
}

function isFailure(reason: UnreadableReason): boolean {
  return reason.startsWith('admin_') || reason === 'unexpected';
}

// What a channel reads about a review: the changes, the most important first.
import { drawsOnTenantPool, type Finding, findOpen, type UnreadableReason } from '../review/finding.ts';
import type { ReviewDiff } from '../review/review-diff.ts';
import { listFindings, type Review } from '../review/review-summary.ts';

/** From what matters most to what matters least. */
export const GRAVITIES = [
  /** Newly draws on the pool that is everybody's. */
  'tenant_pool',
  /** Drift that allows more than is approved. */
  'looser',
  'drift',
  'unclassified',
  'unreadable',
  'vanished',
  'accepted',
] as const;

export type Gravity = (typeof GRAVITIES)[number];

/** `environmentName`: of an agent's environment, for people; untrusted. */
export type NewsItem = {
  change: 'new' | 'changed';
  gravity: Gravity;
  finding: Finding;
  environmentName: string | undefined;
};

export type ReviewNews = Pick<ReviewDiff, 'isFirst' | 'isRegisterChanged'> & {
  /** What matters most comes first. */
  items: NewsItem[];
  resolved: Finding[];
  gone: number;
};

export function toNews({ isFirst, isRegisterChanged, changes }: ReviewDiff, review: Review): ReviewNews {
  const names = new Map(review.environments.map(({ environment }) => [environment.environmentId, environment.name]));
  const items: NewsItem[] = [];
  const resolved: Finding[] = [];
  for (const { kind, finding } of changes) {
    if (finding === undefined || kind === 'gone') continue;
    if (kind === 'resolved') resolved.push(finding);
    else {
      const environmentName = finding.kind === 'agent' ? names.get(finding.environmentId) : undefined;
      items.push({ change: kind, gravity: toGravity(finding), finding, environmentName });
    }
  }
  items.sort((one, other) => GRAVITIES.indexOf(one.gravity) - GRAVITIES.indexOf(other.gravity));
  return { isFirst, isRegisterChanged, items, resolved, gone: changes.filter(({ kind }) => kind === 'gone').length };
}

export function hasNews({ items, resolved, gone }: ReviewNews): boolean {
  return items.length > 0 || resolved.length > 0 || gone > 0;
}

function toGravity(finding: Finding): Gravity {
  switch (finding.status) {
    case 'drift': {
      const looser = findOpen(finding).filter(({ way }) => way === 'looser');
      if (looser.some(({ setting }) => setting === 'TenantPool')) return 'tenant_pool';
      return looser.length > 0 ? 'looser' : 'drift';
    }
    case 'unclassified':
      return finding.kind === 'environment' && drawsOnTenantPool(finding) ? 'tenant_pool' : 'unclassified';
    case 'unreadable':
    case 'vanished':
      return finding.status;
    default:
      return 'accepted';
  }
}

/**
 * Why a review that was finished must not be compared with the one before: it would report news that is none. A list that
 * is merely incomplete is no such failure, and neither are a few environments or agents that could not be read.
 */
export function findWholeFailure(review: Review): UnreadableReason | undefined {
  const { gaps, summary } = review;
  const gap = [gaps.environments, gaps.agents].find((one) => one !== undefined && one !== 'inventory_truncated');
  if (gap !== undefined) return gap;
  // Nothing after that was even asked for.
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

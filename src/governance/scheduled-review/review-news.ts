// What of a review is told to a channel: what changed, and what matters most of that.
import { drawsOnTenantPool, type Finding } from '../review/finding.ts';
import type { Review } from '../review/review.ts';
import type { ReviewDiff } from '../review/review-diff.ts';

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
      const open = finding.differences.filter(({ exception }) => exception === undefined || exception.isExpired);
      const looser = open.filter(({ way }) => way === 'looser');
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

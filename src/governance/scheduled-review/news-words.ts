// The findings that a scheduled review posts, in words: what is the same of several is said once.
import { toMrkdwnName } from '../../slack/views/content.ts';
import { type Difference, type EnvironmentFinding, type Finding, findOpen } from '../review/finding.ts';
import { describeDifference, describeName, describeReason, formatCount } from '../review/finding-words.ts';
import type { NewsItem } from './review-news.ts';

const MAX_NAMES = 5;
const MAX_NAMES_LENGTH = 1_500;
const MAX_NAME_LENGTH = 60;

/** Those of which the same is to be said stand together, in the order of the first of them. */
export function groupAlike(items: readonly NewsItem[]): NewsItem[][] {
  const groups = Map.groupBy(items, ({ change, gravity, finding }) => {
    const differences = finding.status === 'drift' ? findOpen(finding).map(describeDifference) : [];
    return JSON.stringify([change, gravity, finding.kind, describeStatus(finding, true), differences]);
  });
  return [...groups.values()];
}

/** Several lines. `most`: how many differences they show. */
export function describeGroup(items: readonly NewsItem[], most: number): string {
  const [first] = items;
  if (first === undefined) return '';
  const isOne = items.length === 1;
  const { change, gravity, finding } = first;
  const mark = gravity === 'tenant_pool' ? ':rotating_light: ' : '';
  const again = change === 'changed' ? ' _(changed)_' : '';
  const names = items.map(describeWhere);
  const subject = isOne ? names[0] : `*${formatCount(items.length, finding.kind)}*`;
  const head = `• ${mark}${subject}${again}: ${describeStatus(finding, isOne)}`;
  const rest = isOne ? [] : [`      ${listNames(names)}`];
  return [head, ...describeDifferences(finding, most), ...rest].join('\n');
}

function describeWhere({ finding, environmentName }: NewsItem): string {
  const name = `*${describeItsName(finding)}*`;
  return environmentName === undefined ? name : `${name} in ${toMrkdwnName(environmentName, MAX_NAME_LENGTH)}`;
}

/** `names` are escaped mrkdwn, which can make five times as much of them. */
export function listNames(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const shown: string[] = [];
  let length = 0;
  for (const name of distinct.slice(0, MAX_NAMES)) {
    length += name.length;
    if (length > MAX_NAMES_LENGTH) break;
    shown.push(name);
  }
  const more = distinct.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${formatCount(more, 'more', 'more')}` : shown.join(', ');
}

function describeStatus(finding: Finding, isOne: boolean): string {
  switch (finding.status) {
    case 'drift':
      return finding.differences.some(({ exception }) => exception?.isExpired)
        ? 'drift, whose exception has ended'
        : 'drift';
    case 'unclassified':
      if (finding.kind === 'environment') return `not in the register${describePool(finding, isOne)}`;
      return `no limit is approved for ${isOne ? 'it' : 'them'}`;
    case 'vanished':
      return 'in the register, and not listed by the service any more';
    case 'unreadable':
      return `unknown: ${describeReason(finding.reason ?? 'unexpected', finding.kind)}`;
    case 'approved_exception':
      return `drift that is accepted until ${finding.expiresOn ?? 'an exception ends'}`;
    case 'compliant':
      return 'as approved';
    case 'as_far_as_told':
      return 'as approved, as far as the service tells';
  }
}

function describePool({ tenantPool }: EnvironmentFinding, isOne: boolean): string {
  if (tenantPool === 'on') return `, and ${isOne ? 'it draws' : 'they draw'} on the tenant pool`;
  if (tenantPool === 'platform-default') {
    return `, and nothing keeps ${isOne ? 'it' : 'them'} from drawing on the tenant pool`;
  }
  return '';
}

/** Of what is in order, or nobody has approved anything for, there is no difference worth a line. */
function describeDifferences(finding: Finding, most: number): string[] {
  if (finding.status !== 'drift') return [];
  const open = findOpen(finding).toSorted((one, other) => toWeight(one) - toWeight(other));
  const lines = open.slice(0, most).map((difference) => `      ${describeDifference(difference)}`);
  const more = open.length - lines.length;
  if (more > 0 && most === 1) return [`${lines[0]}, and ${formatCount(more, 'more difference')}`];
  return more > 0 ? [...lines, `      and ${formatCount(more, 'more difference')}`] : lines;
}

/** What made the finding one that matters comes first. */
function toWeight({ setting, way }: Difference): number {
  if (way !== 'looser') return 2;
  return setting === 'TenantPool' ? 0 : 1;
}

export function describeItsName(finding: Finding): string {
  return describeName(finding, MAX_NAME_LENGTH) || 'without a name';
}

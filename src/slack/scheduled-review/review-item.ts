// One finding that is news, as the channel of the scheduled review reads it.
import type { Difference, Finding } from '../../governance/review/finding.ts';
import type { NewsItem } from '../../governance/scheduled-review/review-news.ts';
import { describeDifference, describeReason, formatCount } from '../views/admin/review/words.ts';
import { toMrkdwnLine, toMrkdwnName } from '../views/shown-text.ts';

export const MAX_NAME_LENGTH = 60;

const MAX_DIFFERENCES = 3;

/** Several lines. */
export function describeItem({ change, gravity, finding, environmentName }: NewsItem): string {
  const where = environmentName === undefined ? '' : ` in ${toMrkdwnName(environmentName, MAX_NAME_LENGTH)}`;
  const mark = gravity === 'tenant_pool' ? ':rotating_light: ' : '';
  const again = change === 'changed' ? ' _(changed)_' : '';
  const head = `• ${mark}*${describeName(finding)}*${where}${again}: ${describeStatus(finding)}`;
  return [head, ...describeDifferences(finding)].join('\n');
}

function describeStatus(finding: Finding): string {
  switch (finding.status) {
    case 'drift':
      return finding.differences.some(({ exception }) => exception?.isExpired)
        ? 'drift, whose exception has ended'
        : 'drift';
    case 'unclassified':
      return finding.kind === 'agent' ? 'no limit is approved for it' : `not in the register${describePool(finding)}`;
    case 'vanished':
      return 'in the register, and not listed by the service any more';
    case 'unreadable':
      return `cannot be told: ${describeReason(finding.reason ?? 'unexpected')}`;
    case 'approved_exception':
      return `drift that is accepted until ${finding.expiresOn ?? 'an exception ends'}`;
    case 'compliant':
      return 'as approved';
  }
}

function describePool({ tenantPool }: Extract<Finding, { kind: 'environment' }>): string {
  if (tenantPool === 'on') return ', and it draws on the tenant pool';
  if (tenantPool === 'platform-default') return ', and nothing keeps it from drawing on the tenant pool';
  return '';
}

/** Of what is in order, or nobody has approved anything for, there is no difference worth a line. */
function describeDifferences({ status, differences }: Finding): string[] {
  if (status !== 'drift') return [];
  const open = differences
    .filter(({ exception }) => exception === undefined || exception.isExpired)
    .toSorted((one, other) => toWeight(one) - toWeight(other));
  const lines = open.slice(0, MAX_DIFFERENCES).map((difference) => `      ${describeDifference(difference)}`);
  const more = open.length - lines.length;
  return more > 0 ? [...lines, `      and ${formatCount(more, 'more difference')}`] : lines;
}

/** What made the finding one that matters comes first. */
function toWeight({ setting, way }: Difference): number {
  if (way !== 'looser') return 2;
  return setting === 'TenantPool' ? 0 : 1;
}

/** In plain words, escaped. */
export function describeName({ name, environmentId }: Finding): string {
  return toMrkdwnName(name, MAX_NAME_LENGTH) || toMrkdwnLine(environmentId, MAX_NAME_LENGTH) || 'without a name';
}

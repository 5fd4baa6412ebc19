// A finding and what is done about it, in words for an admin in Slack (mrkdwn).
import { type Content, fitBlocks, toMrkdwnName } from '../../slack/views/content.ts';
import type { PlanRow } from '../changes/change.ts';
import { describeAgent, describeEnvironment } from '../inventory/inventory-views.ts';
import type { ClassificationRecord, OverlayRecord } from '../register/overlay.ts';
import type { ApprovedLimit, Classification, RegisterDefaults, StatedAllocation } from '../register/register.ts';
import { formatAmount } from '../shell/amount.ts';
import { buildLines, fitLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/whole-number.ts';
import type { LeftDifference } from './correction.ts';
import { type Finding, isLimitToSet, type ReviewedFinding } from './finding.ts';
import { describeClassification, describeDifference, describePerson, formatDay, toLocal } from './finding-words.ts';

const WHERE =
  "It counts from the next review on. `/assistant-admin review export` gives you the register's file with it.";

const AGAIN = 'This was decided before, and is recorded once.';

/** `text` alone says the same. */
export function buildDecided(record: OverlayRecord, finding: Finding, environmentName: string | undefined): Content {
  const [headline, ...details] = describe(record, finding, describeFinding(finding, environmentName));
  return { text: headline, blocks: fitBlocks(buildLines([headline, ...details, WHERE])) };
}

export function buildDecidedBefore(): Content {
  return { text: AGAIN, blocks: buildLines([AGAIN]) };
}

function describe(record: OverlayRecord, finding: Finding, name: string): [string, ...string[]] {
  switch (record.kind) {
    case 'exception': {
      const isAccepted = ({ setting, currency, found }: Finding['differences'][number]) =>
        record.accepts.some((one) => one.setting === setting && one.currency === currency && one.value === found);
      const accepted = finding.differences.filter(isAccepted).map((one) => `• ${describeDifference(one)}`);
      const until = formatDay(record.expiresOn);
      return [
        `:white_check_mark: *Accepted* until ${until}: the drift of ${name} is an approved exception.`,
        ...(accepted.length === 0 ? [] : [fitLines(accepted)]),
      ];
    }
    case 'classification': {
      const use = describeClassification(record.classification);
      if (record.isWithdrawn) {
        return [`:white_check_mark: *Withdrawn*: ${name} is not in the register any more, where it was ${use}.`];
      }
      const owners = record.owners.map(describePerson).join(', ');
      return [
        `:white_check_mark: *Classified*: ${name} is ${use}.`,
        owners === '' ? 'No owners are named.' : `Owners: ${owners}`,
        ...describeStated(record),
      ];
    }
    case 'agent_limit':
      return [`:white_check_mark: *Approved* for ${name}: ${describeApproved(record.limit)}.`];
  }
}

/** What was approved with a classification, where that is more than the register's defaults. */
export function describeStated({
  allocations,
  unnamedAgents,
}: Pick<ClassificationRecord, 'allocations' | 'unnamedAgents'>): string[] {
  return [
    ...(allocations === undefined ? [] : ['Approved with it:', ...describeAllocations(allocations)]),
    ...(unnamedAgents === undefined ? [] : [`• Agents: ${describeApproved(unnamedAgents)}`]),
  ];
}

/** *Name*, of an agent with its environment. Escaped. */
export function describeFinding(finding: Finding, environmentName: string | undefined): string {
  if (finding.kind === 'environment') return describeEnvironment(finding.environmentId, finding.name);
  const { agentName: name, name: displayName, environmentId, agentResourceId } = finding;
  return describeAgent({ name, displayName, environmentId, agentResourceId, environmentName });
}

/** What a correction leaves as it is, one line each. */
export function describeLeft(left: readonly LeftDifference[]): string[] {
  return left.map(({ difference, reason }) => `• ${describeDifference(difference)}. ${LEFT[reason]}`);
}

const LEFT: Record<LeftDifference['reason'], string> = {
  accepted: 'It is accepted, so it stays.',
  not_chosen: 'You left it out, so it stays.',
  not_in_register: 'The register does not approve this currency, nor say what it should have: state it there first.',
  platform_default: 'The register leaves this to the platform, and a rule that is set cannot be handed back from here.',
  no_removal:
    'The register approves no limit, and a limit cannot be removed from here: raise it, or remove it in the admin console.',
};

/** Only what changes, on one line; of several currencies each is named. */
export function describeChanges(rows: readonly (PlanRow & { currencyType?: string })[]): string {
  const changed = rows.filter(({ isChanged }) => isChanged);
  const byCurrency = [...Map.groupBy(changed, ({ currencyType = '' }) => currencyType)];
  const texts = byCurrency.map(([currency, own]) => {
    const where = byCurrency.length > 1 ? `${toMrkdwnName(currency, 40)}: ` : '';
    return `${where}${own.map(({ label, before, after }) => `${label} ${before} → *${after}*`).join(', ')}`;
  });
  return texts.join('; ');
}

/** 1,000 credits a month, notice at 80 %, stops when reached. */
export function describeApproved(limit: ApprovedLimit): string {
  if (limit.monthlyLimit === 'none') return 'no monthly limit';
  const { monthlyLimit, alertAt, stopWhenReached } = limit;
  const notice = alertAt === 'off' ? 'no notice' : `notice at ${alertAt} %`;
  const stop = stopWhenReached === 'on' ? 'stops when reached' : 'does not stop';
  return `${formatAmount(monthlyLimit)} credits a month, ${notice}, ${stop}`;
}

/** What the register approves by default for environments that are used so. */
export function describeDefaults(defaults: RegisterDefaults | undefined): string[] {
  const { allocations, unnamedAgents } = defaults ?? {};
  const agents =
    unnamedAgents === undefined ? 'not stated: each is to be approved by itself' : describeApproved(unnamedAgents);
  const credits = allocations === undefined ? ['• Credits: not stated'] : describeAllocations(allocations);
  return [...credits, `• Agents: ${agents}`];
}

function describeAllocations(allocations: readonly StatedAllocation[] | 'none'): string[] {
  if (allocations === 'none') return ['• Credits: no allocation at all'];
  return allocations.map(({ currencyType, allocated, rules }) => {
    const amount = allocated === undefined ? 'amount not stated' : `${formatCredits(allocated)} credits`;
    const states = Object.entries(rules).flatMap(([rule, state]) =>
      state === undefined ? [] : [`${rule} ${state === 'platform-default' ? 'platform default' : state}`],
    );
    return `• ${toMrkdwnName(currencyType, 40)}: ${[amount, ...states].join(', ')}`;
  });
}

export const CLASSIFICATIONS: Record<Classification, string> = {
  'maker-development': 'Maker development',
  'funded-production': 'Funded production',
};

/** The reason of a correction, for the admin to say otherwise. `reviewedAt`: epoch ms. Plain text. */
export function describeOccasion(
  reviewedAt: number,
  timeZone: string,
  corrected: readonly Pick<ReviewedFinding, 'finding'>[] = [],
): string {
  const day = toLocal(reviewedAt, timeZone).toFormat('d LLL yyyy');
  const isOnlySet = corrected.length > 0 && corrected.every(({ finding }) => isLimitToSet(finding));
  if (isOnlySet) return `Set to what the register approves, after the review of ${day}: the service does not show it.`;
  return `Drift found by the review of ${day}: back to what the register approves.`;
}

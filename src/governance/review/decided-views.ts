// A finding and what is done about it, in words for an admin in Slack (mrkdwn).
import { DateTime, IANAZone } from 'luxon';
import { type Content, fitBlocks, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { PlanRow } from '../changes/change.ts';
import { describeAgent, describeEnvironment } from '../inventory/inventory-views.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import type { ApprovedLimit, Classification, RegisterDefaults } from '../register/register.ts';
import { buildLines, fitLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/values.ts';
import type { LeftDifference } from './correction.ts';
import type { Finding } from './finding.ts';
import { describeClassification, describeDifference, describePerson, formatDay } from './finding-views.ts';

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

export const CLASSIFICATIONS: Record<Classification, string> = {
  'maker-development': 'Maker development',
  'funded-production': 'Funded production',
};

/** What the register approves by default for environments that are used so. */
export function describeDefaults(defaults: RegisterDefaults | undefined): string[] {
  const { allocations, unnamedAgents } = defaults ?? {};
  const agents =
    unnamedAgents === undefined ? 'not stated: each is to be approved by itself' : describeApproved(unnamedAgents);
  if (allocations === undefined) return ['• Credits: not stated', `• Agents: ${agents}`];
  if (allocations === 'none') return ['• Credits: no allocation at all', `• Agents: ${agents}`];
  const credits = allocations.map(({ currencyType, allocated, rules }) => {
    const amount = allocated === undefined ? 'amount not stated' : `${formatCredits(allocated)} credits`;
    const states = Object.entries(rules).flatMap(([rule, state]) =>
      state === undefined ? [] : [`${rule} ${state === 'platform-default' ? 'platform default' : state}`],
    );
    return `• ${toMrkdwnName(currencyType, 40)}: ${[amount, ...states].join(', ')}`;
  });
  return [...credits, `• Agents: ${agents}`];
}

/** 1,000 credits a month, notice at 80 %, stops when reached. */
export function describeApproved(limit: ApprovedLimit): string {
  if (limit.monthlyLimit === 'none') return 'no monthly limit';
  const { monthlyLimit, alertAt, stopWhenReached } = limit;
  const notice = alertAt === 'off' ? 'no notice' : `notice at ${alertAt} %`;
  const stop = stopWhenReached === 'on' ? 'stops when reached' : 'does not stop';
  return `${formatCredits(monthlyLimit)} credits a month, ${notice}, ${stop}`;
}

/** The reason of a correction, for the admin to say otherwise. `reviewedAt`: epoch ms. Plain text. */
export function describeOccasion(reviewedAt: number, timeZone: string): string {
  const day = toLocal(reviewedAt, timeZone).toFormat('d LLL yyyy');
  return `Drift found by the review of ${day}: back to what the register approves.`;
}

/** 22 Nov, 07:16. */
export function formatMoment(at: number, timeZone: string): string {
  return toLocal(at, timeZone).toFormat('d LLL, HH:mm');
}

function toLocal(at: number, timeZone: string): DateTime {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' });
}

export const ACCEPT_TOPIC: ModalTopic = {
  id: 'admin_review_accept',
  title: 'Accept drift',
  loading: 'Looking up the finding…',
};

export const APPROVE_LIMIT_TOPIC: ModalTopic = {
  id: 'admin_review_approve_limit',
  title: 'Approve a limit',
  loading: 'Looking up the agent and its limit…',
};

export const CLASSIFY_TOPIC: ModalTopic = {
  id: 'admin_review_classify',
  title: 'Classify environment',
  loading: 'Looking up the environment…',
};

const WHERE =
  "It counts from the next review on. The register's file is not changed: `/assistant-admin review export` gives you its text with this in it.";

const AGAIN = 'This was decided before, and is recorded once.';

/** `text` alone says it, too. */
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
      const owners = record.owners.map(describePerson).join(', ');
      return [
        `:white_check_mark: *Classified*: ${name} is ${use}.`,
        owners === '' ? 'No owners are named.' : `Owners: ${owners}`,
      ];
    }
    case 'agent_limit':
      return [`:white_check_mark: *Approved* for ${name}: ${describeApproved(record.limit)}.`];
  }
}

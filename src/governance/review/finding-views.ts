// One finding of a review: what is wrong in words, and the buttons for what can be done about it.
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { buildPlainText, buildSection, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import type { Classification, SettingName, SettingValue } from '../register/register.ts';
import { formatCredits } from '../shell/values.ts';
import { isCorrectable } from './correction.ts';
import {
  type AgentFinding,
  type Difference,
  type EnvironmentFinding,
  explainReason,
  type Finding,
  isAcceptable,
  type UnreadableReason,
} from './finding.ts';

/** Where the finding stands, and the agents that stand under an environment's. */
export type FindingPlace = { report: string; page: number; coveredAgents?: number };

const MAX_NAME_LENGTH = 80;

/** Of the 3,000 characters of a section, once they are escaped. */
const MAX_DIFFERENCES_LENGTH = 1_400;

const MAX_OWNERS = 3;

/** At most two blocks. */
export function buildFinding(finding: Finding, place: FindingPlace): KnownBlock[] {
  const lines = [
    describeTitle(finding),
    ...describeMore(finding, place.coveredAgents ?? 0),
    ...describeDifferences(finding),
    describeOwners(finding),
  ];
  const { buttons, isTooLong } = buildButtons(finding, place);
  const note = isTooLong ? ['_Its id is too long for a button: nothing can be done about it from here._'] : [];
  const section = buildSection([...lines, ...note].join('\n'));
  return buttons.length === 0 ? [section] : [section, { type: 'actions', elements: buttons } satisfies ActionsBlock];
}

function describeTitle(finding: Finding): string {
  const name = `*${toMrkdwnName(finding.name, MAX_NAME_LENGTH) || toMrkdwnLine(finding.environmentId, MAX_NAME_LENGTH)}*`;
  const what = finding.kind === 'environment' ? describeUse(finding) : 'agent';
  return `${finding.kind === 'agent' ? '↳ ' : ''}${name} · ${what} · ${describeStatus(finding)}`;
}

function describeUse({ classification }: EnvironmentFinding): string {
  if (classification === undefined) return 'environment';
  return describeClassification(classification);
}

function describeStatus({ kind, status, reason }: Finding): string {
  switch (status) {
    case 'compliant':
    case 'approved_exception':
      return 'itself in order';
    case 'drift':
      return ':warning: *drift*';
    case 'unclassified':
      return kind === 'environment' ? ':new: *not in the register*' : ':new: *no limit approved for it*';
    case 'vanished':
      return ':ghost: *gone*: the register names it, and the service does not list it any more';
    case 'unreadable':
      return `:grey_question: *cannot be told*: ${describeReason(reason ?? 'unexpected')}`;
  }
}

function describeDifferences({ status, differences }: Finding): string[] {
  if (differences.length === 0) return [];
  const isNew = status === 'unclassified';
  const lines = isNew ? ["Compared with the register's defaults for unlisted environments:"] : [];
  let [length, count] = [0, 0];
  for (const difference of differences) {
    const line = `• ${describeDifference(difference)}`;
    if (length + line.length > MAX_DIFFERENCES_LENGTH) break;
    lines.push(line);
    length += line.length;
    count += 1;
  }
  const missing = differences.length - count;
  return missing === 0 ? lines : [...lines, `• and ${formatCount(missing, 'more difference')}`];
}

function describeMore(finding: Finding, coveredAgents: number): string[] {
  return finding.kind === 'environment' ? describeEnvironment(finding, coveredAgents) : describeAgent(finding);
}

function describeEnvironment({ status, reason, tenantPool }: EnvironmentFinding, coveredAgents: number): string[] {
  const agents = coveredAgents === 0 ? [] : [describeCovered(coveredAgents)];
  switch (status) {
    case 'unclassified': {
      const unread = reason === undefined ? [] : [`Its credits cannot be told: ${describeReason(reason)}`];
      return [...unread, ...describePool(tenantPool), ...agents];
    }
    case 'vanished':
      return [
        'Take it out of the register if it was deleted.',
        ...(coveredAgents === 0 ? [] : [`${formatCount(coveredAgents, 'agent')} of it in the register`]),
      ];
    default:
      return [];
  }
}

function describeCovered(count: number): string {
  if (count === 1) return 'Its agent is reviewed after it is classified.';
  return `Its ${formatCount(count, 'agent')} are reviewed after it is classified.`;
}

/** Whether it draws on the tenant's pool. */
export function describePool(tenantPool: EnvironmentFinding['tenantPool']): string[] {
  if (tenantPool === 'on') return [':rotating_light: It draws on the tenant pool.'];
  if (tenantPool === 'platform-default') {
    return [':rotating_light: No rule of its own about the tenant pool: platforms let it draw by default.'];
  }
  return tenantPool === 'off' ? ['It does not draw on the tenant pool.'] : [];
}

function describeAgent({ status, limitSource, differences }: AgentFinding): string[] {
  if (status === 'vanished') return ['Take it out of the register if it was deleted.'];
  const isOld = limitSource === 'last_set' && differences.length > 0;
  return isOld ? ['_Found is what was last set from here; somebody may have changed it elsewhere since._'] : [];
}

function describeOwners({ owners, ownerId }: Finding): string {
  if (owners.length > 0) {
    const shown = owners.slice(0, MAX_OWNERS).map(describePerson).join(', ');
    return `Owner: ${shown}${owners.length > MAX_OWNERS ? ` and ${owners.length - MAX_OWNERS} more` : ''}`;
  }
  return `Owner: ${ownerId === undefined ? 'not told' : `${toMrkdwnLine(ownerId, 60)} _(id in the directory)_`}`;
}

function buildButtons(finding: Finding, { report, page }: FindingPlace): { buttons: Button[]; isTooLong: boolean } {
  const wanted = listActions(finding);
  const value = encodeReviewPlace({ report, page, key: finding.key });
  if (value === undefined) return { buttons: [], isTooLong: wanted.length > 0 };
  const buttons = wanted.map(
    ([actionId, label]): Button => ({ type: 'button', action_id: actionId, text: buildPlainText(label), value }),
  );
  return { buttons, isTooLong: false };
}

function listActions(finding: Finding): [actionId: string, label: string][] {
  const { kind, status, differences } = finding;
  const actions: [string, string][] = [];
  if (isCorrectable(finding)) actions.push([REVIEW_CORRECT_ACTION, 'Correct…']);
  if (status === 'drift' && differences.some(isAcceptable)) actions.push([REVIEW_ACCEPT_ACTION, 'Accept…']);
  if (status === 'unclassified') {
    actions.push(
      kind === 'environment' ? [REVIEW_CLASSIFY_ACTION, 'Classify…'] : [REVIEW_APPROVE_LIMIT_ACTION, 'Approve limit…'],
    );
  }
  return actions;
}

/** explainReason in mrkdwn. */
export function describeReason(reason: UnreadableReason): string {
  return toMrkdwnLine(explainReason(reason), 200);
}

/** Deny (ServiceMessages): approved on → found *off* · looser than approved. One line, at most 900 characters. */
export function describeDifference({ setting, currency, approved, found, way, exception }: Difference): string {
  const where = currency === undefined ? '' : ` (${toMrkdwnName(currency, 30)})`;
  const values = `approved ${describeValue(setting, approved)} → found *${describeValue(setting, found)}*`;
  const parts = [`${SETTINGS[setting]}${where}: ${values}`, WAYS[way]];
  if (exception !== undefined) {
    const { isExpired, expiresOn, approver, reason } = exception;
    const until = isExpired
      ? `*the exception ended on ${formatDay(expiresOn)}*`
      : `accepted until ${formatDay(expiresOn)}`;
    parts.push(`${until} by ${describePerson(approver)}: ${toMrkdwnName(reason, 60)}`);
  }
  return parts.join(' · ');
}

/** Monthly limit: *2,000*. A setting of a later release is shown by its name. */
export function describeSetting(setting: SettingName, value: SettingValue, currency: string | undefined): string {
  const where = currency === undefined ? '' : ` (${toMrkdwnName(currency, 30)})`;
  const label = SETTINGS[setting] ?? toMrkdwnLine(setting, 30);
  return `${label}${where}: *${toMrkdwnLine(describeValue(setting, value), 40)}*`;
}

export function describeClassification(classification: Classification): string {
  return classification === 'maker-development' ? 'maker development' : 'funded production';
}

const SETTINGS: Record<SettingName, string> = {
  allocated: 'Allocated credits',
  Alert: 'Alert',
  TenantPool: 'Draw on the tenant pool',
  PayGo: 'Pay-as-you-go',
  Deny: 'Deny when used up',
  monthlyLimit: 'Monthly limit',
  alertAt: 'Notice at',
  stopWhenReached: 'Stops when reached',
};

const WAYS: Record<Difference['way'], string> = {
  looser: 'looser',
  tighter: 'tighter',
  unclear: 'cannot be told whether looser',
};

function describeValue(setting: SettingName, value: SettingValue | 'unknown'): string {
  if (value === 'unknown') return 'not told';
  if (value === 'platform-default') return 'platform default';
  if (value === 'none') return setting === 'monthlyLimit' ? 'no limit' : 'nothing';
  if (typeof value === 'string') return value;
  return setting === 'alertAt' ? `${value} %` : formatCredits(value);
}

/** A Slack user id becomes a name; an address or an id in the directory stays as it is. */
export function describePerson(id: string): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(id) ? `<@${id}>` : toMrkdwnLine(id, 40);
}

/** 2027-01-31 → 31 Jan 2027. */
export function formatDay(day: string): string {
  const date = DateTime.fromISO(day, { zone: 'utc', locale: 'en-GB' });
  return date.isValid ? date.toFormat('d LLL yyyy') : toMrkdwnLine(day, 20);
}

/** 2,000 environments; 1 environment. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatCredits(count)} ${count === 1 ? one : many}`;
}

/** 95,400 ms → 1 min 35 s. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

// Where a finding is, carried in buttons and modals: the report, its page, and the finding's key.
const placeSchema = z.object({ report: z.string(), page: z.int().min(0), key: z.string() });

export type ReviewPlace = z.infer<typeof placeSchema>;

/** Undefined where it does not fit into a button. */
export function encodeReviewPlace({ report, page, key }: ReviewPlace): string | undefined {
  const value = JSON.stringify({ report, page, key });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseReviewPlace(value: string): ReviewPlace | undefined {
  try {
    return placeSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

/** The action ids of what can be done about findings; the value of each is a place. */
export const REVIEW_CORRECT_ACTION = 'admin_review_correct';
export const REVIEW_ACCEPT_ACTION = 'admin_review_accept';
export const REVIEW_CLASSIFY_ACTION = 'admin_review_classify';
export const REVIEW_APPROVE_LIMIT_ACTION = 'admin_review_approve_limit';
/** Of a whole page: the key is empty. */
export const REVIEW_CORRECT_PAGE_ACTION = 'admin_review_correct_page';

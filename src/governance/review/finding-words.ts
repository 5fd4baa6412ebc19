// What findings are described with, in words for Slack (mrkdwn).
import { DateTime, IANAZone } from 'luxon';
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { Classification, SettingName, SettingValue } from '../register/register.ts';
import { formatAmount } from '../shell/amount.ts';
import { formatCredits } from '../shell/whole-number.ts';
import {
  type Difference,
  type EnvironmentFinding,
  explainReason,
  type Finding,
  type ReadThing,
  type UnreadableReason,
} from './finding.ts';

/** Its id where it has no name. Escaped; `maxLength` is before escaping. */
export function describeName({ name, environmentId }: Finding, maxLength: number): string {
  return toMrkdwnName(name, maxLength) || toMrkdwnLine(environmentId, maxLength);
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

/** Deny when used up (ServiceMessages), and: approved on → found off. Plain text. */
export function toTickWords({ setting, currency, approved, found }: Difference): { name: string; values: string } {
  const where = currency === undefined ? '' : ` (${currency})`;
  const values = `approved ${describeValue(setting, approved)} → found ${describeValue(setting, found)}`;
  return { name: `${SETTINGS[setting]}${where}`, values };
}

/** Monthly limit: *2,000*. A setting of a later release is shown by its name. */
export function describeSetting(setting: SettingName, value: SettingValue, currency: string | undefined): string {
  const where = currency === undefined ? '' : ` (${toMrkdwnName(currency, 30)})`;
  const label = SETTINGS[setting] ?? toMrkdwnLine(setting, 30);
  return `${label}${where}: *${toMrkdwnLine(describeValue(setting, value), 40)}*`;
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
  looser: 'allows more',
  tighter: 'allows less',
  unclear: 'effect unknown',
};

function describeValue(setting: SettingName, value: SettingValue | 'unknown'): string {
  if (value === 'unknown') return 'unknown';
  if (value === 'platform-default') return 'platform default';
  if (value === 'none') return setting === 'monthlyLimit' ? 'no limit' : 'nothing';
  if (typeof value === 'string') return value;
  return setting === 'alertAt' ? `${value} %` : formatAmount(value);
}

/** explainReason in mrkdwn. */
export function describeReason(reason: UnreadableReason, thing?: ReadThing): string {
  return toMrkdwnLine(explainReason(reason, thing), 200);
}

/** Whether it draws on the tenant's pool. */
export function describePool(tenantPool: EnvironmentFinding['tenantPool']): string[] {
  if (tenantPool === 'on') return [':rotating_light: It draws on the tenant pool.'];
  if (tenantPool === 'platform-default') {
    return [':rotating_light: No rule of its own about the tenant pool: platforms let it draw by default.'];
  }
  return tenantPool === 'off' ? ['It does not draw on the tenant pool.'] : [];
}

export function describeClassification(classification: Classification): string {
  return classification === 'maker-development' ? 'maker development' : 'funded production';
}

/** A Slack user id becomes a name; an address or an id in the directory stays as it is. */
export function describePerson(id: string): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(id) ? `<@${id}>` : toMrkdwnLine(id, 40);
}

/** 2,000 environments; 1 environment. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatCredits(count)} ${count === 1 ? one : many}`;
}

/** Enough to tell two versions of the register apart. */
export function shortenHash(registerHash: string): string {
  return toMrkdwnLine(registerHash, 64).slice(0, 12);
}

/** 2027-01-31 → 31 Jan 2027. */
export function formatDay(day: string): string {
  const date = DateTime.fromISO(day, { zone: 'utc', locale: 'en-GB' });
  return date.isValid ? date.toFormat('d LLL yyyy') : toMrkdwnLine(day, 20);
}

/** 95,400 ms → 1 min 35 s. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** 22 Nov, 07:16. */
export function formatMoment(at: number, timeZone: string): string {
  return toLocal(at, timeZone).toFormat('d LLL, HH:mm');
}

export function formatClock(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' }).toFormat('HH:mm:ss ZZZZ');
}

export function toLocal(at: number, timeZone: string): DateTime {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' });
}

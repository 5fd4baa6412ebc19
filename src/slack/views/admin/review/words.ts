// How a review is put into words for an admin in Slack (mrkdwn).
import { DateTime } from 'luxon';
import type { Classification, SettingName, SettingValue } from '../../../../governance/register/register.ts';
import type { Difference, UnreadableReason } from '../../../../governance/review/finding.ts';
import { formatCredits } from '../../../../governance/shell/values.ts';
import { toMrkdwnLine, toMrkdwnName } from '../../shown-text.ts';

const REASONS: { [reason: string]: string } = {
  no_allocation: 'the service knows no allocation of it',
  inventory_truncated: 'the service did not list everything, so it may be there or not',
  inventory_empty: 'the service listed no environment at all, though the register names some',
  named_twice: 'its limit is stated twice, once under each of its two ids: keep one of the two entries in the register',
  limit_not_told: 'the limit could not be read from the service, and none was set from here',
  limit_not_verified: 'last set from here as approved, but the service does not show whether that still holds',
  value_not_told: 'the service shows a setting in a form that does not tell its value',
  no_environment: 'the service does not name its environment',
  unexpected: 'this app failed; its log says how',
  admin_unauthorized: 'the service did not accept your sign-in any more',
  admin_forbidden: 'the service does not let your account read this',
  admin_not_found: 'the service does not know it',
  admin_not_offered: 'the service does not offer to read it',
  admin_rejected: 'the service refused to read it',
  admin_throttled: 'the service had too much to do, for too long',
  admin_unreachable: 'the service did not answer',
  admin_failed: 'the service reported an internal error',
  admin_unreadable: 'the service answered in a way this app cannot read',
};

/** Half a sentence: why something is unreadable. */
export function describeReason(reason: UnreadableReason): string {
  return REASONS[reason] ?? `reason: ${toMrkdwnLine(reason, 60)}`;
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

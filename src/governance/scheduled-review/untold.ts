// What no owner could be told about, and why: the channel is told instead.
import { toPercentUsed } from '../shell/whole-number.ts';
import type { OwnerItem } from './owner-items.ts';

/** Why somebody who is named as an owner cannot be written to. */
export type Unreachable =
  /** Nobody in the workspace has this address or id. */
  | 'unknown'
  /** An id of the directory, of somebody who is not signed in to this app. */
  | 'not_signed_in'
  /** A guest, from outside, or deactivated. */
  | 'no_member'
  /** The app may not look up addresses. */
  | 'lacks_scope'
  /** Slack did not tell who it is. */
  | 'slack_failed';

export type UntoldReason =
  | Unreachable
  | 'no_owner'
  /** Slack refused the message to them. */
  | 'refused'
  /** Slack did not take the message for half an hour. */
  | 'not_taken';

/** `percent`: what is used of its credits or limit, if that is what it was about. */
export type Subject = {
  /** Untrusted. */
  name: string;
  percent?: number | undefined;
};

export type Untold = Subject & { reason: UntoldReason };

export function toSubject(item: OwnerItem): Subject {
  const { finding, environmentName } = item;
  const own = finding.name || finding.environmentId;
  const name = environmentName === undefined ? own : `${own} in ${environmentName}`;
  return item.kind === 'level' ? { name, percent: toPercentUsed(item.consumed / item.capacity) } : { name };
}

/** Each once; the later reason takes the place of the earlier one. */
export function mergeUntold(untold: readonly Untold[]): Untold[] {
  const byName = new Map<string, Untold>();
  for (const one of untold) byName.set(one.name, { percent: byName.get(one.name)?.percent, ...one });
  return [...byName.values()];
}

// What no owner could be told about, in words for the channel: a line per reason, what is used most first.
import { toMrkdwnName } from '../../slack/views/content.ts';
import { formatCount } from '../review/finding-words.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { listNames } from './news-words.ts';
import type { Untold, UntoldReason } from './untold.ts';

const WHY: Record<UntoldReason, string> = {
  no_owner: 'neither the register nor the service names one. Name one in the register.',
  unknown: 'nobody in this workspace has the address or the id that is named. Correct it in the register.',
  not_signed_in:
    'only their id in the directory is known. Name their e-mail address in the register, or have them sign in to this app, once more where they did before.',
  no_member: 'who is named is a guest, from outside, or deactivated in Slack. Name somebody else in the register.',
  lacks_scope: 'this app may not look up e-mail addresses here.',
  slack_failed: 'Slack did not say who they are. Tell them yourself.',
  refused: 'Slack refused the message to them. Tell them yourself, or name somebody else in the register.',
  not_taken: 'Slack did not take the message to them for half an hour. Tell them yourself.',
};

const MAX_NAME_LENGTH = 120;

/** At most one line per reason, of about 2,000 characters. */
export function describeUntoldOwners(untold: readonly Untold[]): string[] {
  const byReason = Map.groupBy(chooseMostUsed(untold), ({ reason }) => reason);
  return Object.entries(WHY).flatMap(([reason, why]) => {
    const group = byReason.get(reason as UntoldReason);
    return group === undefined
      ? []
      : [`${toLead(reason as UntoldReason)} about ${listNames(group.map(describeSubject))}: ${why}`];
  });
}

/** Somebody else who owns the same may have been told. */
const OF_ONE_OWNER: ReadonlySet<UntoldReason> = new Set(['refused', 'not_taken']);

function toLead(reason: UntoldReason): string {
  return OF_ONE_OWNER.has(reason) ? 'An owner could not be told' : 'No owner could be told';
}

/** Of each name once: in half a sentence, such as *2 environments or agents*. */
export function countUntold(untold: readonly Untold[]): string {
  return formatCount(chooseMostUsed(untold).length, 'environment or agent', 'environments or agents');
}

function chooseMostUsed(untold: readonly Untold[]): Untold[] {
  const byName = new Map<string, Untold>();
  for (const one of untold.toSorted((a, b) => (b.percent ?? -1) - (a.percent ?? -1))) {
    if (!byName.has(one.name)) byName.set(one.name, one);
  }
  return [...byName.values()];
}

function describeSubject({ name, percent }: Untold): string {
  const used = percent === undefined ? '' : ` (${formatCredits(percent)} % used)`;
  return `*${toMrkdwnName(name, MAX_NAME_LENGTH)}*${used}`;
}

// The policy in words, for messages: mrkdwn.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { Effective, Level, Why } from '../policy/policy.ts';

/** A Slack user id; or another word for who it was, such as that of a script. */
const USER = /^[UW][A-Z0-9]{2,}$/;

function namePerson(by: string): string {
  if (by === '') return 'somebody';
  return USER.test(by) ? `<@${by}>` : toMrkdwnName(by, 60);
}

/** 2026-12-31 → 31 Dec 2026. */
export function formatDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return at.toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
}

/** *by @kim on 24 Nov 2026: closing of the year*. */
export function describeWhy({ by, approvedBy, at, reason }: Why): string {
  const approved = approvedBy === undefined ? '' : `, approved by ${namePerson(approvedBy)}`;
  const said = reason === '' ? '' : `: ${toMrkdwnLine(reason, 300)}`;
  return `by ${namePerson(by)} on ${formatDay(new Date(at).toISOString().slice(0, 10))}${approved}${said}`;
}

/** `className`: of the environment. */
export function describeLevel(
  { level, until }: Pick<Effective<unknown>, 'level' | 'until'>,
  className?: string,
): string {
  const words: Record<Level, string> = {
    entry: 'its own entry',
    exception: `exception through ${formatDay(until ?? '')}`,
    environment: 'its environment',
    class: className === undefined ? 'its class' : `class ${className}`,
    every_channel: 'all channels',
  };
  return words[level];
}

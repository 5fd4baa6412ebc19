// A value of the policy in words: where it comes from, who set it, and why. In mrkdwn.
import { type Effective, formatDay, type Level, type Why } from '../../policy/policy.ts';
import type { SettingId, Values } from '../../policy/values.ts';
import { toMrkdwnName } from '../../slack/views/content.ts';
import { describeValue } from './operations.ts';

/** *500 credits · notice at 80 %* _(class maker)_ by @kim on 24 Nov 2026: “closing”. `className`: of the environment. */
export function describeEffective<Setting extends SettingId>(
  setting: Setting,
  { value, why, ...from }: Effective<Values[Setting]>,
  className?: string,
): string {
  const words = toMrkdwnName(describeValue(setting, value), 300);
  return `*${words}* _(${describeLevel(from, className)})_${why ? ` ${describeWhy(why)}` : ''}`;
}

export function describeLevel(
  { level, until }: Pick<Effective<unknown>, 'level' | 'until'>,
  className?: string,
): string {
  const words: Record<Level, string> = {
    entry: 'its own entry',
    exception: 'exception',
    environment: 'set for its environment',
    class: className === undefined ? 'its class' : `class ${toMrkdwnName(className, 40)}`,
    every_channel: 'set for the workspace',
    configuration: 'set in the configuration',
    built_in: 'built in',
  };
  return until === undefined ? words[level] : `${words[level]} through ${formatDay(until)}`;
}

/** *by @kim on 24 Nov 2026, approved by @lea: “closing of the year”*. The day is in UTC, like all days of the policy. */
export function describeWhy({ by, approvedBy, at, reason }: Why): string {
  const approved = approvedBy === undefined ? '' : `, approved by ${namePerson(approvedBy)}`;
  const said = reason === '' ? '' : `: “${toMrkdwnName(reason, 300)}”`;
  return `by ${namePerson(by)} on ${formatDay(at)}${approved}${said}`;
}

/** Other names are those of scripts. */
const USER = /^[UW][A-Z0-9]{2,}$/;

/** In mrkdwn. */
export function namePerson(by: string): string {
  if (by === '') return 'somebody';
  return USER.test(by) ? `<@${by}>` : toMrkdwnName(by, 60);
}

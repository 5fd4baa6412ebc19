// All settings that the policy knows.
import type { SettingId, Values } from '../policy/values.ts';
import { CHANNEL_OPERATIONS, PAUSE } from './channel.ts';
import { CLASS, STANDARD } from './class.ts';
import { CREDITS } from './credits.ts';
import { LIMIT } from './limit.ts';
import type { Operation } from './operation.ts';
import { OWNERS } from './owners.ts';
import { STOP } from './stop.ts';

export const OPERATIONS: { readonly [Setting in SettingId]: Operation<Setting> } = {
  standard: STANDARD,
  class: CLASS,
  owners: OWNERS,
  credits: CREDITS,
  limit: LIMIT,
  stop: STOP,
  pause: PAUSE,
  ...CHANNEL_OPERATIONS,
};

/** The value of any setting, in plain words. */
export function describeValue<Setting extends SettingId>(setting: Setting, value: Values[Setting]): string {
  return OPERATIONS[setting].describe(value);
}

/** The values of these settings are clear without the name: *stopped*, *25,000 credits*. */
const SELF_EVIDENT: ReadonlySet<SettingId> = new Set(['standard', 'stop', 'credits', 'pause']);

/** The setting with its value, in plain words: *monthly limit 2,000 credits*, *stopped*. */
export function describeSetting<Setting extends SettingId>(setting: Setting, value: Values[Setting]): string {
  const words = describeValue(setting, value);
  return SELF_EVIDENT.has(setting) ? words : `${OPERATIONS[setting].noun} ${words}`;
}

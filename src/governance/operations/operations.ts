// All settings that the policy knows.
import { z } from 'zod';
import { type SettingId, standardSchema, type Values } from '../../policy/values.ts';
import { CHANNEL_OPERATIONS, PAUSE } from './channel.ts';
import { CREDITS } from './credits.ts';
import { LIMIT } from './limit.ts';
import type { Operation } from './operation.ts';

/** Letters, digits, `-` and `_`: class names are typed in commands. */
const CLASS_NAME = /^[a-z][\w-]{0,39}$/i;

export const OPERATIONS: { readonly [Setting in SettingId]: Operation<Setting> } = {
  standard: {
    noun: 'standard',
    targets: ['class'],
    hasCurrency: false,
    schema: standardSchema,
    describe({ limit, credits }) {
      const ofCredits = Object.entries(credits).map(([currency, one]) => `${currency}: ${CREDITS.describe(one)}`);
      const ofAgents = limit === undefined ? 'no default limit' : `each agent: ${LIMIT.describe(limit)}`;
      return [ofAgents, ...ofCredits].join('; ');
    },
  },
  class: {
    noun: 'class',
    targets: ['environment'],
    hasCurrency: false,
    schema: z.string().regex(CLASS_NAME, 'a class name: letters, digits, - and _'),
    describe: (name) => name,
  },
  owners: {
    noun: 'owners',
    targets: ['environment', 'agent'],
    hasCurrency: false,
    schema: z.array(z.string().trim().min(1).max(320)).max(20),
    describe: (owners) => (owners.length === 0 ? 'nobody' : owners.join(', ')),
  },
  credits: CREDITS,
  limit: LIMIT,
  stop: {
    noun: 'stop',
    targets: ['agent', 'environment'],
    hasCurrency: false,
    schema: z.boolean(),
    describe: (isStopped) => (isStopped ? 'stopped' : 'runs'),
  },
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

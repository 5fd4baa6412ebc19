// All settings that the policy knows: what they can be set for, their stored form, and their words.
import { z } from 'zod';
import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import type { ChannelSetting } from '../../policy/channel-settings.ts';
import {
  type Cap,
  capSchema,
  creditsSchema,
  limitSchema,
  REPLY_MODES,
  type SettingId,
  standardSchema,
  type Values,
} from '../../policy/values.ts';
import { formatCredits, parseWholeNumber } from '../shell/numbers.ts';
import { describeCredits } from './credits.ts';
import { describeLimit } from './limit.ts';

/** So that one line of a plan can name them all. */
export const MAX_OWNERS = 20;

export type Operation<Setting extends SettingId> = {
  /** The name in a sentence, as in *the monthly limit of X*. */
  noun: string;
  /** What it can be set for. */
  targets: readonly ('class' | 'environment' | 'agent' | 'channel')[];
  /** Whether entries are kept for each currency. */
  hasCurrency: boolean;
  /** The stored form, also used in an exported policy. */
  schema: z.ZodType<Values[Setting]>;
  /** Plain words, for messages and the log: *2,000 credits · notice at 80 % · stops at the limit*. */
  describe(value: Values[Setting]): string;
  /** What to say when an entry ends, such as *is inherited*. Default: that the entry ends. */
  ended?: string;
};

/** Radio buttons, or a text field. `parse` returns the value, or a sentence that says what is wrong. */
export type ChannelField<Value> =
  | { values: readonly Value[]; parse?: undefined }
  | { label: string; hint: string; parse(typed: string): { value: Value } | { sentence: string } };

type OfChannel<Setting extends ChannelSetting> = Operation<Setting> & { field: ChannelField<Values[Setting]> };

const CHANNEL = { targets: ['channel'], hasCurrency: false, ended: 'is inherited' } as const;

const CAP = {
  ...CHANNEL,
  schema: capSchema,
  describe: (cap: Cap) => (cap === 'none' ? 'no cap' : `${formatCredits(cap)} a day`),
};

const CAP_FIELD = { hint: 'A whole number, or none.', parse: parseCap };

const MODES: Record<Values['reply'], string> = {
  mentions: 'only when mentioned',
  threads: 'when mentioned, and in threads that it is in',
  all: 'to every message that begins a thread',
};

/** The form and the list show them in this order. */
export const CHANNEL_OPERATIONS: { readonly [Setting in ChannelSetting]: OfChannel<Setting> } = {
  questions: {
    ...{ ...CHANNEL, noun: 'questions', schema: z.enum(['allowed', 'refused']) },
    describe: (value) => (value === 'allowed' ? value : 'not allowed: askers are sent to direct messages'),
    field: { values: ['allowed', 'refused'] },
  },
  answers: {
    ...{ ...CHANNEL, noun: 'answers', schema: z.enum(['thread', 'private']) },
    describe: (value) =>
      value === 'private' ? 'always private' : 'in the thread, unless the asker chose private answers',
    field: { values: ['thread', 'private'] },
  },
  webSearch: {
    ...{ ...CHANNEL, noun: 'web search', schema: z.boolean() },
    describe: (isOn) => (isOn ? 'on, unless the asker turns it off' : 'always off'),
    field: { values: [true, false] },
  },
  threadContext: {
    ...{ ...CHANNEL, noun: 'thread context', schema: z.boolean() },
    describe: (isOn) => (isOn ? 'on: earlier messages of the thread are sent along' : 'off'),
    field: { values: [true, false] },
  },
  reply: {
    ...{ ...CHANNEL, noun: 'reply mode', schema: z.enum(REPLY_MODES) },
    describe: (mode) => MODES[mode],
    field: { values: REPLY_MODES },
  },
  personCap: {
    ...{ ...CAP, noun: 'questions of one person' },
    field: { ...CAP_FIELD, label: 'Questions of one person a day' },
  },
  channelCap: {
    ...{ ...CAP, noun: 'questions in a channel' },
    field: { ...CAP_FIELD, label: 'Questions of all people a day' },
  },
};

function parseCap(typed: string): { value: Cap } | { sentence: string } {
  if (/^(?:none|no cap)$/i.test(typed)) return { value: 'none' };
  const number = parseWholeNumber(typed, NOT_A_CAP);
  return typeof number === 'number' ? { value: number } : { sentence: number };
}

const NOT_WHOLE = 'Enter a whole number of questions, such as 20, or none; or leave it empty.';
const NOT_A_CAP = {
  ...{ empty: NOT_WHOLE, not_digits: NOT_WHOLE },
  not_whole: 'Enter a whole number of questions without a fraction, such as 20, or none; or leave it empty.',
  negative: 'A cap cannot be negative. Enter 0 or more, or none.',
  too_large: 'This is too large. Enter none for no cap.',
};

/** Pauses a workspace: until the pause ends, no question is sent to the assistant. */
const PAUSE: Operation<'pause'> = {
  ...CHANNEL,
  ...{ noun: 'pause', ended: 'ends: questions are answered' },
  schema: z.strictObject({ word: z.string().max(MAX_PAUSE_WORD) }),
  describe: ({ word }) => (word === '' ? 'paused' : `paused. Askers read: “${word}”`),
};

/** Letters, digits, `-` and `_`: class names are typed in commands. */
const CLASS_NAME = /^[a-z][\w-]{0,39}$/i;

export const OPERATIONS: { readonly [Setting in SettingId]: Operation<Setting> } = {
  standard: {
    noun: 'standard',
    targets: ['class'],
    hasCurrency: false,
    schema: standardSchema,
    describe({ limit, credits }) {
      const ofCredits = Object.entries(credits).map(([currency, one]) => `${currency}: ${describeCredits(one)}`);
      const ofAgents = limit === undefined ? 'no default limit' : `each agent: ${describeLimit(limit)}`;
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
    schema: z.array(z.string().trim().min(1).max(320)).max(MAX_OWNERS),
    describe: (owners) => (owners.length === 0 ? 'nobody' : owners.join(', ')),
  },
  credits: {
    noun: 'credits',
    targets: ['environment'],
    hasCurrency: true,
    schema: creditsSchema,
    describe: describeCredits,
  },
  limit: {
    noun: 'monthly limit',
    targets: ['agent'],
    hasCurrency: true,
    schema: limitSchema,
    describe: describeLimit,
  },
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

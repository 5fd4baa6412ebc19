// Settings for the questions of a workspace and its channels, and their fields in the channel form.
import { z } from 'zod';
import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import type { ChannelSetting } from '../../policy/channel-settings.ts';
import { type Cap, capSchema, REPLY_MODES, type Values } from '../../policy/values.ts';
import { formatCredits, parseWholeNumber } from '../shell/numbers.ts';
import type { Operation } from './operation.ts';

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
export const PAUSE: Operation<'pause'> = {
  ...CHANNEL,
  ...{ noun: 'pause', ended: 'ends: questions are answered' },
  schema: z.strictObject({ word: z.string().max(MAX_PAUSE_WORD) }),
  describe: ({ word }) => (word === '' ? 'paused' : `paused. Askers read: “${word}”`),
};

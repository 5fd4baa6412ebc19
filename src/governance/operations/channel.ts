// What administrators set for the questions of a workspace and of its channels, with the fields that the form of a channel
// shows.
import { z } from 'zod';
import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import type { ChannelSetting } from '../policy/channel-settings.ts';
import { type Cap, capSchema, REPLY_MODES, type Values } from '../policy/values.ts';
import { formatCredits, parseWholeNumber } from '../shell/numbers.ts';
import type { Operation } from './operation.ts';

/** Radio buttons of these values, or a text. `parse`: of what was typed; a sentence where it is none. */
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

/** In the order in which the form and the list have them. */
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
    describe: (isOn) => (isOn ? 'on: what was said before in the thread goes along' : 'off'),
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
    field: { ...CAP_FIELD, label: 'Questions of all together a day' },
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

/** Of a workspace: while it stands, nothing is asked. */
export const PAUSE: Operation<'pause'> = {
  ...CHANNEL,
  ...{ noun: 'pause', ended: 'ends: questions are asked' },
  schema: z.strictObject({ word: z.string().max(MAX_PAUSE_WORD) }),
  describe: ({ word }) => (word === '' ? 'paused' : `paused. Askers read: “${word}”`),
};

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

const CHANNEL = { targets: ['channel'], hasCurrency: false } as const;

const QUESTIONS: OfChannel<'questions'> = {
  ...CHANNEL,
  ...{ id: 'questions', noun: 'questions', ended: 'is inherited' },
  schema: z.enum(['allowed', 'refused']),
  describe: (value) => (value === 'allowed' ? value : 'not allowed: askers are sent to direct messages'),
  field: { values: ['allowed', 'refused'] },
};

const ANSWERS: OfChannel<'answers'> = {
  ...CHANNEL,
  ...{ id: 'answers', noun: 'answers', ended: 'is inherited' },
  schema: z.enum(['thread', 'private']),
  describe: (value) =>
    value === 'private' ? 'always private' : 'in the thread, unless the asker chose private answers',
  field: { values: ['thread', 'private'] },
};

const WEB_SEARCH: OfChannel<'webSearch'> = {
  ...CHANNEL,
  ...{ id: 'webSearch', noun: 'web search', ended: 'is inherited' },
  schema: z.boolean(),
  describe: (isOn) => (isOn ? 'on, unless the asker turns it off' : 'always off'),
  field: { values: [true, false] },
};

const THREAD_CONTEXT: OfChannel<'threadContext'> = {
  ...CHANNEL,
  ...{ id: 'threadContext', noun: 'thread context', ended: 'is inherited' },
  schema: z.boolean(),
  describe: (isOn) => (isOn ? 'on: what was said before in the thread goes along' : 'off'),
  field: { values: [true, false] },
};

const MODES: Record<Values['reply'], string> = {
  mentions: 'only when mentioned',
  threads: 'when mentioned, and in threads that it is in',
  all: 'to every message that begins a thread',
};

const REPLY: OfChannel<'reply'> = {
  ...CHANNEL,
  ...{ id: 'reply', noun: 'reply mode', ended: 'is inherited' },
  schema: z.enum(REPLY_MODES),
  describe: (mode) => MODES[mode],
  field: { values: REPLY_MODES },
};

const CAP = {
  ...{ ...CHANNEL, schema: capSchema, ended: 'is inherited' },
  describe: (cap: Cap) => (cap === 'none' ? 'no cap' : `${formatCredits(cap)} a day`),
};

const CAP_FIELD = { hint: 'A whole number, or none.', parse: parseCap };

const PERSON_CAP: OfChannel<'personCap'> = {
  ...{ ...CAP, id: 'personCap', noun: 'questions of one person' },
  field: { ...CAP_FIELD, label: 'Questions of one person a day' },
};

const CHANNEL_CAP: OfChannel<'channelCap'> = {
  ...{ ...CAP, id: 'channelCap', noun: 'questions in a channel' },
  field: { ...CAP_FIELD, label: 'Questions of all together a day' },
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

/** In the order in which the form and the list have them. */
export const CHANNEL_OPERATIONS: { readonly [Setting in ChannelSetting]: OfChannel<Setting> } = {
  questions: QUESTIONS,
  answers: ANSWERS,
  webSearch: WEB_SEARCH,
  threadContext: THREAD_CONTEXT,
  reply: REPLY,
  personCap: PERSON_CAP,
  channelCap: CHANNEL_CAP,
};

/** Of a workspace: while it stands, nothing is asked. */
export const PAUSE: Operation<'pause'> = {
  ...CHANNEL,
  ...{ id: 'pause', noun: 'pause', ended: 'ends: questions are asked' },
  schema: z.strictObject({ word: z.string().max(MAX_PAUSE_WORD) }),
  describe: ({ word }) => (word === '' ? 'paused' : `paused. Askers read: “${word}”`),
};

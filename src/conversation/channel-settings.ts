// What administrators have set for the questions of a workspace and of its channels.
import type { Question } from './question.ts';

/** `mentions`: only when mentioned; `threads`: also in threads that it is in; `all`: also to what begins a thread. */
export type ReplyMode = 'mentions' | 'threads' | 'all';

export const MAX_PAUSE_WORD = 300;

/** For one question. Caps: questions a day, of one person and of all together. Undefined: none. */
export type ChannelSettings = {
  /** Nothing is asked. `word`: the administrator's message, or ''. */
  pause?: { word: string } | undefined;
  /** Questions are not allowed in this channel. */
  isRefused: boolean;
  /** The answer goes to the asker alone, whatever they chose. */
  isPrivate: boolean;
  isWebOff: boolean;
  /** Whether earlier messages of a thread are quoted. Undefined: they set nothing, so the configuration decides. */
  threadContext?: 'on' | 'off' | undefined;
  reply: ReplyMode;
  personCap?: number | undefined;
  channelCap?: number | undefined;
};

/** Direct messages ignore what is about channels. */
export type AskedPlace = Pick<Question, 'workspace' | 'channel' | 'audience'>;

/** Throws StoreUnavailableError where nothing is known yet. */
export type ReadChannelSettings<Name extends keyof ChannelSettings = keyof ChannelSettings> = (
  place: AskedPlace,
) => Promise<Pick<ChannelSettings, Name>>;

/** What a turn goes by. */
export type QuestionRules = Pick<ChannelSettings, 'pause' | 'isRefused' | 'isPrivate' | 'isWebOff'>;

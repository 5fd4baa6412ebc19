// What administrators have set for the questions of a workspace and of its channels.
import type { Question } from './question.ts';

/** `mentions`: only these get a reply; `threads`: also the asker's later messages there; `all`: also new threads. */
export type ReplyMode = 'mentions' | 'threads' | 'all';

export const MAX_PAUSE_WORD = 300;

/** The settings for one question. Caps: questions per day, of one person and of all together. Undefined: no cap. */
export type ChannelSettings = {
  /** Questions are paused. `word`: the administrator's message, or ''. */
  pause?: { word: string } | undefined;
  /** Questions are not allowed in this channel. */
  isRefused: boolean;
  /** The answer goes to the asker alone, whatever they chose. */
  isPrivate: boolean;
  isWebOff: boolean;
  /** Whether earlier messages of a thread are quoted. Undefined: the configuration decides. */
  threadContext?: 'on' | 'off' | undefined;
  reply: ReplyMode;
  personCap?: number | undefined;
  channelCap?: number | undefined;
};

/** Caps, settings of single channels, and rules on who may ask or read do not apply to direct messages. */
export type AskedPlace = Pick<Question, 'workspace' | 'channel' | 'audience'>;

/** Throws StoreUnavailableError until the settings have been read once. */
export type ReadChannelSettings<Name extends keyof ChannelSettings = keyof ChannelSettings> = (
  place: AskedPlace,
) => Promise<Pick<ChannelSettings, Name>>;

/** The settings that a turn follows. */
export type QuestionRules = Pick<ChannelSettings, 'pause' | 'isRefused' | 'isPrivate' | 'isWebOff'>;

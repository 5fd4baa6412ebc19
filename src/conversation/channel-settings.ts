// What the policy sets for the questions of a channel.

/** `mentions`: only when mentioned; `threads`: also in threads that it is in; `all`: also to what begins a thread. */
export type ReplyMode = 'mentions' | 'threads' | 'all';

/** Caps: questions a day, of one person and of all together. Undefined: none. */
export type ChannelSettings = {
  reply: ReplyMode;
  personCap?: number | undefined;
  channelCap?: number | undefined;
};

/** `team`: as in a Person. */
export type ChannelPlace = { team: string; channel: string };

/** Throws StoreUnavailableError where nothing is known yet. */
export type ReadChannelSettings = (place: ChannelPlace) => Promise<ChannelSettings>;

import type { Person } from '../conversation/question.ts';

/** What a set of tokens is for. Each purpose has an authorization of its own, perhaps with another account. */
export type Purpose = 'assistant' | 'admin';

/** Where answers to questions asked in channels go. */
export type ChannelAnswers = 'thread' | 'private';

export type LinkKey = Person & { purpose: Purpose };

/** A person in Slack, bound to an account of the identity provider. */
export type AccountLink = LinkKey & {
  schema: 1;
  /** The installing team, for purging. */
  workspace: string;
  /** As the identity provider names the account; unknown without an id token. */
  accountName?: string;
  /** The account's id in the directory, by which inventories name owners; unknown of links from before it was kept. */
  directoryId?: string;
  channelAnswers: ChannelAnswers;
  /** A sealed TokenSet: see token-vault.ts. Empty: the authorization has ended, sign in again. */
  sealedTokens: string;
  /** Epoch ms. */
  linkedAt: number;
  /** Grows with each save: a save names the version it was made from. */
  version: number;
};

export type TokenSet = {
  accessToken: string;
  /** Epoch ms. With `expiresAt` it gives the token's life, which says how early a refresh pays. */
  obtainedAt: number;
  /** Epoch ms. */
  expiresAt: number;
  refreshToken?: string;
};

/** Port: the links, one per person and purpose. */
export type LinkStore = {
  get(key: LinkKey): Promise<AccountLink | undefined>;
  /** Writes the link as version `expected + 1`, only where the stored one is `expected` (0: none is stored). */
  save(link: Omit<AccountLink, 'version'>, expected: number): Promise<boolean>;
  delete(key: LinkKey): Promise<void>;
};

/** Port: things that may be used once and not for long: sign-in tickets, states, codes. Keys are stored as given. */
export type ExpiringStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  /** Returns the value and removes it in one step: of two callers one gets it. Undefined: unknown, used or expired. */
  take(key: string): Promise<string | undefined>;
  /** Reads without using. */
  peek(key: string): Promise<string | undefined>;
};

/** Port: one that also says who came first. */
export type ClaimStore = ExpiringStore & {
  /** Puts the value where there is none, in one step, and returns what is there then: all callers get the same. */
  claim(key: string, value: string, expiresAt: number): Promise<string>;
};

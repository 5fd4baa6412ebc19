import type { Person } from '../conversation/question.ts';

/** What a set of tokens is for. Each purpose has its own authorization, perhaps with another account. */
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
  /** The account's id in the directory, by which inventories name owners; missing in older links. */
  directoryId?: string;
  channelAnswers: ChannelAnswers;
  /** An encrypted TokenSet: see token-vault.ts. Empty: the authorization has ended, sign in again. */
  sealedTokens: string;
  /** Epoch ms. */
  linkedAt: number;
  /** Increases with each save, for compare-and-swap. */
  version: number;
};

export type TokenSet = {
  accessToken: string;
  /** Epoch ms. With `expiresAt` it gives the token's lifetime. */
  obtainedAt: number;
  /** Epoch ms. */
  expiresAt: number;
  refreshToken?: string;
};

/** Port: the links, one per person and purpose. */
export type LinkStore = {
  get(key: LinkKey): Promise<AccountLink | undefined>;
  /** Writes the link as version `expected + 1` if the stored one is `expected` (0: none). False: it is another. */
  save(link: Omit<AccountLink, 'version'>, expected: number): Promise<boolean>;
  delete(key: LinkKey): Promise<void>;
};

/** Port: values that expire, such as sign-in tickets, states and codes. Keys are stored as given. */
export type ExpiringStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  /** Returns and removes the value atomically: only one caller gets it. Undefined: unknown, used or expired. */
  take(key: string): Promise<string | undefined>;
  /** Reads without removing. */
  peek(key: string): Promise<string | undefined>;
};

/** Port: an ExpiringStore with first-writer-wins. */
export type ClaimStore = ExpiringStore & {
  /** Atomically stores the value if there is none, and returns the stored one: all callers get the same. */
  claim(key: string, value: string, expiresAt: number): Promise<string>;
};

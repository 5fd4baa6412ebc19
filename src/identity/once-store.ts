/** Port: things that may be used once and not for long: sign-in tickets, states, codes. Keys are stored as given. */
export type OnceStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  /** Returns the value and removes it in one step: of two callers one gets it. Undefined: unknown, used or expired. */
  take(key: string): Promise<string | undefined>;
  /** Reads without using. */
  peek(key: string): Promise<string | undefined>;
};

/** Port: one that also says who came first. */
export type ClaimStore = OnceStore & {
  /** Puts the value where there is none, in one step, and returns what is there then: all callers get the same. */
  claim(key: string, value: string, expiresAt: number): Promise<string>;
};

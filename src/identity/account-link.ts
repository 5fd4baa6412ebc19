import type { Person } from '../conversation/question.ts';
import { type Document, type Kernel, PAGE, read } from '../storage/kernel.ts';

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
  /** The name of the account at the identity provider. Unknown without an id token. */
  accountName?: string;
  /** The account, in a form to compare: see directory.ts. Unknown without an id token. */
  account?: string;
  /** `accountName` and `account`, if no encryption key opens them. */
  sealed?: string;
  channelAnswers: ChannelAnswers;
  /** An encrypted TokenSet: see token-vault.ts. Empty: the authorization has ended, sign in again. */
  sealedTokens: string;
  /** Epoch ms at which the operator ended the sign-in: a running refresh must not store tokens again. */
  endedAt?: number;
  /** Epoch ms. */
  linkedAt: number;
  /** Epoch ms of the last use, to within a day. Missing until the first use is noted. */
  usedAt?: number;
  /** Changes with each save. A later link of the same person gets another version, too. */
  version: number;
};

/** A link before its version is known. */
export type NewLink = Omit<AccountLink, 'version'>;

/** `previous`: the person's former link for this purpose, perhaps with another account. */
export type SavedLink = { link: NewLink; previous?: AccountLink };

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
  /** Writes the link if the stored version is `expected` (0: no link is stored). False: the version differs. */
  save(link: NewLink, expected: number): Promise<boolean>;
  delete(key: LinkKey): Promise<void>;
  /** Deletes the link if it still has this version. False: it does not. */
  deleteUnchanged(link: LinkKey & { version: number }): Promise<boolean>;
  /**
   * All links, page by page, for slow scans. `cursor`: `next` of the page before. A link that exists all the time is on
   * one of the pages. A page may be empty.
   */
  list(cursor?: string): Promise<LinkPage>;
};

/** `next`: undefined on the last page. */
type LinkPage = { links: AccountLink[]; next: string | undefined };

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
  /** Atomically replaces the value, if one is stored. After a `take` it does nothing. */
  replace(key: string, toValue: (stored: string) => string, expiresAt: number): Promise<void>;
};

/** All links, each once. */
export async function* eachLink(links: Pick<LinkStore, 'list'>): AsyncIterable<AccountLink> {
  for (let cursor: string | undefined; ; ) {
    const page = await links.list(cursor);
    yield* page.links;
    if (page.next === undefined) return;
    cursor = page.next;
  }
}

/** Attempts to save a link. One fails only if the same link was saved concurrently. */
const SAVE_ROUNDS = 5;

/**
 * Replaces a link with the result of `build`. If it was saved since it was read (`stored`), builds again from the
 * latest. Saves nothing if `build` returns the stored link itself. Resolves with the link that is stored in the end.
 */
export async function replaceLink(
  links: Pick<LinkStore, 'get' | 'save'>,
  { key, stored }: { key: LinkKey; stored: AccountLink | undefined },
  build: (stored: AccountLink | undefined) => NewLink,
): Promise<SavedLink> {
  let previous = stored;
  for (let round = 0; round < SAVE_ROUNDS; round += 1) {
    const link = build(previous);
    if (previous && link === previous) return { link: previous };
    if (await links.save(link, previous?.version ?? 0)) return { link, ...(previous && { previous }) };
    previous = await links.get(key);
  }
  throw new Error('a link was saved by others five times in a row');
}

/** The index of all links, in order of creation. */
const LINKS = 'links';

/** The version of a link is that of its document. */
export function createLinks(kernel: Kernel): LinkStore {
  return {
    async get(key) {
      const found = await read<NewLink>(kernel, toLinkText(key));
      return found && toLink(found);
    },
    save: (link, expected) =>
      kernel.commit([
        {
          put: toLinkText(link),
          body: { ...link, version: undefined },
          ifVersion: expected,
          entries: [{ index: LINKS }, { index: `workspace:${link.workspace}` }],
        },
      ]),
    delete: async (key) => void (await kernel.commit([{ drop: toLinkText(key) }])),
    deleteUnchanged: (link) => kernel.commit([{ drop: toLinkText(link), ifVersion: link.version }]),
    async list(cursor) {
      const page = await kernel.range(LINKS, cursor === undefined ? {} : { after: Number(cursor) });
      const links = page.map((found) => toLink(found as Document<NewLink>));
      return { links, next: page.length < PAGE ? undefined : String(page.at(-1)?.place) };
    },
  };
}

/** One text per person and purpose: names records and locks, and binds encrypted tokens to their record. */
export function toLinkText({ team, user, purpose }: LinkKey): string {
  return `link:${team}:${user}:${purpose}`;
}

function toLink({ body, version }: Document<NewLink>): AccountLink {
  return { ...body, version };
}

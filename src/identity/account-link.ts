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
  /** As the identity provider names the account; unknown without an id token. */
  accountName?: string;
  /** The account, comparable: see directory-account.ts. Unknown without an id token. */
  account?: string;
  /** These two, where no encryption key opens them. */
  sealed?: string;
  channelAnswers: ChannelAnswers;
  /** An encrypted TokenSet: see token-vault.ts. Empty: the authorization has ended, sign in again. */
  sealedTokens: string;
  /** Epoch ms at which the operator ended it: no refresh that still runs may bring tokens back. */
  endedAt?: number;
  /** Epoch ms. */
  linkedAt: number;
  /** Epoch ms of the last use, to within a day. Missing where it was not used since. */
  usedAt?: number;
  /** Another one after each save, and in a link that is made after this one is gone. */
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
  /** Writes the link if the stored version is `expected` (0: there is none). False: it is another. */
  save(link: NewLink, expected: number): Promise<boolean>;
  delete(key: LinkKey): Promise<void>;
  /** Deletes the link if it is still this version. False: it is not. */
  deleteUnchanged(link: LinkKey & { version: number }): Promise<boolean>;
  /**
   * All links, page by page, for slow scans. `cursor`: `next` of the page before. A link that exists all the time is in
   * one of the pages; a page may be empty.
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
  /** Puts the value only where there is one: what was taken stays away. */
  replace(key: string, value: string, expiresAt: number): Promise<void>;
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

/** A round fails only if the same link was saved concurrently. */
const SAVE_ROUNDS = 5;

/**
 * Replaces a link by what `build` makes of it. If it was saved concurrently since it was read (`stored`), builds again from
 * the newest. Saves nothing if `build` returns the stored link itself. Resolves with the link that is stored in the end.
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

/** All links, in the order in which they were made. */
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

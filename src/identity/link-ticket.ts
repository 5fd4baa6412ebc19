// What a sign-in keeps in the store from one step to the next. The store has only hashes of the secrets that find it.
import type { Person } from '../conversation/question.ts';
import type { ChannelAnswers, ClaimStore, ExpiringStore, LinkKey, Purpose, TokenSet } from './account-link.ts';
import { LinkRefusedError } from './identity-errors.ts';
import type { SignInStep } from './identity-provider.ts';
import { createSecret, hashSecret, isSecretShaped } from './secret.ts';
import type { TokenVault } from './token-vault.ts';

/** How long each step may take: the link, Slack, the identity provider, the page with both names, and the undo. */
export const SIGN_IN_LIFE_MS = 10 * 60_000;

/**
 * Who asked in Slack to sign in, and for what. It proves who got the link, not who opens it. `app`: the id of the Slack
 * app, for the way back to it.
 */
export type Ticket = { person: Person; workspace: string; purpose: Purpose; app?: string };

export function keyOf({ person: { team, user }, purpose }: Ticket): LinkKey {
  return { team, user, purpose };
}

/** Tickets live 10 min and are stored by their hash. */
export function createTicketBook(once: ExpiringStore, now: () => number) {
  return {
    async issue(ticket: Ticket): Promise<string> {
      const secret = createSecret();
      await once.put(toKey(secret), JSON.stringify(ticket), now() + SIGN_IN_LIFE_MS);
      return secret;
    },
    peek: (secret: string) => read(secret, (key) => once.peek(key)),
    take: (secret: string) => read(secret, (key) => once.take(key)),
  };
}

async function read(secret: string, find: (key: string) => Promise<string | undefined>): Promise<Ticket | undefined> {
  const text = isSecretShaped(secret) ? await find(toKey(secret)) : undefined;
  if (text === undefined) return undefined;
  const ticket: Ticket = JSON.parse(text);
  return ticket;
}

function toKey(secret: string): string {
  return `link-ticket:${hashSecret(secret)}`;
}

/** The expected callback. */
export type StepName = 'slack' | 'account';

/** What the person chose before the redirect. */
export type SignInIntent = { ticket: Ticket; channelAnswers: ChannelAnswers };

/** One redirect, until its callback comes. Found by its state. */
export type PendingStep = SignInStep & SignInIntent;

/** A finished sign-in that is not stored yet: it waits until the person has seen both names. */
export type LinkDraft = SignInIntent & { accountName?: string; account?: string; tokens: TokenSet };

/** What the browser sends: the secret of a value, and the cookie that the value is bound to. */
export type Presented = { secret: string | null; cookie: string | undefined };

/** The secret that finds a value, and the cookie that it is bound to. */
export type Bound = { secret: string; cookie: string };

type Stored = { sealed: string; cookieHash: string };

/**
 * Values that only one browser can read and use: found by a secret, and bound to the browser's cookie. They are encrypted.
 * `name`: the prefix of the keys in the store. All but `put` throw what TokenVault.open throws, and LinkRefusedError:
 * `step_unknown`, or `other_browser`, which keeps the value for the right browser.
 */
export function createBrowserBound<T>(
  name: string,
  { once, vault, now }: { once: ClaimStore; vault: TokenVault; now: () => number },
) {
  const toKey = (secret: string | null) => `${name}:${hashSecret(secret ?? '')}`;

  function seal(value: T, { secret, cookie }: Bound): string {
    const stored: Stored = { sealed: vault.seal(JSON.stringify(value), toKey(secret)), cookieHash: hashSecret(cookie) };
    return JSON.stringify(stored);
  }

  function open(text: string, { secret, cookie }: Presented): T {
    const { sealed, cookieHash }: Stored = JSON.parse(text);
    if (cookie === undefined || hashSecret(cookie) !== cookieHash) throw new LinkRefusedError('other_browser');
    const value: T = JSON.parse(vault.open(sealed, toKey(secret)));
    return value;
  }

  async function find(presented: Presented): Promise<T | undefined> {
    const { secret } = presented;
    const text = isSecretShaped(secret) ? await once.peek(toKey(secret)) : undefined;
    return text === undefined ? undefined : open(text, presented);
  }

  async function peek(presented: Presented): Promise<T> {
    const value = await find(presented);
    if (value === undefined) throw new LinkRefusedError('step_unknown');
    return value;
  }

  return {
    put: (value: T, bound: Bound) => once.put(toKey(bound.secret), seal(value, bound), now() + SIGN_IN_LIFE_MS),
    /** Like `put`, but keeps a value that is there. Returns what is there now. */
    async claim(value: T, bound: Bound): Promise<T> {
      return open(await once.claim(toKey(bound.secret), seal(value, bound), now() + SIGN_IN_LIFE_MS), bound);
    },
    /** Undefined: there is none. */
    find,
    peek,
    /** Like `peek`, but uses up the value: of concurrent calls only one gets it. */
    async take(presented: Presented): Promise<T> {
      // Open it first: a replica without the key must not use it up.
      const value = await peek(presented);
      if ((await once.take(toKey(presented.secret))) === undefined) throw new LinkRefusedError('step_unknown');
      return value;
    },
  };
}

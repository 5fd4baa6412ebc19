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
    async peek(secret: string): Promise<Ticket | undefined> {
      const text = isSecretShaped(secret) ? await once.peek(toKey(secret)) : undefined;
      if (text === undefined) return undefined;
      const ticket: Ticket = JSON.parse(text);
      return ticket;
    },
  };
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

/**
 * A finished sign-in: its tokens wait until the person has seen both names. `linkedAt`: epoch ms of the first *Connect*.
 * `end`: what the person chose; from then on there are no tokens here, and another click gets the same page.
 */
export type LinkDraft = SignInIntent & {
  accountName?: string;
  account?: string;
  tokens?: TokenSet;
  linkedAt?: number;
  end?: 'connected' | 'cancelled' | 'undone';
};

/** What the browser sends: the secret of a value, and the cookie that the value is bound to. */
export type Presented = { secret: string | null; cookie: string | undefined };

type Bound = { sealed: string; cookieHash: string };

/**
 * Values that only one browser can read and use: found by a secret, and bound to the browser's cookie. They are encrypted.
 * `name`: the prefix of the keys in the store. Unless stated otherwise, all throw what TokenVault.open throws, and
 * LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the value for the right browser.
 */
export function createBrowserBound<T extends object>(
  name: string,
  { once, vault, now }: { once: ClaimStore; vault: TokenVault; now: () => number },
) {
  const toKey = (secret: string | null) => `${name}:${hashSecret(secret ?? '')}`;

  function seal(value: T, { secret, cookie }: { secret: string | null; cookie: string }): string {
    const bound: Bound = { sealed: vault.seal(JSON.stringify(value), toKey(secret)), cookieHash: hashSecret(cookie) };
    return JSON.stringify(bound);
  }

  function open(text: string, { secret, cookie }: Presented): T {
    const { sealed, cookieHash }: Bound = JSON.parse(text);
    if (cookie === undefined || hashSecret(cookie) !== cookieHash) throw new LinkRefusedError('other_browser');
    const value: T = JSON.parse(vault.open(sealed, toKey(secret)));
    return value;
  }

  /** Undefined: there is no such value. */
  async function find(presented: Presented): Promise<T | undefined> {
    const text = isSecretShaped(presented.secret) ? await once.peek(toKey(presented.secret)) : undefined;
    return text === undefined ? undefined : open(text, presented);
  }

  async function peek(presented: Presented): Promise<T> {
    const value = await find(presented);
    if (!value) throw new LinkRefusedError('step_unknown');
    return value;
  }

  return {
    async put(value: T, bound: { secret: string; cookie: string }): Promise<void> {
      await once.put(toKey(bound.secret), seal(value, bound), now() + SIGN_IN_LIFE_MS);
    },
    /** Stores the value if there is none, and gives the stored one: the same to each call. */
    async claim(value: T, bound: { secret: string; cookie: string }): Promise<T> {
      return open(await once.claim(toKey(bound.secret), seal(value, bound), now() + SIGN_IN_LIFE_MS), bound);
    },
    find,
    peek,
    /** Like `peek`, but uses up the value: of concurrent calls only one gets it. */
    async take(presented: Presented): Promise<T> {
      // Open it first: a replica without the key must not use it up.
      const value = await peek(presented);
      if ((await once.take(toKey(presented.secret))) === undefined) throw new LinkRefusedError('step_unknown');
      return value;
    },
    /** Changes the value, and gives the new one. Concurrent calls change it one after the other. */
    async change(presented: Presented, toValue: (value: T) => T): Promise<T> {
      let changed: T | undefined;
      const { secret, cookie = '' } = presented;
      const toText = (text: string) => {
        changed = toValue(open(text, presented));
        return seal(changed, { secret, cookie });
      };
      await once.replace(toKey(secret), toText, now() + SIGN_IN_LIFE_MS);
      if (!changed) throw new LinkRefusedError('step_unknown');
      return changed;
    },
  };
}

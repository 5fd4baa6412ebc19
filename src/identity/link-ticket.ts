// What a sign-in keeps in the store from one step to the next.
import type { Person } from '../conversation/question.ts';
import type { ChannelAnswers, ExpiringStore, LinkKey, Purpose, TokenSet } from './account-link.ts';
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

/** The expected callback. */
export type StepName = 'slack' | 'account';

/** What the person chose before the redirect. */
export type SignInIntent = { ticket: Ticket; channelAnswers: ChannelAnswers };

export type PendingStep = SignInStep & SignInIntent;

export function createPendingSteps(once: ExpiringStore, now: () => number) {
  const toBound = (name: StepName) => createBrowserBound<PendingStep>(`link-step:${name}`, { once, now });
  const bound = { slack: toBound('slack'), account: toBound('account') };
  return {
    /** Creates the state, nonce and verifier of one redirect, bound to the browser that holds `cookie`. */
    async open(name: StepName, cookie: string, trip: SignInIntent & { redirectUri: string }): Promise<PendingStep> {
      const pending = { ...trip, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
      await bound[name].put(pending, { secret: pending.state, cookie });
      return pending;
    },
    /**
     * Uses up the step of a callback. Throws LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the step for
     * the browser that began it.
     */
    claim: (name: StepName, callback: URLSearchParams, cookie: string) =>
      bound[name].take({ secret: callback.get('state'), cookie }),
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

/** A finished sign-in that is not stored yet. */
export type LinkDraft = SignInIntent & { accountName?: string; account?: string; tokens: TokenSet };

/** Finished sign-ins that wait until the person has seen both names. Encrypted, and bound to the browser. */
export function createLinkDrafts(options: { once: ExpiringStore; vault: TokenVault; now: () => number }) {
  const { vault } = options;
  const bound = createBrowserBound<string>('link-draft', options);

  function open(sealed: string, { secret }: Presented): LinkDraft {
    const draft: LinkDraft = JSON.parse(vault.open(sealed, toRecord(secret ?? '')));
    return draft;
  }

  return {
    /** Resolves with the secret for the page. */
    async offer(draft: LinkDraft, cookie: string): Promise<string> {
      const secret = createSecret();
      await bound.put(vault.seal(JSON.stringify(draft), toRecord(secret)), { secret, cookie });
      return secret;
    },
    /** Both throw LinkRefusedError (`step_unknown`, `other_browser`), and what TokenVault.open throws. */
    peek: async (presented: Presented) => open(await bound.peek(presented), presented),
    async take(presented: Presented): Promise<LinkDraft> {
      // Open it first: a replica without the key must not use it up.
      const draft = open(await bound.peek(presented), presented);
      await bound.take(presented);
      return draft;
    },
  };
}

function toRecord(secret: string): string {
  return `link-draft:${hashSecret(secret)}`;
}

/** What the browser sends: the secret of a value, and the cookie that the value is bound to. */
export type Presented = { secret: string | null; cookie: string | undefined };

type Bound<T> = { pending: T; cookieHash: string };

/**
 * Values that only one browser can read and use: found by a secret, and bound to the browser's cookie. Both are stored as
 * hashes. `name`: the prefix of the keys in the store.
 */
export function createBrowserBound<T>(name: string, { once, now }: { once: ExpiringStore; now: () => number }) {
  const toKey = (secret: string) => `${name}:${hashSecret(secret)}`;

  /** Throws LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the value for the right browser. */
  async function peek({ secret, cookie }: Presented): Promise<T> {
    const text = isSecretShaped(secret) ? await once.peek(toKey(secret)) : undefined;
    if (text === undefined) throw new LinkRefusedError('step_unknown');
    const { pending, cookieHash }: Bound<T> = JSON.parse(text);
    if (cookie === undefined || hashSecret(cookie) !== cookieHash) throw new LinkRefusedError('other_browser');
    return pending;
  }

  return {
    async put(pending: T, { secret, cookie }: { secret: string; cookie: string }): Promise<void> {
      const bound: Bound<T> = { pending, cookieHash: hashSecret(cookie) };
      await once.put(toKey(secret), JSON.stringify(bound), now() + SIGN_IN_LIFE_MS);
    },
    peek,
    /** Like `peek`, but uses up the value: of concurrent calls only one gets it. */
    async take(presented: Presented): Promise<T> {
      const pending = await peek(presented);
      const isFirst = (await once.take(toKey(presented.secret ?? ''))) !== undefined;
      if (!isFirst) throw new LinkRefusedError('step_unknown');
      return pending;
    },
  };
}

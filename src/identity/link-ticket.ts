import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import type { ChannelAnswers, ExpiringStore, LinkKey, Purpose, TokenSet } from './account-link.ts';
import { LinkCodeError, LinkRefusedError } from './identity-errors.ts';
import type { SignInStep } from './identity-provider.ts';
import { type TokenVault, toLinkText } from './token-vault.ts';

/** Who asked in Slack to sign in, and for what. It proves where a link came from, not who opens it. */
export type Ticket = { person: Person; workspace: string; purpose: Purpose };

export type TicketBook = {
  issue(ticket: Ticket): Promise<string>;
  peek(secret: string): Promise<Ticket | undefined>;
  take(secret: string): Promise<Ticket | undefined>;
};

const TICKET_LIFE_MS = 10 * 60_000;

/** Tickets live 10 min and are stored by their hash. */
export function createTicketBook(once: ExpiringStore, now: () => number): TicketBook {
  return {
    async issue(ticket) {
      const secret = createSecret();
      await once.put(toKey(secret), JSON.stringify(ticket), now() + TICKET_LIFE_MS);
      return secret;
    },
    peek: (secret) => read(secret, (key) => once.peek(key)),
    take: (secret) => read(secret, (key) => once.take(key)),
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

/** Which callback is expected. */
export type StepName = 'slack' | 'account';

/** What the person chose before the redirect. */
export type SignInIntent = { ticket: Ticket; channelAnswers: ChannelAnswers };

export type PendingStep = SignInStep & SignInIntent;

export type PendingSteps = {
  /** Creates the state, nonce and verifier of one redirect, bound to the browser that holds `cookie`. */
  open(name: StepName, cookie: string, trip: SignInIntent & { redirectUri: string }): Promise<PendingStep>;
  /**
   * Uses up the step of a callback. Throws LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the step for
   * the browser that began it.
   */
  claim(name: StepName, callback: URLSearchParams, cookie: string | undefined): Promise<PendingStep>;
};

type StoredStep = { pending: PendingStep; cookieHash: string };

/** How long a person may take at Slack or at the identity provider, second factor included. */
export const STEP_LIFE_MS = 10 * 60_000;

export function createPendingSteps(once: ExpiringStore, now: () => number): PendingSteps {
  return {
    async open(name, cookie, trip) {
      const pending = { ...trip, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
      const stored: StoredStep = { pending, cookieHash: hashSecret(cookie) };
      await once.put(toStepKey(name, pending.state), JSON.stringify(stored), now() + STEP_LIFE_MS);
      return pending;
    },
    async claim(name, callback, cookie) {
      const state = callback.get('state');
      if (!isSecretShaped(state)) throw new LinkRefusedError('step_unknown');
      const key = toStepKey(name, state);
      const text = await once.peek(key);
      if (text === undefined) throw new LinkRefusedError('step_unknown');
      const stored: StoredStep = JSON.parse(text);
      if (cookie === undefined || hashSecret(cookie) !== stored.cookieHash) throw new LinkRefusedError('other_browser');
      if ((await once.take(key)) === undefined) throw new LinkRefusedError('step_unknown');
      return stored.pending;
    },
  };
}

function toStepKey(name: StepName, state: string): string {
  return `link-step:${name}:${hashSecret(state)}`;
}

/** The variant without Sign in with Slack: the browser shows a code, and the person types it into Slack. */
export type LinkCodes = {
  /** Stores the encrypted draft and returns the code. A newer draft of the same person and purpose replaces it. */
  offer(draft: LinkDraft): Promise<string>;
  /** Returns the draft for the right code. Throws LinkCodeError. */
  redeem(key: LinkKey, code: string): Promise<LinkDraft>;
  withdraw(key: LinkKey): Promise<void>;
};

const CODE_LIFE_MS = 5 * 60_000;
const TRIES = 5;
const CODE_LENGTH = 8;

/** Without 0 O, 1 I L, U V: 29^8 codes against five tries. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTWXYZ';

type StoredCode = { triesLeft: number; expiresAt: number; sealed: string };
type SealedCode = { code: string; draft: LinkDraft };

export function createLinkCodes(options: { once: ExpiringStore; vault: TokenVault; now: () => number }): LinkCodes {
  const { once, vault, now } = options;
  const put = (name: string, stored: StoredCode) => once.put(name, JSON.stringify(stored), stored.expiresAt);

  async function redeem(key: LinkKey, typed: string): Promise<LinkDraft> {
    const name = toName(key);
    // `take`, not `peek`: of two concurrent tries one finds nothing, so every try is counted.
    const text = await once.take(name);
    if (text === undefined) throw new LinkCodeError('link_code_unknown', 0);
    const stored: StoredCode = JSON.parse(text);
    const { code, draft }: SealedCode = JSON.parse(vault.open(stored.sealed, name));
    if (isSameCode(code, normalise(typed))) return draft;
    const triesLeft = stored.triesLeft - 1;
    if (triesLeft > 0) await put(name, { ...stored, triesLeft });
    throw new LinkCodeError('link_code_wrong', triesLeft);
  }

  return {
    async offer(draft) {
      const name = toName(draft.key);
      const code = createCode();
      const sealed = vault.seal(JSON.stringify({ code, draft } satisfies SealedCode), name);
      await put(name, { triesLeft: TRIES, expiresAt: now() + CODE_LIFE_MS, sealed });
      return `${code.slice(0, 4)}-${code.slice(4)}`;
    },
    redeem,
    async withdraw(key) {
      await once.take(toName(key));
    },
  };
}

function createCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** People type the code with spaces, dashes and in lower case. */
function normalise(typed: string): string {
  return typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

function isSameCode(code: string, typed: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(code)), Buffer.from(hashSecret(typed)));
}

function toName(key: LinkKey): string {
  return `link-code:${toLinkText(key)}`;
}

/** A finished sign-in that is not stored yet. */
export type LinkDraft = {
  key: LinkKey;
  workspace: string;
  channelAnswers: ChannelAnswers;
  accountName?: string;
  directoryId?: string;
  tokens: TokenSet;
};

/** 256 random bits, usable in a URL, a cookie and a form field. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret, so that nobody can use it from the store. Unsalted, because secrets have 256 bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether createSecret may have made this text; anything else needs no lookup in the store. */
export function isSecretShaped(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

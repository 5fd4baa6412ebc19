import { randomInt, timingSafeEqual } from 'node:crypto';
import type { ChannelAnswers, ExpiringStore, LinkKey, TokenSet } from './account-link.ts';
import { LinkCodeError } from './identity-errors.ts';
import { hashSecret } from './secret.ts';
import { type TokenVault, toLinkText } from './token-vault.ts';

/** The variant without Sign in with Slack: the browser shows a code, and the person types it into Slack. */
export type LinkCodes = {
  /** Stores the encrypted draft and returns the code. A newer draft of the same person and purpose replaces it. */
  offer(draft: LinkDraft): Promise<string>;
  /** Returns the draft for the right code. Throws LinkCodeError. */
  redeem(key: LinkKey, code: string): Promise<LinkDraft>;
  withdraw(key: LinkKey): Promise<void>;
};

/** A finished sign-in that is not stored yet. */
export type LinkDraft = {
  key: LinkKey;
  workspace: string;
  channelAnswers: ChannelAnswers;
  accountName?: string;
  directoryId?: string;
  account?: string;
  tokens: TokenSet;
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

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { PermanentError } from '../errors.ts';
import { type LinkKey, type NewLink, type TokenSet, toLinkText } from './account-link.ts';
import type { EncryptionKey } from './encryption-keys.ts';
import { TokenKeyUnknownError, TokenUnreadableError } from './identity-errors.ts';

/** Encrypts secrets at rest, as `v1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. */
export type TokenVault = {
  /** `associated`: the record that the text belongs to (AAD). Opening needs the same value. */
  seal(text: string, associated: string): string;
  /** Throws TokenKeyUnknownError, and TokenUnreadableError if the text was changed or moved to another record. */
  open(sealed: string, associated: string): string;
  /** Whether the text was sealed with the current key. */
  isNewest(sealed: string): boolean;
};

const CIPHER = 'aes-256-gcm';

// 96 random bits: replace a key long before 2^32 encryptions (NIST SP 800-38D, section 8.3).
const IV_BYTES = 12;

/** Random bytes are fetched for this many IVs at once: each fetch costs a third of an encryption. */
const IVS_AT_ONCE = 256;

const TAG_BYTES = 16;

// HKDF info: another use of the same root key would get another derived key.
const KEY_USE = 'assistant-bridge token vault v1';

/** The first key encrypts, all decrypt, so that keys can be rotated without signing anybody out. */
export function createTokenVault(keys: readonly EncryptionKey[]): TokenVault {
  const derived = new Map(keys.map(({ id, key }) => [id, deriveKey(key)]));
  const [current] = derived.entries();
  if (!current) throw new PermanentError('encryption_keys_invalid', 'ENCRYPTION_KEYS names no key.');
  const [currentId, currentKey] = current;
  const ivs = createIvs();
  return {
    seal: (text, associated) => seal(text, ivs.next().value, { id: currentId, key: currentKey, associated }),
    open(sealed, associated) {
      const { id, iv, body } = parseSealed(sealed);
      const key = derived.get(id);
      if (!key) throw new TokenKeyUnknownError(id);
      return open({ iv, body }, { id, key, associated });
    },
    isNewest: (sealed) => sealed.startsWith(`v1.${currentId}.`),
  };
}

export function sealTokens(vault: TokenVault, key: LinkKey, tokens: TokenSet): string {
  return vault.seal(JSON.stringify(tokens), toLinkText(key));
}

/** Undefined if the authorization has ended. Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openTokens(vault: TokenVault, link: NewLink): TokenSet | undefined {
  if (link.sealedTokens === '') return undefined;
  const tokens: TokenSet = JSON.parse(vault.open(link.sealedTokens, toLinkText(link)));
  return tokens;
}

/** The id of the key that sealed this text. Empty: there is none. */
export function readKeyId(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

/** Returns a KeyObject: creating one for each encryption costs more than the encryption. */
function deriveKey(root: EncryptionKey['key']): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', root, '', KEY_USE, 32)));
}

/** Each IV is valid only until the next one is taken. */
function* createIvs(): Generator<Buffer, never> {
  const ivs = Buffer.alloc(IVS_AT_ONCE * IV_BYTES);
  for (;;) {
    randomFillSync(ivs);
    for (let at = 0; at < ivs.length; at += IV_BYTES) yield ivs.subarray(at, at + IV_BYTES);
  }
}

type Lock = { id: string; key: KeyObject; associated: string };

function seal(text: string, iv: Buffer, { id, key, associated }: Lock): string {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(toAssociated(id, associated));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${iv.toString('base64url')}.${body.toString('base64url')}`;
}

function open(sealed: { iv: Buffer; body: Buffer }, { id, key, associated }: Lock): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(toAssociated(id, associated));
  decipher.setAuthTag(sealed.body.subarray(-TAG_BYTES));
  const body = sealed.body.subarray(0, -TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    throw new TokenUnreadableError('token_tampered', 'sealed text was changed, or belongs to another record');
  }
}

function parseSealed(sealed: string): { id: string; iv: Buffer; body: Buffer } {
  const [, id, iv, body] = /^v1\.([A-Za-z0-9_-]{1,32})\.([\w-]{16})\.([\w-]{22,})$/.exec(sealed) ?? [];
  if (id === undefined || iv === undefined || body === undefined) {
    throw new TokenUnreadableError('token_malformed', 'sealed text is not of the form v1.id.iv.body');
  }
  return { id, iv: Buffer.from(iv, 'base64url'), body: Buffer.from(body, 'base64url') };
}

function toAssociated(id: string, associated: string): Buffer {
  return Buffer.from(`v1|${id}|${associated}`);
}

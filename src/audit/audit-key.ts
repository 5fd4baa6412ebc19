// AUDIT_KEY: a key outside the store. A seal made with it proves that the app wrote an entry; whoever can write to the store
// can compute hashes, but no seals.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { toCanonicalJson } from '../canonical-json.ts';
import { PermanentError } from '../errors.ts';

/** `id`: derived from the key, tells nothing about it. */
export type AuditKey = { id: string; key: Buffer };

const KEY_BYTES = 32;

/**
 * Reads `base64[,base64…]`, 32 bytes each, the newest first. The newest seals, and all verify. Throws PermanentError
 * (`audit_key_invalid`) with a sentence for the operator, which never repeats any part of the text.
 */
export function parseAuditKeys(text: string): AuditKey[] {
  const keys = text.split(',').map((entry, index) => parseKey(entry.trim(), index + 1));
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw invalid('has the same key twice');
  return keys;
}

function parseKey(encoded: string, position: number): AuditKey {
  const key = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
  if (key === undefined) throw invalid(`entry ${position} is not base64; "openssl rand -base64 32" makes a key`);
  if (key.length !== KEY_BYTES) {
    throw invalid(`entry ${position} has ${key.length} bytes instead of 32; "openssl rand -base64 32" makes a key`);
  }
  return { id: createHmac('sha256', key).update('audit key id').digest('hex').slice(0, 8), key };
}

function invalid(detail: string): PermanentError {
  return new PermanentError('audit_key_invalid', detail);
}

/** What is sealed: an entry, or the note of where the log ends. A seal of one cannot be used for the other. */
type Sealed = { entry: object } | { head: { seq: number; hash: string } };

/** `<key id>.<HMAC-SHA256 in hex>` */
export function seal(sealed: Sealed, key: AuditKey): string {
  return `${key.id}.${computeCode(sealed, key)}`;
}

/** The id of the key that made the seal; undefined without a seal. */
export function readKeyId(sealText: string | undefined): string | undefined {
  return sealText?.split('.', 1)[0];
}

/** Whether this key made the seal for exactly this. */
export function isSealedBy(key: AuditKey, sealText: string | undefined, sealed: Sealed): boolean {
  const made = Buffer.from(seal(sealed, key));
  const found = Buffer.from(sealText ?? '');
  return made.length === found.length && timingSafeEqual(made, found);
}

function computeCode(sealed: Sealed, { key }: AuditKey): string {
  const text =
    'entry' in sealed ? `entry ${toCanonicalJson(sealed.entry)}` : `head ${sealed.head.seq}:${sealed.head.hash}`;
  return createHmac('sha256', key).update(text).digest('hex');
}

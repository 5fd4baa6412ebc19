import { PermanentError } from '../errors.ts';

export type EncryptionKey = { id: string; key: Buffer };

const KEY_BYTES = 32;

/**
 * Reads `id:base64[,id:base64…]`, 32 bytes each; the first encrypts, all decrypt. Throws PermanentError
 * (`encryption_keys_invalid`) with a sentence for the operator, which never repeats any part of the text.
 */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  const keys = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1));
  const ids = new Set(keys.map((key) => key.id));
  if (ids.size < keys.length) throw invalid('has the same key id twice; give each key an id of its own.');
  return keys;
}

function parseEntry(entry: string, position: number): EncryptionKey {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry) ?? [];
  if (id === undefined || encoded === undefined) {
    throw invalid(`entry ${position} is not of the form id:base64, where the id has letters, digits, _ and - only.`);
  }
  const key = Buffer.from(encoded, 'base64');
  if (key.length !== KEY_BYTES) {
    throw invalid(`entry ${position} has ${key.length} bytes instead of 32; "openssl rand -base64 32" makes a key.`);
  }
  return { id, key };
}

function invalid(detail: string): PermanentError {
  return new PermanentError('encryption_keys_invalid', `ENCRYPTION_KEYS ${detail}`);
}

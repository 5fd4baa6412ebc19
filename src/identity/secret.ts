import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, usable in a URL, a cookie and a form field. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The store has only this hash, so nobody can use secrets from the store. Unsalted, because secrets have 256 bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether createSecret may have made this text. Other texts need no lookup in the store. */
export function isSecretShaped(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

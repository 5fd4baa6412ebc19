import { createHash, randomBytes } from 'node:crypto';

/** 256 bits nobody can guess, fit for an address, a cookie and a form field. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret: whoever reads the store cannot use it. Without salt, because secrets have 256 bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** True for text that createSecret may have made; everything else is not worth a look into the store. */
export function isSecretShaped(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

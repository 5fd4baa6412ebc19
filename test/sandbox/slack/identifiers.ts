import { randomBytes } from 'node:crypto';

export type Identifiers = ReturnType<typeof createIdentifiers>;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function createIdentifiers() {
  let lastMicros = 0;
  let count = 0;
  const salt = [...randomBytes(4)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return {
    /** A message timestamp: seconds, a dot, six digits; unique and rising within one sandbox. */
    ts(): string {
      lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
      const digits = String(lastMicros);
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    },
    /** An id with Slack's one or two letter prefix, for example `Ev` or `V`. */
    next(prefix: string): string {
      count += 1;
      return `${prefix}0${salt}${count.toString(36).toUpperCase().padStart(5, '0')}`;
    },
    triggerId(): string {
      count += 1;
      return `${Date.now()}.${count}.${randomBytes(8).toString('hex')}`;
    },
    secret: () => randomBytes(16).toString('hex'),
  };
}

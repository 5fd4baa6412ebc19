import { createHash } from 'node:crypto';
import type { Question } from './question.ts';

/** A digest of everything that a question sends, to detect changes. Stored encrypted: short texts can be guessed. */
export function toFingerprint({ text, links, unusable }: Pick<Question, 'text' | 'links' | 'unusable'>): string {
  const said = JSON.stringify([text, links, unusable.map(({ name, reason }) => [name, reason])]);
  return createHash('sha256').update(said).digest('base64url');
}

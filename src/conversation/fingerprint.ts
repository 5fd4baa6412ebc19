import { createHash } from 'node:crypto';
import type { Question } from './question.ts';

/** A digest of all that a question passes on, to notice a change. Kept sealed: a short text could be guessed from it. */
export function toFingerprint({ text, links, unusable }: Pick<Question, 'text' | 'links' | 'unusable'>): string {
  const said = JSON.stringify([text, links, unusable.map(({ name, reason }) => [name, reason])]);
  return createHash('sha256').update(said).digest('base64url');
}

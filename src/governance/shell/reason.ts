/** In characters, as the hint of the field says: a shorter reason says nothing to somebody who reads it in a year. */
export const MIN_REASON_LENGTH = 10;

const MAX_LENGTH = 500;

export type ParsedReason = { ok: true; reason: string } | { ok: false; sentence: string };

/** Why an admin does something, on one line; or the sentence that says what is wrong with it. */
export function parseReason(typed: string): ParsedReason {
  const reason = typed
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const length = [...reason].length;
  if (length < MIN_REASON_LENGTH) {
    return {
      ok: false,
      sentence: `Say why, in at least ${MIN_REASON_LENGTH} characters: it is kept in the audit log.`,
    };
  }
  if (length > MAX_LENGTH) return { ok: false, sentence: `Say it in at most ${MAX_LENGTH} characters.` };
  return { ok: true, reason };
}

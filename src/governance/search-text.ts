/** More is nobody's name, and has to travel in buttons. */
const MAX_LENGTH = 200;

/** What a list is searched by, as it was typed. Empty: by nothing. */
export function toSearchText(typed: string): string {
  return typed.trim().slice(0, MAX_LENGTH).toWellFormed();
}

// The directory account that somebody signed in with. Two Slack users with one account are the same person.

/** The claims of an id token that name an account. */
type AccountClaims = { iss?: unknown; sub?: unknown; oid?: unknown };

/** No directory has longer ids, and stored values have to stay small. */
const ID_LIMIT = 255;

/**
 * `{issuer}|oid|{id in the directory}`, or `{issuer}|sub|{subject}` if the id token has no `oid`. Undefined if it has
 * neither. The same account always gives the same text.
 */
export function toAccount({ iss, oid, sub }: AccountClaims): string | undefined {
  if (!isId(iss)) return undefined;
  // An oid is a GUID, which is written in both cases; a subject is case-sensitive.
  if (isId(oid)) return `${iss}|oid|${oid.toLowerCase()}`;
  return isId(sub) ? `${iss}|sub|${sub}` : undefined;
}

/**
 * `unknown`, too, if the issuers differ, or if one account has an `oid` and the other a `sub`: they were read with
 * different configurations, and may still be the same account.
 */
export function compareAccounts(one: string | undefined, other: string | undefined): 'same' | 'different' | 'unknown' {
  if (one === undefined || other === undefined) return 'unknown';
  if (one === other) return 'same';
  return toNamespace(one) === toNamespace(other) ? 'different' : 'unknown';
}

/** The id in the directory, in lower case, as inventories name owners. Undefined if only the subject is known. */
export function toDirectoryId(account: string | undefined): string | undefined {
  return account === undefined ? undefined : /^[^|]*\|oid\|(.+)$/.exec(account)?.[1];
}

function toNamespace(account: string): string {
  return account.split('|', 2).join('|');
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= ID_LIMIT;
}

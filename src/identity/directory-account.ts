// Which account of the directory somebody signed in with: two people in Slack with one account are one person.

/** The claims of an id token that name an account. */
type AccountClaims = { iss?: unknown; sub?: unknown; oid?: unknown };

/** Longer ids are of no directory, and everything stored has to stay small. */
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
 * `unknown` also if the accounts are of different issuers, or one is known by its `oid` and the other by its `sub`: then
 * they were read under another configuration, and may still be the same.
 */
export function compareAccounts(one: string | undefined, other: string | undefined): 'same' | 'different' | 'unknown' {
  if (one === undefined || other === undefined) return 'unknown';
  if (one === other) return 'same';
  return toNamespace(one) === toNamespace(other) ? 'different' : 'unknown';
}

/** The id in the directory, in lower case, by which inventories name owners. Undefined of an account known by its subject. */
export function toDirectoryId(account: string | undefined): string | undefined {
  return account === undefined ? undefined : /^[^|]*\|oid\|(.+)$/.exec(account)?.[1];
}

function toNamespace(account: string): string {
  return account.split('|', 2).join('|');
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= ID_LIMIT;
}

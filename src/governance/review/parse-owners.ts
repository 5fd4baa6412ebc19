/** The address of one person, as directories have them; not all that mail allows. */
const ADDRESS = /^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;]+$/;

/** More than these own nothing any more. */
const MAX_OWNERS = 20;

export type ParsedOwners = { ok: true; owners: string[] } | { ok: false; sentence: string };

/** E-mail addresses as typed, apart by commas, semicolons or blanks, after the Slack user ids that were chosen. */
export function parseOwners(typed: string, users: readonly string[]): ParsedOwners {
  const addresses = typed.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = addresses.find((address) => !ADDRESS.test(address) || address.length > 254);
  if (wrong !== undefined) {
    return { ok: false, sentence: `“${wrong.slice(0, 60)}” is not an e-mail address. Set them apart by commas.` };
  }
  const owners = [...new Set([...users, ...addresses.map((address) => address.toLowerCase())])];
  if (owners.length > MAX_OWNERS) return { ok: false, sentence: `Name at most ${MAX_OWNERS} owners in all.` };
  return { ok: true, owners };
}

/** What keys of the once store begin with that go on with `<team>:<user>`. A purge finds them by that. */
const KINDS = ['greeted', 'home', 'report-latest'];

/** What keys of people of a team begin with. */
export function toOncePrefixes(team: string): string[] {
  return KINDS.map((kind) => `${kind}:${team}:`);
}

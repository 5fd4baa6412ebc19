// The keys of the once store that the store itself has to know.

/** What keys of people of a team begin with: a purge finds them by that. */
export function toOncePrefixes(team: string): string[] {
  return ['greeted', 'home', 'report-latest'].map((kind) => `${kind}:${team}:`);
}

/** Ids and times that are kept for years, so that they outlive an encryption key. No text, and no name. */
export function isKeptInTheOpen(key: string): boolean {
  return /^(directory|greeted|slack-sighting):/.test(key);
}

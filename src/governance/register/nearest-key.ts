/** More than two slips of the finger, and it is another word. */
const MAX_DISTANCE = 2;

/** The key that somebody probably meant; undefined where none is close. */
export function findNearestKey(written: string, keys: readonly string[]): string | undefined {
  const word = written.toLowerCase();
  const rated = keys.map((key) => ({ key, distance: measure(word, key.toLowerCase()) }));
  const [nearest] = rated.sort((one, other) => one.distance - other.distance);
  return nearest && nearest.distance <= MAX_DISTANCE ? nearest.key : undefined;
}

// A part of a key, or a key with something added, is as good as one slip: `limit` for `monthlyLimit`.
function measure(word: string, key: string): number {
  const isPart = word.length > 2 && (key.includes(word) || word.includes(key));
  return Math.min(isPart ? 1 : Number.POSITIVE_INFINITY, measureEdits(word, key));
}

// Levenshtein's distance, row by row: https://en.wikipedia.org/wiki/Levenshtein_distance#Iterative_with_two_matrix_rows
function measureEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

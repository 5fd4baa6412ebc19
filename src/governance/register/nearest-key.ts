import { countEdits } from '../edit-distance.ts';

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
  return Math.min(isPart ? 1 : Number.POSITIVE_INFINITY, countEdits(word, key));
}

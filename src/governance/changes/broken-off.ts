// A change that was begun and never heard of again, ended by what a later look shows.
import type { FoundValue } from './carry-out-once.ts';
import { type Change, type ChangeOutcome, type ChangeStore, INTERRUPTED } from './change.ts';

/** Longer than a change takes whose process lives: reads, a write and their repetitions, each within its time. */
const BROKEN_OFF_MS = 120_000;

/**
 * Whether nothing of a change begun at `at` can still be on its way (both epoch ms). A process may die with its write on
 * the way: that it does not show yet is no proof for a while.
 */
export function isOver(at: number, now: number): boolean {
  return now - at >= BROKEN_OFF_MS;
}

type Kind = Change['kind'];

export type BrokenOffChange<K extends Kind> = Extract<Change, { kind: K }> & { outcome: ChangeOutcome };

/** What was found of the change: its old values, its new ones, or others. `not_told`: the service does not tell. */
type Shown = 'before' | 'after' | 'other' | 'not_told';

/** Undefined where it is not a change of this kind, or has ended by itself meanwhile. */
export async function endBrokenOff<K extends Kind>(
  { changeId, kind, found }: { changeId: string; kind: K; found: FoundValue },
  compare: (change: Extract<Change, { kind: K }>) => Shown,
  { changes, now }: { changes: Pick<ChangeStore, 'get' | 'finish'>; now: () => number },
): Promise<BrokenOffChange<K> | undefined> {
  const change = await changes.get(changeId);
  if (change === undefined || !isOfKind(change, kind) || change.outcome !== undefined) return undefined;
  const outcome = toOutcome(compare(change), found, isOver(change.at, now()));
  await changes.finish(changeId, outcome);
  return { ...change, outcome };
}

function isOfKind<K extends Kind>(change: Change, kind: K): change is Extract<Change, { kind: K }> {
  return change.kind === kind;
}

function toOutcome(shown: Shown, found: FoundValue, isPast: boolean): ChangeOutcome {
  const reason = INTERRUPTED;
  switch (shown) {
    case 'not_told':
      return { kind: 'applied_not_verified', written: 'perhaps', reason };
    case 'after':
      return { kind: 'verified', written: 'yes', reason };
    case 'before':
      return { kind: 'failed', written: isPast ? 'no' : 'perhaps', reason };
    case 'other':
      return { kind: 'conflict', written: 'perhaps', reason, found };
  }
}

// What changed between two reviews. Only what is not in order is remembered, and nothing of what anybody has used.
import type { Finding, FindingStatus } from './finding.ts';
import type { InventoryGaps, Review } from './review.ts';
import { openSnapshot, type Remembered, type ReviewSnapshot, toSnapshotEnvironments } from './review-snapshot.ts';
import { listStates, type ReviewState, toStatus, UNREADABLE } from './review-state.ts';

type ReviewChange = {
  key: string;
  environmentId: string;
  /** `gone`: it is in neither the register nor the inventory any more. */
  kind: 'new' | 'changed' | 'resolved' | 'gone';
  before: FindingStatus | undefined;
  /** Undefined where it is gone. */
  finding: Finding | undefined;
};

export type ReviewDiff = {
  /** There is nothing to compare with: all that is not in order counts as new. */
  isFirst: boolean;
  /** The file was changed in between; so some differences may come from there. */
  isRegisterChanged: boolean;
  /** In the order of the review; what is gone comes last. */
  changes: ReviewChange[];
  /** To be kept for the next time. */
  snapshot: ReviewSnapshot;
};

export function diffReviews(previous: ReviewSnapshot | undefined, review: Review): ReviewDiff {
  const { at, registerHash, gaps } = review;
  const before = openSnapshot(previous ?? { environments: [] });
  const after = new Map<string, Remembered>();
  const changes: ReviewChange[] = [];
  const seen = new Set<string>();
  for (const { finding, state } of listStates(review)) {
    const { key, environmentId } = finding;
    const known = before.get(key);
    seen.add(key);
    const remembered = remember(state, known);
    if (remembered !== undefined) after.set(key, remembered);
    const kind = compareStates(state, known);
    if (kind === undefined) continue;
    changes.push({ key, environmentId, kind, before: known && toStatus(known[0]), finding });
  }
  for (const [key, known] of before) {
    if (seen.has(key)) continue;
    if (mayBeMissed(key, gaps)) after.set(key, known);
    else changes.push(toGone(key, known));
  }
  const snapshot = { schema: 1 as const, at, registerHash, environments: toSnapshotEnvironments(after) };
  const isRegisterChanged = previous !== undefined && previous.registerHash !== registerHash;
  return { isFirst: previous === undefined, isRegisterChanged, changes, snapshot };
}

// What was last read is kept while it cannot be read, so that the same drift is not news again after that.
function remember(state: ReviewState, known: Remembered | undefined): Remembered | undefined {
  if (state.kind === 'not_told') return known;
  if (state.kind !== 'noted') return undefined;
  const last = known && (known[0] === UNREADABLE ? known[1] : known[0]);
  return state.text === UNREADABLE && last !== undefined ? [state.text, last] : [state.text];
}

function compareStates(state: ReviewState, known: Remembered | undefined): 'new' | 'changed' | 'resolved' | undefined {
  if (state.kind === 'in_order') return known && 'resolved';
  if (state.kind !== 'noted') return undefined;
  if (known === undefined) return 'new';
  const isAgain = known[0] === UNREADABLE && known[1] === state.text;
  return known[0] === state.text || isAgain ? undefined : 'changed';
}

function mayBeMissed(key: string, gaps: InventoryGaps): boolean {
  return key.includes('\n') ? gaps.agents !== undefined : gaps.environments !== undefined;
}

function toGone(key: string, [text]: Remembered): ReviewChange {
  const [environmentId = ''] = key.split('\n');
  return { key, environmentId, kind: 'gone', before: toStatus(text), finding: undefined };
}

// What changed between two reviews. Only what is not in order is remembered, and nothing of what anybody has used.
import { toIdKey } from '../register/register.ts';
import type { Finding, FindingStatus } from './finding.ts';
import type { InventoryGaps } from './readings.ts';
import type { Review } from './review.ts';
import { openSnapshot, type Remembered, type ReviewSnapshot, toSnapshotEnvironments } from './review-snapshot.ts';
import { isOfLastSet, isSameState, listStates, type ReviewState, toStatus, UNREADABLE } from './review-state.ts';

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
    const known = recall(finding, before, seen);
    const remembered = remember(state, known);
    if (remembered !== undefined) after.set(key, remembered);
    const kind = compareStates(state, known);
    if (kind === undefined) continue;
    changes.push({ key, environmentId, kind, before: known && toStatus(toLast(known)), finding });
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

/** What is remembered of it, under any of its keys: all of them are seen then. */
function recall(finding: Finding, before: Map<string, Remembered>, seen: Set<string>): Remembered | undefined {
  let known: Remembered | undefined;
  for (const key of listKeys(finding)) {
    known ??= before.get(key);
    seen.add(key);
  }
  return known;
}

/** An agent that the register begins to name, or names no more, may be keyed by its other id from then on. */
function listKeys(finding: Finding): string[] {
  if (finding.kind === 'environment') return [finding.key];
  const { key, environmentId, agentResourceId, agentName } = finding;
  return [...new Set([key, toIdKey(environmentId, agentName), toIdKey(environmentId, agentResourceId)])];
}

/** What was last read of it, where anything ever was. */
function toLast([text, last]: Remembered): string {
  return text === UNREADABLE ? (last ?? text) : text;
}

// What was last read is kept while it cannot be read, so that the same drift is not news again after that.
function remember(state: ReviewState, known: Remembered | undefined): Remembered | undefined {
  if (state.kind === 'not_told') return known;
  if (state.kind === 'not_verified') return known && isOver(known) ? undefined : known;
  if (state.kind !== 'noted') return undefined;
  return state.text === UNREADABLE && known !== undefined ? [state.text, toLast(known)] : [state.text];
}

function compareStates(state: ReviewState, known: Remembered | undefined): 'new' | 'changed' | 'resolved' | undefined {
  if (state.kind === 'in_order') return known && 'resolved';
  if (state.kind === 'not_verified') return known && isOfLastSet(toLast(known)) ? 'resolved' : undefined;
  if (state.kind !== 'noted') return undefined;
  if (known === undefined) return 'new';
  const isAgain = known[0] === UNREADABLE && isSameState(state.text, known[1]);
  return isSameState(state.text, known[0]) || isAgain ? undefined : 'changed';
}

/** That it could not be read says nothing about it. What the deployment showed stands until it shows something else. */
function isOver(known: Remembered): boolean {
  const last = toLast(known);
  return last === UNREADABLE || isOfLastSet(last);
}

function mayBeMissed(key: string, gaps: InventoryGaps): boolean {
  return key.includes('\n') ? gaps.agents !== undefined : gaps.environments !== undefined;
}

function toGone(key: string, known: Remembered): ReviewChange {
  const [environmentId = ''] = key.split('\n');
  return { key, environmentId, kind: 'gone', before: toStatus(toLast(known)), finding: undefined };
}

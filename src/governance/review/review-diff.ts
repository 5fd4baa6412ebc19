// What changed between two reviews. Only findings that are not in order are remembered, and no consumption.

import { createHash } from 'node:crypto';
import { toIdKey } from '../register/register.ts';
import { type Finding, type FindingStatus, type InventoryGaps, isLimitToSet } from './finding.ts';
import { isCovering, type Review } from './review-summary.ts';

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
  /** In the order of the review; findings that are gone come last. */
  changes: ReviewChange[];
  /** To be kept for the next time. */
  snapshot: ReviewSnapshot;
};

/** What the next review is compared with: plain values, stored as JSON, about 60 bytes for each finding not in order. */
export type ReviewSnapshot = {
  schema: 1;
  /** Epoch ms: when the review began. */
  at: number;
  registerHash: string;
  environments: SnapshotEnvironment[];
  /** Set where the service does not show limits: how many agents count as approved all the same. */
  untold?: number;
};

/** The environment's id in lower case, what is remembered of it, and of its agents by their ids. */
type SnapshotEnvironment = [id: string, remembered: Remembered | null, agents: [id: string, remembered: Remembered][]];

/** The state's text; of what cannot be read now, after it, what was last read. */
type Remembered = [text: string, last?: string];

export function diffReviews(previous: ReviewSnapshot | undefined, review: Review): ReviewDiff {
  const { registerHash, gaps } = review;
  const before = openSnapshot(previous ?? { environments: [] });
  const after = new Map<string, Remembered>();
  const changes: ReviewChange[] = [];
  const seen = new Set<string>();
  for (const { finding, state } of listStates(review)) {
    const { key, environmentId } = finding;
    const known = recall(finding, before, seen);
    const remembered = remember(state, known);
    if (remembered !== undefined) after.set(key, remembered);
    const kind = compareStates(state, known, previous);
    if (kind === undefined) continue;
    changes.push({ key, environmentId, kind, before: known && toStatus(toLast(known)), finding });
  }
  for (const [key, known] of before) {
    if (seen.has(key)) continue;
    if (mayBeMissed(key, gaps)) after.set(key, known);
    else changes.push(toGone(key, known));
  }
  const snapshot = toSnapshot(after, review);
  const isRegisterChanged = previous !== undefined && previous.registerHash !== registerHash;
  return { isFirst: previous === undefined, isRegisterChanged, changes, snapshot };
}

/** How many findings of each kind a review has noted. What it could not read as a whole is not among them. */
export function countNoted(snapshot: ReviewSnapshot): Map<FindingStatus, number> {
  const counts = new Map<FindingStatus, number>();
  for (const [text] of openSnapshot(snapshot).values()) {
    const status = toStatus(text);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

function toSnapshot(
  remembered: ReadonlyMap<string, Remembered>,
  { at, registerHash, summary }: Review,
): ReviewSnapshot {
  const { untold, unreadable } = summary;
  const isUntold = untold !== undefined || 'limit_not_told' in unreadable || 'limit_stale' in unreadable;
  return {
    ...{ schema: 1, at, registerHash },
    environments: toSnapshotEnvironments(remembered),
    ...(isUntold && { untold: (untold?.lastSet ?? 0) + (untold?.noneSet ?? 0) }),
  };
}

/** By the findings' keys. */
function openSnapshot({ environments }: Pick<ReviewSnapshot, 'environments'>): Map<string, Remembered> {
  const remembered = new Map<string, Remembered>();
  for (const [id, own, agents] of environments) {
    if (own !== null) remembered.set(id, own);
    for (const [agent, state] of agents) remembered.set(`${id}\n${agent}`, state);
  }
  return remembered;
}

function* listStates({ environments, strayAgents, gaps }: Review): Iterable<{ finding: Finding; state: ReviewState }> {
  for (const { environment, agents } of environments) {
    yield { finding: environment, state: toState(environment, gaps.environments) };
    for (const finding of agents) {
      yield { finding, state: isCovering(environment) ? { kind: 'covered' } : toState(finding, gaps.agents) };
    }
  }
  for (const finding of strayAgents) yield { finding, state: toState(finding, gaps.agents) };
}

type ReviewState =
  /** Compliant, as far as is known. */
  | { kind: 'in_order' }
  /** Its environment's finding says all there is to say. */
  | { kind: 'covered' }
  /** Unknown this time, for a reason that the review states as a whole: what was remembered stands. */
  | { kind: 'gap' }
  /** No limit is told, and none was set from here: what the service told earlier stands. */
  | { kind: 'not_told'; text: string }
  /** As approved when it was last set from here, and nothing tells more: only what was told by that is over. */
  | { kind: 'not_verified' }
  /** `text` changes only where the finding is worth reporting again. */
  | { kind: 'noted'; text: string };

const UNREADABLE = 'unreadable' satisfies FindingStatus;

/** Ends the text of what only rests on what was last set from here. */
const LAST_SET = ':last_set';

function toState(finding: Finding, gap: string | undefined): ReviewState {
  const { status, reason } = finding;
  if (status === 'compliant') return { kind: 'in_order' };
  if (status === 'as_far_as_told') return { kind: 'not_verified' };
  if (isLimitToSet(finding)) {
    const text = `${UNREADABLE}:${reason}${LAST_SET}`;
    return { kind: reason === 'limit_not_told' ? 'not_told' : 'noted', text };
  }
  if (status === 'unreadable') {
    return gap !== undefined && reason === gap ? { kind: 'gap' } : { kind: 'noted', text: UNREADABLE };
  }
  if (status === 'vanished') return { kind: 'noted', text: status };
  const source = finding.kind === 'agent' && finding.limitSource === 'last_set' ? LAST_SET : '';
  return { kind: 'noted', text: `${status}:${digest(finding)}${source}` };
}

function digest(finding: Finding): string {
  const differences = finding.differences.map(({ setting, currency, approved, found, exception }) => [
    ...[setting, currency?.toLowerCase(), approved, found],
    ...(exception === undefined ? [] : [exception.isExpired]),
  ]);
  const tenantPool = finding.kind === 'environment' && finding.status === 'unclassified' ? finding.tenantPool : '';
  const text = JSON.stringify([differences, tenantPool]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
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

// What was last read is kept while it cannot be read, so that the same drift is not news again after that.
function remember(state: ReviewState, known: Remembered | undefined): Remembered | undefined {
  if (state.kind === 'gap') return known;
  if (state.kind === 'not_told') return known && !isOver(known) ? known : [state.text];
  if (state.kind === 'not_verified') return known && isOver(known) ? undefined : known;
  if (state.kind !== 'noted') return undefined;
  return state.text === UNREADABLE && known !== undefined ? [state.text, toLast(known)] : [state.text];
}

function compareStates(
  state: ReviewState,
  known: Remembered | undefined,
  previous: ReviewSnapshot | undefined,
): 'new' | 'changed' | 'resolved' | undefined {
  if (state.kind === 'in_order') return known && 'resolved';
  if (state.kind === 'not_verified') return known && isOfLastSet(toLast(known)) ? 'resolved' : undefined;
  if (state.kind === 'not_told' && !isUntoldNews(known, previous)) return undefined;
  if (state.kind !== 'noted' && state.kind !== 'not_told') return undefined;
  if (known === undefined) return 'new';
  const isAgain = known[0] === UNREADABLE && isSameState(state.text, known[1]);
  return isSameState(state.text, known[0]) || isAgain ? undefined : 'changed';
}

/** Where the service stops showing limits, that is no news about each agent. */
function isUntoldNews(known: Remembered | undefined, previous: ReviewSnapshot | undefined): boolean {
  if (known !== undefined) return isOver(known);
  return previous === undefined || previous.untold !== undefined;
}

/** What was last read of it, where anything ever was. */
function toLast([text, last]: Remembered): string {
  return text === UNREADABLE ? (last ?? text) : text;
}

/** Drift that the deployment itself showed stands until it shows something else. */
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

function isOfLastSet(text: string): boolean {
  return text.endsWith(LAST_SET);
}

/** Whatever it is known from. */
function isSameState(one: string, other: string | undefined): boolean {
  return other !== undefined && trimSource(one) === trimSource(other);
}

function trimSource(text: string): string {
  return isOfLastSet(text) ? text.slice(0, -LAST_SET.length) : text;
}

function toStatus(text: string): FindingStatus {
  return text.split(':', 1)[0] as FindingStatus;
}

function toSnapshotEnvironments(remembered: ReadonlyMap<string, Remembered>): SnapshotEnvironment[] {
  const environments = new Map<string, SnapshotEnvironment>();
  for (const [key, state] of remembered) {
    const [id = '', agent] = key.split('\n');
    const environment: SnapshotEnvironment = environments.get(id) ?? [id, null, []];
    environments.set(id, environment);
    if (agent === undefined) environment[1] = state;
    else environment[2].push([agent, state]);
  }
  return [...environments.values()];
}

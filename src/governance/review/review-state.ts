// What is remembered of one finding from review to review.
import { createHash } from 'node:crypto';
import type { Finding, FindingStatus } from './finding.ts';
import type { EnvironmentReview, Review } from './review.ts';

export type ReviewState =
  /** Compliant, or as good as it can be told. */
  | { kind: 'in_order' }
  /** Its environment's finding says all there is to say. */
  | { kind: 'covered' }
  /** Nothing can be told this time, and the review says so as a whole: what was remembered still stands. */
  | { kind: 'not_told' }
  /** As approved when it was last set from here, and nothing tells more: only what was told by that is over. */
  | { kind: 'not_verified' }
  /** `text` is the same as long as nobody would want to hear of it again. */
  | { kind: 'noted'; text: string };

export const UNREADABLE = 'unreadable' satisfies FindingStatus;

/** Ends the text of drift that only what was last set from here has shown. */
const LAST_SET = ':last_set';

export function isOfLastSet(text: string): boolean {
  return text.endsWith(LAST_SET);
}

/** Whatever it is known from. */
export function isSameState(one: string, other: string | undefined): boolean {
  return other !== undefined && trimSource(one) === trimSource(other);
}

function trimSource(text: string): string {
  return isOfLastSet(text) ? text.slice(0, -LAST_SET.length) : text;
}

export function* listStates({
  environments,
  strayAgents,
  gaps,
}: Review): Iterable<{ finding: Finding; state: ReviewState }> {
  for (const review of environments) {
    yield { finding: review.environment, state: toState(review.environment, gaps.environments) };
    for (const finding of review.agents) {
      yield { finding, state: isCovering(review) ? { kind: 'covered' } : toState(finding, gaps.agents) };
    }
  }
  for (const finding of strayAgents) yield { finding, state: toState(finding, gaps.agents) };
}

export function toStatus(text: string): FindingStatus {
  return text.split(':', 1)[0] as FindingStatus;
}

function isCovering({ environment }: EnvironmentReview): boolean {
  return environment.status === 'unclassified' || environment.status === 'vanished';
}

function toState(finding: Finding, gap: string | undefined): ReviewState {
  const { status, reason } = finding;
  if (status === 'compliant') return { kind: 'in_order' };
  if (reason === 'limit_not_verified') return { kind: 'not_verified' };
  if (status === 'unreadable') {
    const isOfAll = reason === 'limit_not_told' || (gap !== undefined && reason === gap);
    return isOfAll ? { kind: 'not_told' } : { kind: 'noted', text: UNREADABLE };
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

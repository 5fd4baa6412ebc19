// What a bulk change may correct of a review, by the kind of what was found. Pure.
import { isCorrectable } from './correction.ts';
import { type Finding, isLimitToSet, type ReviewedFinding } from './finding.ts';
import { isCovering, type Review } from './review-summary.ts';

/**
 * `first_limit`: an agent has no limit, and the register approves one. `limit`, `allocation`: other drift. `untold_limit`: the
 * service does not tell the limit, or not whether it still is as it was set from here. Kept with reports: never rename.
 */
export const CANDIDATE_KINDS = ['first_limit', 'limit', 'allocation', 'untold_limit'] as const;

export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

export type Candidate = ReviewedFinding & { kind: CandidateKind };

/** Agents of environments that are new or gone are no candidates: somebody has to classify these first. */
export function listCandidates({ environments }: Pick<Review, 'environments'>): Candidate[] {
  return environments.flatMap(({ environment, agents }) => {
    if (isCovering(environment)) return [];
    const named = agents.map((finding) => ({ finding, environmentName: environment.name }));
    return [{ finding: environment }, ...named].flatMap((one) => {
      const kind = toKind(one.finding);
      return kind === undefined ? [] : [{ ...one, kind }];
    });
  });
}

function toKind(finding: Finding): CandidateKind | undefined {
  if (isLimitToSet(finding)) return 'untold_limit';
  if (!isCorrectable(finding)) return undefined;
  if (finding.kind === 'environment') return 'allocation';
  return finding.limitSource === 'none' ? 'first_limit' : 'limit';
}

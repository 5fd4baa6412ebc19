// Whether what a report shows can still be decided: others decide, too.
import { toIdKey } from '../register/register.ts';
import type { AgentFinding, Finding } from './finding.ts';
import { findAgentExceptions, findApprovedLimit, type Standards } from './standards.ts';
import { judge } from './verdict.ts';

/** The later of two who decide about the same thing. */
export const DECIDED_MEANWHILE =
  'Somebody else has decided about this meanwhile, so nothing more was recorded. Look at the review again.';

/** The finding with the exceptions of now; the values are those that were reviewed. */
export function withExceptionsOfNow<Some extends Finding>(finding: Some, standards: Standards, now: number): Some {
  const standard = standards.environments.get(toIdKey(finding.environmentId));
  if (standard === undefined || finding.status !== 'drift') return finding;
  const exceptions =
    finding.kind === 'environment'
      ? (standard.exceptions.get('') ?? [])
      : findAgentExceptions(standard, { agentResourceId: finding.agentResourceId, name: finding.agentName });
  const differences = finding.differences.map(({ exception: _, ...bare }) => bare);
  return { ...finding, ...judge({ differences, exceptions, now, reason: finding.reason }) };
}

/** Why no limit can be approved for this agent now; undefined where one can. */
export function findLimitProblem(
  { environmentId, agentResourceId, agentName }: AgentFinding,
  standards: Standards,
): string | undefined {
  const standard = standards.environments.get(toIdKey(environmentId));
  if (standard === undefined) {
    return 'Nobody has said yet what the environment of this agent is. Classify the environment first: only then does a limit of its agents count.';
  }
  const approved = findApprovedLimit(standards, standard, { agentResourceId, name: agentName });
  return (
    approved &&
    'The register, or somebody in Slack, says by now which limit this agent is to have. Look at the review again.'
  );
}

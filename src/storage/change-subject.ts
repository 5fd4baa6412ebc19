import type { AllocationChange, LimitChange } from '../governance/changes/change.ts';

type Subject =
  | Pick<LimitChange, 'kind' | 'environmentId' | 'agentResourceId'>
  | Pick<AllocationChange, 'kind' | 'environmentId'>;

/** What a change is of, as stores file it: an agent, or with nothing after the bar the environment itself. */
export function toSubject(subject: Subject): string {
  const agent = subject.kind === 'agent_limit' ? subject.agentResourceId : '';
  return `${subject.environmentId}|${agent}`.toLowerCase();
}

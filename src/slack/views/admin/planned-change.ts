import type { AllocationPlan } from '../../../governance/allocations/allocation-plan.ts';
import { describeAgent, describeEnvironment } from '../../../governance/inventory/inventory-words.ts';
import type { LimitPlan } from '../../../governance/limits/limit-plan.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC, type ModalTopic } from '../modal.ts';

/** As in *the limit of X in Y was not changed*: mrkdwn. */
export function describeChanged(change: PlannedChange): string {
  return change.kind === 'limit'
    ? `the limit of ${describeAgent(change.plan.agent)}`
    : `the allocation of ${describeEnvironment(change.plan.environmentId, change.environmentName)}`;
}

export function topicOf({ kind }: Pick<PlannedChange, 'kind'>): ModalTopic {
  return kind === 'limit' ? LIMIT_TOPIC : ALLOCATION_TOPIC;
}

/** Plans are plain values. `environmentName`: as its makers gave it, where it is known; untrusted. */
export type PlannedChange =
  | { kind: 'limit'; plan: LimitPlan }
  | { kind: 'allocation'; plan: AllocationPlan; environmentName?: string | undefined };

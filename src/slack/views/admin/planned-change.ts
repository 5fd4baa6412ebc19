import type { PlannedChange } from '../../../governance/approval/pending-change.ts';
import { describeEnvironment } from './allocation/words.ts';
import { describeAgent } from './limit/words.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC, type ModalTopic } from './modal-topic.ts';

export type { PlannedChange };

/** As in *the limit of X in Y was not changed*: mrkdwn. */
export function describeChanged(change: PlannedChange): string {
  return change.kind === 'limit'
    ? `the limit of ${describeAgent(change.plan.agent)}`
    : `the allocation of ${describeEnvironment(change.plan.environmentId, change.environmentName)}`;
}

export function topicOf({ kind }: Pick<PlannedChange, 'kind'>): ModalTopic {
  return kind === 'limit' ? LIMIT_TOPIC : ALLOCATION_TOPIC;
}

// How a change of an environment's credits ended.

import { describeDifferences } from '../../../../governance/allocations/allocation-words.ts';
import type { AllocationOutcome } from '../../../../governance/allocations/apply-allocation.ts';
import { buildChangeOutcome, type ToldOutcome } from '../../../../governance/changes/change-views.ts';
import type { Content } from '../../content.ts';
import type { PlannedChange } from '../planned-change.ts';
import { listAllocationRows } from './confirm.ts';

type PlannedAllocation = Extract<PlannedChange, { kind: 'allocation' }>;

export function buildAllocationOutcome(change: PlannedAllocation, outcome: AllocationOutcome): Content {
  return buildChangeOutcome(change, toTold(change, outcome));
}

function toTold({ plan }: PlannedAllocation, outcome: AllocationOutcome): ToldOutcome {
  const rows = listAllocationRows(plan);
  switch (outcome.kind) {
    case 'verified':
      return { ...outcome, rows };
    case 'applied_not_verified':
      return { ...outcome, note: NOT_VERIFIED[outcome.reason], rows };
    case 'conflict': {
      const { stage, expected, found } = outcome;
      return { kind: 'conflict', stage, values: describeDifferences(expected, found), advice: ADVICE[stage] };
    }
    default:
      return outcome;
  }
}

const NOT_VERIFIED: Record<Extract<AllocationOutcome, { kind: 'applied_not_verified' }>['reason'], string> = {
  read_back_failed: 'Reading it back failed. Look with `/assistant-admin allocation <environment>` in a few minutes.',
  still_old:
    'It still shows the old values. Look with `/assistant-admin allocation <environment>` in a few minutes before you set it again.',
  no_answer:
    'The service did not answer in time, and looking did not settle it. Look with `/assistant-admin allocation <environment>`, or in the admin console, before you set it again.',
};

const ADVICE = {
  before_write:
    'Open the environment again with `/assistant-admin allocation <environment>`, and decide from what is there now.',
  after_write:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin allocation <environment>`, and agree with them.',
  unanswered:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin allocation <environment>` before you set it again.',
};

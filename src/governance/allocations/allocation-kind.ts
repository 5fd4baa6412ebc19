// The credits of one environment, as a kind of change.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { ChangeKind, PlannedChange } from '../changes/change-kind.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { isSameAllocation, withCredits } from './allocation.ts';
import { ALLOCATION_TOPIC } from './allocation-form-views.ts';
import type { AllocationPlan } from './allocation-plan.ts';
import { describeDifferences, describeKept, isListedWhole, listAllocationRows } from './allocation-words.ts';
import { endAllocationChange, toAllocationKey } from './known-allocation.ts';

export type AllocationSession = Pick<AdminSession, 'readAllocation' | 'updateAllocation'>;

export const ALLOCATION_KIND: ChangeKind<AllocationPlan, Allocation | 'none', never, AllocationSession> = {
  topic: ALLOCATION_TOPIC,
  confirmModal: 'admin_allocation_confirm',

  toLabel: () => 'Set credits and rules',
  toLockKey: ({ environmentId }) => toAllocationKey(environmentId),
  toSubject: ({ environmentId, before, after }) => ({ kind: 'allocation', environmentId, before, after }),
  findLast: ({ environmentId }, changes) => changes.lastAllocation(environmentId),
  lookUp: ({ environmentId }, { session }) => session.readAllocation(environmentId),
  isAsPlanned: ({ before }, found) => found !== 'none' && isSameAllocation(found, before),
  async write({ wanted }, found, session) {
    // From what was just read: fields that nobody knows may have moved on, and are carried as they are now.
    if (found !== 'none') await session.updateAllocation(withCredits(found, wanted));
  },
  async readBack({ environmentId, before, after }, { session }) {
    const found = await session.readAllocation(environmentId);
    if (found !== 'none' && isSameAllocation(found, after)) return { kind: 'verified' };
    if (found !== 'none' && isSameAllocation(found, before)) {
      return { kind: 'applied_not_verified', reason: 'still_old' };
    }
    return { kind: 'conflict', stage: 'after_write', expected: after, found };
  },
  endBrokenOff: endAllocationChange,

  name: describeEnvironmentOf,
  toPlainName: ({ environmentName = '' }) => environmentName,
  describe: (change) => `the allocation of ${describeEnvironmentOf(change)}`,
  listRows: listAllocationRows,
  isListedWhole,
  listNotes: ({ plan }) => [...LOOSENS[`${plan.loosens}`], ...describeKept(plan)],
  describeConflict: ({ expected, found }) => describeDifferences(expected, found),
  advice: {
    look: '`/assistant-admin allocation <environment>`',
    openAgain: 'Open the environment again with `/assistant-admin allocation <environment>`',
    check: 'Look with `/assistant-admin allocation <environment>`, or in the admin console',
    notVerified: {},
  },
};

function describeEnvironmentOf({ plan, environmentName }: PlannedChange<AllocationPlan>): string {
  return describeEnvironment(plan.environmentId, environmentName);
}

const LOOSENS = {
  true: ['This allows more to be spent than before.'],
  false: [],
  unknown: ['Whether this allows more than before cannot be told: the service does not say what holds now.'],
};

// The credits of one environment, as a kind of change.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { ChangeKind } from '../changes/change-kind.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { endAllocationChange, isSameAllocation, toAllocationKey, withCredits } from './allocation.ts';
import { ALLOCATION_TOPIC } from './allocation-form-views.ts';
import type { AllocationPlan } from './allocation-plan.ts';
import {
  ALLOCATION_CONFIRM_MODAL,
  buildAllocationConfirmation,
  buildAllocationOutcome,
  describeAllocationOf,
  isListedWhole,
  listAllocationRows,
} from './allocation-words.ts';

export type AllocationSession = Pick<AdminSession, 'readAllocation' | 'updateAllocation'>;

export const ALLOCATION_KIND: ChangeKind<AllocationPlan, Allocation | 'none', 'still_old', AllocationSession> = {
  topic: ALLOCATION_TOPIC,
  confirmModal: ALLOCATION_CONFIRM_MODAL,

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

  name: ({ plan, environmentName }) => describeEnvironment(plan.environmentId, environmentName),
  toPlainName: ({ environmentName = '' }) => environmentName,
  describe: describeAllocationOf,
  listRows: listAllocationRows,
  isListedWhole,
  buildConfirmation: ({ plan, environmentName }, options) =>
    buildAllocationConfirmation(plan, { environmentName, ...options }),
  buildOutcome: buildAllocationOutcome,
};

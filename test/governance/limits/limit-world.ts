// What a limit is set in: reads that are played, a write, and changes in memory.
import sinon from 'sinon';
import type { AdminReceipt } from '../../../src/admin-api/admin-errors.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { type ApplyPorts, applyChange } from '../../../src/governance/changes/apply-change.ts';
import { LIMIT_KIND, type LimitSession } from '../../../src/governance/limits/limit-kind.ts';
import type { LimitPlan } from '../../../src/governance/limits/limit-plan.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { NOW } from '../shell/samples.ts';

export const REQUEST = { changeId: 'change-1', by: { team: 'E1', workspace: 'T1', user: 'U1' } };

export type Read = Threshold[] | 'not_offered' | Error;

/** Plays the reads one after another; the last one stays. */
export function aLimitWorld(reads: Read[], put: () => Promise<AdminReceipt> = async () => ({})) {
  const { changes, rows } = createMemoryStore();
  const left = [...reads];
  const putThreshold = sinon.spy(put);
  const ports: ApplyPorts<LimitSession> = {
    changes,
    exclusively: createExclusively(),
    now: () => NOW,
    session: {
      putThreshold,
      async readThresholds() {
        const read = left.length > 1 ? left.shift() : left[0];
        if (read instanceof Error) throw read;
        return read ?? 'not_offered';
      },
    },
  };
  return {
    changes,
    rows,
    ports,
    putThreshold,
    apply: (plan: LimitPlan) => applyChange(LIMIT_KIND, plan, REQUEST, ports),
  };
}

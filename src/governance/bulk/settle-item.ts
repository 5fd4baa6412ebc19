// Looks at what became of an item of a bulk change, after its process died or before the service showed it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';

type SettlePorts = { changes: ChangeStore; exclusively: WithLock; now: () => number };

type Look = { changeId: string; session: AdminSession };

/** Ends the record of an item that broke off, by what is there now. */
export function settleItem(change: PlannedChange, { changeId, session }: Look, ports: SettlePorts): Promise<void> {
  const kind = kindOf(change);
  const { changes, now } = ports;
  return whileUnchanged(change, ports, async () => {
    const record = await changes.get(changeId);
    if (record === undefined || record.outcome !== undefined) return;
    const sources = { session, changes, now };
    await kind.endBrokenOff(changeId, await kind.lookUp(change.plan, sources, changeId), sources);
  });
}

/** Ends the record of an item as verified, where the service shows by now what was sent. */
export function lookAtItemAgain(change: PlannedChange, { changeId, session }: Look, ports: SettlePorts): Promise<void> {
  const { changes, now } = ports;
  return whileUnchanged(change, ports, async () => {
    const seen = await kindOf(change).readBack(change.plan, { session, changes, now }, changeId);
    const outcome = (await changes.get(changeId))?.outcome;
    if (seen.kind !== 'verified' || outcome === undefined) return;
    const { requestIds } = outcome;
    await changes.finish(changeId, { kind: 'verified', written: 'yes', ...(requestIds && { requestIds }) });
  });
}

/** Where what is there cannot be told now, the record stays as it is. */
async function whileUnchanged(change: PlannedChange, ports: SettlePorts, look: () => Promise<void>): Promise<void> {
  try {
    await ports.exclusively(kindOf(change).toLockKey(change.plan), look);
  } catch (error) {
    if (toAdminFailure(error) === undefined && !(error instanceof LockBusyError)) throw error;
  }
}

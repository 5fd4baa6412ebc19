// What the store knows of a request, where a click on it came to nothing.
import { LockBusyError, StoreUnavailableError } from '../../../../errors.ts';
import { readState } from '../../../../governance/approval/approval-state.ts';
import type { ChangeOutcome, ChangeStore } from '../../../../governance/changes/change.ts';
import type { OverlayStore } from '../../../../governance/register/overlay-store.ts';
import type { OnceStore } from '../../../../identity/once-store.ts';
import type { Log } from '../../../../log.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import type { Content } from '../../../views/content.ts';

const CARRIED_OUT =
  'This was approved, and is carried out once. `/assistant-admin audit` shows how it ended; where it has not ended yet, look again in a minute.';

const ENDED: Record<ChangeOutcome['kind'], string> = {
  verified: 'This was approved, and ended as *Verified*.',
  applied_not_verified: 'This was approved, and ended as *Applied, not verified*.',
  conflict: 'This was approved, and ended as *Conflict*.',
  failed: 'This was approved, and ended as *Failed*: nothing was changed. It has to be asked for again.',
};

const REJECTED = 'This was rejected, and nothing was changed.';

const BUSY =
  'This is being decided or carried out just now, once. Look in a minute: this conversation says how it ended, and so does `/assistant-admin audit`.';

const UNCLEAR =
  'I could not find out whether this was decided. Press the button again in a minute: whatever is pressed, it is carried out once.';

export type KnownPorts = {
  approvals: OnceStore;
  changes: Pick<ChangeStore, 'get'>;
  overlay: Pick<OverlayStore, 'list'>;
  log: Log;
};

/** In place of *nothing was decided*, which may not be so; undefined where that is so, or the error says enough. */
export async function tellFromRecord(error: unknown, id: string, ports: KnownPorts): Promise<Content | undefined> {
  if (!(error instanceof StoreUnavailableError)) return undefined;
  ports.log.warn({ code: error.code, change: id }, 'approval not carried through');
  const known = await find(id, ports).catch(() => UNCLEAR);
  if (known !== undefined) return buildAdminText(known);
  return error instanceof LockBusyError ? buildAdminText(BUSY) : undefined;
}

async function find(id: string, { approvals, changes, overlay }: KnownPorts): Promise<string | undefined> {
  const [state, change, decisions] = await Promise.all([readState(approvals, id), changes.get(id), overlay.list()]);
  if (change?.outcome !== undefined) return ENDED[change.outcome.kind];
  if (change !== undefined || decisions.some((record) => record.id === id)) return CARRIED_OUT;
  if (state?.kind === 'rejected') return REJECTED;
  return state?.kind === 'approved' ? CARRIED_OUT : undefined;
}

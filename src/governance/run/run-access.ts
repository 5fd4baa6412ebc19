// Whether a run may go on in the name of its administrators, and with whose session.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError, UserError } from '../../errors.ts';
import type { GovernanceServices } from '../services.ts';
import { type AccessPorts, requireAdmin } from '../shell/access.ts';
import type { Run } from './run.ts';

/** `refusal`: the code of what ends it. `later`: nobody can tell now. */
export type RunAccess = { session: AdminSession } | { refusal: string } | 'later';

type AccessServices = AccessPorts & Pick<GovernanceServices, 'openSession'>;

/** `isChecked`: their rights were just checked. Throws what is no error of ours. */
export async function openRunAccess(
  { by, approver }: Pick<Run, 'by' | 'approver'>,
  { isChecked }: { isChecked: boolean },
  services: AccessServices,
): Promise<RunAccess> {
  try {
    if (!isChecked) {
      await requireAdmin(by, services, { isCounted: false });
      if (approver) await requireAdmin(approver, services, { isCounted: false });
    }
    return { session: await services.openSession(approver ?? by) };
  } catch (error) {
    if (error instanceof TransientError) return 'later';
    if (error instanceof UserError) return { refusal: error.code };
    throw error;
  }
}

/** Another process goes on with the run: nothing more is sent from here. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process goes on with this run');
  }
}

/** The same session, which writes only while `holds` says so. Nothing lies between this and the request. */
export function toFenced(session: AdminSession, holds: () => boolean): AdminSession {
  const require = () => {
    if (!holds()) throw new LeaseLostError();
  };
  return {
    ...session,
    async updateAllocation(allocation) {
      require();
      return session.updateAllocation(allocation);
    },
    async putThreshold(change) {
      require();
      return session.putThreshold(change);
    },
  };
}

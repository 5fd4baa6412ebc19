// Who may carry a run out: its administrators by their rights, and one process at a time by its lease.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError, UserError } from '../../errors.ts';
import type { Edit } from '../../policy/edit.ts';
import { isForeign } from '../../policy/policy.ts';
import type { GovernanceServices } from '../services.ts';
import { type AccessPorts, requireAdmin } from '../shell/access.ts';
import { toRefused } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Run } from './run-store.ts';

/** `refusal`: the code of the error that ends the run. `later`: the rights cannot be checked now. */
export type RunAccess = { session: AdminSession } | { refusal: string } | 'later';

type AccessServices = AccessPorts & Pick<GovernanceServices, 'openSession'>;

/** `isChecked`: their rights were just checked. Throws only unexpected errors. */
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

/**
 * Rules of channels apply to the whole installation. Only administrators of all of it may set them, and nobody from another
 * installation. Throws as requireAdmin does.
 */
export async function requireChannelRights(edits: readonly Edit[], caller: Caller, ports: AccessPorts): Promise<void> {
  if (!edits.some(({ target }) => 'channel' in target)) return;
  if (edits.some(({ target }) => isForeign(target, caller.workspace))) throw toRefused('not_of_installation');
  await requireAdmin(caller, ports, { isForAll: true, isCounted: false });
}

/** Another process goes on with the run: nothing more is sent from here. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process goes on with this run');
  }
}

/** The same session, which writes only while `holds()` is true. Nothing lies between this check and the request. */
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

/** How long a process that died blocks the others. */
export const LEASE_MS = 20_000;

/** How long a request of a process that lost its lease may still be on its way. Nobody goes on before that. */
export const GRACE_MS = 12_000;

const RENEW_MS = 4_000;

export type LeaseKeeper = {
  holds(): boolean;
  /** The Slack user who stopped the rest. */
  stoppedBy(): string | undefined;
  end(): void;
};

/** `onTick`: called after each renewal. */
export function keepLease(
  { id, lease, stoppedBy }: Pick<Run, 'id' | 'lease' | 'stoppedBy'>,
  { runs, now, log }: Pick<GovernanceServices, 'runs' | 'now' | 'log'>,
  onTick: () => void = () => undefined,
): LeaseKeeper {
  let { until } = lease;
  let stopped = stoppedBy;

  async function renew(): Promise<void> {
    try {
      const at = now();
      const next = { holder: lease.holder, until: at + LEASE_MS };
      const run = await runs.change(id, (one) =>
        one.lease.holder === lease.holder ? { ...one, lease: next } : undefined,
      );
      until = run ? next.until : 0;
      stopped = run?.stoppedBy ?? stopped;
      onTick();
    } catch (error) {
      log.warn({ err: error, run: id }, 'lease of a run not renewed');
    }
  }

  const timer = setInterval(() => void renew(), RENEW_MS);
  return { holds: () => now() < until, stoppedBy: () => stopped, end: () => clearInterval(timer) };
}

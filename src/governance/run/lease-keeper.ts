// Keeps the lease of a run while it is carried out, and hears meanwhile whether an administrator stopped the rest.
import type { GovernanceServices } from '../services.ts';
import type { Run } from './run.ts';

/** How long a process that died blocks the others. */
export const LEASE_MS = 20_000;

/** What a process sent in its last moment may be on its way for so long: nobody goes on before. */
export const GRACE_MS = 12_000;

const RENEW_MS = 4_000;

export type LeaseKeeper = {
  holds(): boolean;
  /** The Slack user who stopped the rest. */
  stoppedBy(): string | undefined;
  end(): void;
};

/** `onTick`: called whenever it was renewed. */
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

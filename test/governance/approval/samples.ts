import type { PendingChange } from '../../../src/governance/approval/pending-change.ts';
import { toPendingChange } from '../../../src/governance/approval/pending-change.ts';
import { aDeployedLimit, aPlan, NOW } from '../samples.ts';

export const KIM = { team: 'E1', workspace: 'T1', user: 'U1KIM' };
export const BEN = { team: 'E1', workspace: 'T1', user: 'U2BEN' };

/** Kim asks Ben for a higher limit. */
export function aPending(values: Partial<PendingChange> = {}): PendingChange {
  const planned = { kind: 'limit', plan: aPlan(aDeployedLimit(), { limit: 2_000 }) } as const;
  const asked = { id: 'change-1', by: KIM, approver: BEN.user, reason: 'more people use it now', planned };
  return { ...toPendingChange(asked, NOW), ...values };
}

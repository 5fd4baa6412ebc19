import type { PendingChange, PendingDecision } from '../../../src/governance/confirmation/pending-change.ts';
import { toPending } from '../../../src/governance/confirmation/pending-change.ts';
import { aDeployedLimit, aPlan, NOW } from '../shell/samples.ts';

export const KIM = { team: 'E1', workspace: 'T1', user: 'U1KIM' };
/** Their accounts of the directory. */
export const KIMS = 'https://login.example.com/t/v2.0|oid|kim';
export const BENS = 'https://login.example.com/t/v2.0|oid|ben';
export const BEN = { team: 'E1', workspace: 'T1', user: 'U2BEN' };

/** Kim asks Ben for a higher limit. */
export function aPending(values: Partial<PendingChange> = {}): PendingChange {
  const planned = { kind: 'limit', plan: aPlan(aDeployedLimit(), { limit: 2_000 }) } as const;
  const asked = {
    id: 'change-1',
    by: KIM,
    account: KIMS,
    approver: BEN.user,
    reason: 'more people use it now',
    planned,
  };
  return { ...toPending(asked, NOW), ...values };
}

/** Kim asks Ben to let drift stay. */
export function aPendingDecision(values: Partial<PendingDecision['planned']> = {}): PendingDecision {
  const drift = { setting: 'Deny', currency: 'ServiceMessages', approved: 'on', found: 'off', way: 'looser' } as const;
  const planned: PendingDecision['planned'] = {
    kind: 'decision',
    record: {
      ...{ schema: 1, id: 'change-1', kind: 'exception', environmentId: 'env-1', agentResourceId: undefined },
      ...{ by: KIM, at: NOW, registerHash: 'hash-1', reason: 'a pilot', expiresOn: '2026-04-30' },
      accepts: [{ setting: 'Deny', currency: 'ServiceMessages', value: 'off' }],
    },
    finding: {
      ...{ kind: 'environment', key: 'env-1', environmentId: 'env-1', name: 'Production', owners: [] },
      ...{ ownerId: undefined, status: 'drift', reason: undefined, expiresOn: undefined },
      ...{ classification: 'maker-development', tenantPool: 'off' },
      differences: [{ ...drift, exception: undefined }],
    },
    ...values,
  };
  return toPending({ id: 'change-1', by: KIM, account: KIMS, approver: BEN.user, reason: 'a pilot', planned }, NOW);
}

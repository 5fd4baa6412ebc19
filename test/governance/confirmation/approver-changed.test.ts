import { describe, expect, it } from 'vitest';
import {
  ApproverChangedError,
  carryOutFor,
  recordFor,
} from '../../../src/governance/confirmation/slack-approved-change.ts';
import { parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { NOW } from '../shell/samples.ts';
import { aPending, aPendingDecision, BEN, BENS, KIM, KIMS } from './samples.ts';

/** Ben was compared with Kim by his own account, and the session that is opened afterwards has Kim's. */
function aWorld() {
  const { changes, audit, overlay } = createMemoryStore(() => NOW);
  const account = { ofBen: BENS };
  const ports = {
    rules: parseAdminRules(`${KIM.user},${BEN.user}`).rules,
    lookups: {},
    log: { info: () => undefined },
    adminAccount: async () => ({ isSignedIn: true, name: undefined, account: account.ofBen }),
    now: () => NOW,
    changes,
  };
  const session = { readAllocation: async () => 'none', readThresholds: async () => [] };
  const openSession = async () => {
    account.ofBen = KIMS;
    return session as never;
  };
  return { ports: ports as never, approver: { caller: BEN, account: BENS, openSession }, changes, audit, overlay };
}

describe('an approver who signs in as the requester after the click', () => {
  it('changes nothing', async () => {
    const { ports, approver, changes, audit } = aWorld();

    await expect(carryOutFor(aPending(), approver, ports)).rejects.toThrow(ApproverChangedError);

    expect([await changes.get('change-1'), (await audit.head()).seq]).toEqual([undefined, 0]);
  });

  it('records nothing', async () => {
    const { ports, approver, overlay } = aWorld();

    await expect(recordFor(aPendingDecision(), approver, ports)).rejects.toThrow(ApproverChangedError);

    expect(await overlay.list()).toEqual([]);
  });
});

import { setImmediate } from 'node:timers/promises';
import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import type { LimitChange } from '../../../src/governance/changes/change.ts';
import type { PlannedChange } from '../../../src/governance/changes/change-kind.ts';
import { approveChange, rejectChange } from '../../../src/governance/confirmation/decide-approval.ts';
import { hashShown } from '../../../src/governance/confirmation/find-objection.ts';
import { askApproval, type Pending, readState } from '../../../src/governance/confirmation/pending-change.ts';
import type { LimitPlan } from '../../../src/governance/limits/limit-plan.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readAll } from '../audit/samples.ts';
import { aDeployedLimit, aLimitChange, aPlan, NOW } from '../shell/samples.ts';
import { aPending, aPendingDecision, BEN, BENS, KIM, KIMS } from './samples.ts';

const BY_BEN = { id: 'change-1', clicker: BEN };
const WHY_NOT = 'too much for a pilot';
const HOUR_MS = 3_600_000;

function aWorld() {
  const clock = { at: NOW };
  const account: { ofBen: string | undefined } = { ofBen: BENS };
  let asked: Pending = aPending();
  const now = () => clock.at;
  const store = createMemoryStore(now);
  const ports = {
    approvals: store.once,
    audit: store.audit,
    changes: store.changes,
    overlay: store.overlay,
    bulk: { isBegun: async () => false },
    exclusively: createExclusively(),
    adminAccount: async () => ({ isSignedIn: true, name: undefined, account: account.ofBen }),
    now,
  };
  const entries = () => readAll(store.audit.all());
  /** As applyChange does it: what is begun is begun once. */
  const carryOut = sinon.spy(async ({ id }: Pending) => {
    await ports.changes.begin(aChange(id));
    return 'done';
  });
  const announce = sinon.spy(async () => undefined);
  return {
    ports,
    rows: store.rows,
    clock,
    carryOut,
    announce,
    account,
    ask(pending: Pending = aPending()) {
      asked = pending;
      return askApproval(pending, announce, ports);
    },
    /** By the button of what was asked for last. */
    approve: (by = BY_BEN, shown: string | undefined = hashShown(asked)) =>
      approveChange({ ...by, shown }, carryOut, ports),
    reject: (by = BY_BEN) => rejectChange({ ...by, reason: WHY_NOT }, ports),
    entries,
    actions: async () =>
      (await entries()).map(({ what, outcome, who }) => [what, outcome.kind, who.user, who.approver]),
  };
}

function aChange(id: string): LimitChange {
  const { plan } = aPending().planned as PlannedChange<LimitPlan>;
  const { before, after, agent } = plan;
  const { environmentId, agentResourceId } = agent;
  return aLimitChange({ id, team: 'E1', user: KIM.user, environmentId, agentResourceId, before, after });
}

describe('asking', () => {
  it('is in the audit log before anybody is told, with both values and the reason', async () => {
    const { ask, announce, entries } = aWorld();

    expect(await ask()).toBe('asked');

    expect(announce.callCount).toBe(1);
    expect(await entries()).toMatchObject([
      {
        what: 'approval_requested',
        who: { user: KIM.user, account: KIMS, approver: BEN.user },
        subject: { environmentId: 'env-1', agentResourceId: 'bot-1', changeId: 'change-1' },
        before: { limit: { limit: 1_000 } },
        after: { limit: 2_000 },
        reason: 'more people use it now',
        outcome: { kind: 'done' },
      },
    ]);
  });

  it('is done once, however often it is confirmed', async () => {
    const { ask, announce } = aWorld();

    const results = await Promise.all([ask(), ask(), ask()]);

    expect(results.toSorted()).toEqual(['asked', 'duplicate', 'duplicate']);
    expect(announce.callCount).toBe(1);
  });

  it('is withdrawn where the approver cannot be told, and says so in the audit log', async () => {
    const { ports, approve, carryOut, actions } = aWorld();

    const asking = askApproval(aPending(), () => Promise.reject(new Error('no message')), ports);

    await expect(asking).rejects.toThrow('no message');
    expect(await approve()).toMatchObject({ kind: 'closed', state: { kind: 'withdrawn' } });
    expect(carryOut.callCount).toBe(0);
    expect(await actions()).toEqual([
      ['approval_requested', 'done', KIM.user, BEN.user],
      ['approval_requested', 'failed', KIM.user, BEN.user],
    ]);
  });

  it('tells nobody where it cannot be put down in the audit log', async () => {
    const { ports, announce, rows } = aWorld();
    const audit = { append: () => Promise.reject(new Error('disk full')) };

    await expect(askApproval(aPending(), announce, { ...ports, audit })).rejects.toThrow('disk full');

    expect(announce.callCount).toBe(0);
    expect(rows('once')).toEqual([]);
  });
});

describe('asking, where it breaks off', () => {
  /** As a process that ends while the approver is written to. */
  async function aBrokenOff() {
    const world = aWorld();
    const died = new Promise<never>(() => undefined);
    // Nobody holds its lock any more.
    void askApproval(aPending(), () => died, { ...world.ports, exclusively: createExclusively() });
    while ((await readState(world.ports.approvals, 'change-1')) === undefined) await setImmediate();
    return world;
  }

  it('before the approver was told may be asked again', async () => {
    const { ports, ask, announce } = await aBrokenOff();

    expect(await readState(ports.approvals, 'change-1')).toMatchObject({ kind: 'asking' });
    expect([await ask(), await ask()]).toEqual(['asked', 'duplicate']);
    expect(announce.callCount).toBe(1);
    expect(await readState(ports.approvals, 'change-1')).toMatchObject({ kind: 'asked' });
  });

  it('after the approver was told can be decided', async () => {
    const { approve, carryOut } = await aBrokenOff();

    expect((await approve()).kind).toBe('carried_out');
    expect(carryOut.callCount).toBe(1);
  });
});

describe('approving', () => {
  it('carries out exactly what was asked for', async () => {
    const { ask, approve, carryOut } = aWorld();
    await ask();

    const approval = await approve();

    expect(approval).toEqual({ kind: 'carried_out', pending: aPending(), ended: 'done' });
    expect(carryOut.firstCall.args).toEqual([aPending(), BENS]);
  });

  it('is done once, however often it is clicked, and whatever else is clicked', async () => {
    const { ask, approve, reject, carryOut } = aWorld();
    await ask();

    const [first, second, third] = await Promise.all([approve(), approve(), reject()]);

    expect(first.kind).toBe('carried_out');
    expect([second, third]).toMatchObject([{ state: { kind: 'approved' } }, { state: { kind: 'approved' } }]);
    expect(carryOut.callCount).toBe(1);
  });

  it.each([
    ['who asked', KIM, 'own_request'],
    ['somebody else', { ...BEN, user: 'U3' }, 'not_named'],
  ])('is not for %s, and the request stays open', async (_, clicker, objection) => {
    const { ask, approve, reject, carryOut } = aWorld();
    await ask();

    expect(await approve({ id: 'change-1', clicker })).toEqual({ kind: 'not_allowed', objection });
    expect(await reject({ id: 'change-1', clicker })).toEqual({ kind: 'not_allowed', objection });
    expect(carryOut.callCount).toBe(0);
    expect((await approve()).kind).toBe('carried_out');
  });

  it('leaves the request open where nothing could be sent', async () => {
    const { ask, approve, ports } = aWorld();
    await ask();

    const failing = approveChange(
      { ...BY_BEN, shown: hashShown(aPending()) },
      () => Promise.reject(new Error('not signed in')),
      ports,
    );

    await expect(failing).rejects.toThrow('not signed in');
    expect((await approve()).kind).toBe('carried_out');
  });

  it('does not send again what broke off after it was begun, and tells what is known of it', async () => {
    const { ask, approve, reject, carryOut, ports } = aWorld();
    await ask();
    // A process that died between the beginning of the change and its end.
    await ports.changes.begin(aChange('change-1'));

    const again = await reject();

    expect(again).toMatchObject({ kind: 'broke_off', change: { id: 'change-1' } });
    expect(await approve()).toMatchObject({ kind: 'closed', state: { kind: 'approved' } });
    expect(carryOut.callCount).toBe(0);
  });

  it('ends after a day', async () => {
    const { ask, approve, clock, carryOut } = aWorld();
    await ask();
    clock.at += 24 * HOUR_MS;

    const late = await approve();

    expect(late).toEqual({ kind: 'closed', state: { kind: 'asked', at: NOW, expiresAt: NOW + 24 * HOUR_MS } });
    expect(carryOut.callCount).toBe(0);
  });

  it('says that nothing is known of what nobody asked for', async () => {
    expect(await aWorld().approve()).toEqual({ kind: 'closed', state: undefined });
  });
});

describe('approving with an account', () => {
  const OF_OTHER_DIRECTORY = BENS.replace('/t/', '/u/');

  it.each([
    ['that it was asked with', KIMS, KIMS, 'same_account'],
    ['that is not known', KIMS, undefined, 'approver_unknown'],
    ['that is known by another claim', KIMS, BENS.replace('|oid|', '|sub|'), 'approver_unknown'],
    ['of another issuer', KIMS, OF_OTHER_DIRECTORY, 'approver_unknown'],
    ['where it was asked with an unknown one', undefined, BENS, 'requester_unknown'],
  ])('%s is refused, and the request stays open', async (_, requester, approver, objection) => {
    const { account, ask, approve, ports, carryOut } = aWorld();
    const { account: __, ...old } = aPending();
    await ask(requester === undefined ? old : { ...old, account: requester });
    account.ofBen = approver;

    expect(await approve()).toEqual({ kind: 'not_allowed', objection });
    expect(carryOut.callCount).toBe(0);
    expect(await readState(ports.approvals, 'change-1')).toMatchObject({ kind: 'asked' });
  });

  it('goes by the account that it was asked with, whoever is signed in with it now', async () => {
    const { account, ask, approve } = aWorld();
    await ask();
    account.ofBen = KIMS;
    const refused = await approve();
    account.ofBen = BENS;

    expect(refused).toEqual({ kind: 'not_allowed', objection: 'same_account' });
    expect((await approve()).kind).toBe('carried_out');
  });

  it('is not possible before the approver is signed in', async () => {
    const { ask, ports, carryOut } = aWorld();
    await ask();
    const signedOut = { ...ports, adminAccount: async () => undefined };

    const approving = approveChange({ ...BY_BEN, shown: hashShown(aPending()) }, carryOut, signedOut);

    await expect(approving).rejects.toThrow(AccountNotLinkedError);
    expect(carryOut.callCount).toBe(0);
  });
});

describe('approving what was shown', () => {
  it.each<[string, Partial<Pending>]>([
    ['other values', { planned: { kind: 'limit', plan: aPlan(aDeployedLimit(), { limit: 9_000 }) } }],
    ['another reason', { reason: 'something else entirely' }],
    ['another account', { account: BENS.replace('ben', 'zoe') }],
  ])('does not carry out %s', async (_, changed) => {
    const { ask, approve, ports, carryOut } = aWorld();
    await ask();
    const kept = JSON.stringify({ ...aPending(), ...changed });
    await ports.approvals.put('approval:change-1', kept, NOW + HOUR_MS);

    expect(await approve()).toEqual({ kind: 'not_allowed', objection: 'not_as_shown' });
    expect(carryOut.callCount).toBe(0);
  });

  it('does not carry out what no message showed', async () => {
    const { ask, approve } = aWorld();
    await ask();

    expect(await approve(BY_BEN, 'another-hash')).toEqual({ kind: 'not_allowed', objection: 'not_as_shown' });
  });

  it('carries it out where it was asked for again later, and is the same', async () => {
    const { ask, approve } = aWorld();
    await ask(aPending({ askedAt: NOW + 1, expiresAt: NOW + 2 * HOUR_MS }));

    expect((await approve(BY_BEN, hashShown(aPending()))).kind).toBe('carried_out');
  });
});

describe('rejecting', () => {
  it('is in the audit log, and ends the request', async () => {
    const { ask, approve, reject, carryOut, actions, entries } = aWorld();
    await ask();

    expect(await reject()).toEqual({ kind: 'rejected', pending: aPending() });

    expect(await approve()).toMatchObject({ kind: 'closed', state: { kind: 'rejected' } });
    expect(carryOut.callCount).toBe(0);
    expect((await actions()).at(-1)).toEqual(['approval_refused', 'refused', KIM.user, BEN.user]);
    const last = (await entries()).at(-1);
    expect(last?.who).toMatchObject({ account: KIMS, approverAccount: BENS });
    expect(last).toMatchObject({ reason: aPending().reason, outcome: { said: WHY_NOT } });
  });

  it('is not in the log where the request could not be closed, and stays open', async () => {
    const { ask, approve, ports, actions } = aWorld();
    await ask();
    const approvals = { ...ports.approvals, put: () => Promise.reject(new Error('no store')) };

    await expect(rejectChange({ ...BY_BEN, reason: WHY_NOT }, { ...ports, approvals })).rejects.toThrow('no store');

    expect((await actions()).map(([what]) => what)).toEqual(['approval_requested']);
    expect((await approve()).kind).toBe('carried_out');
  });

  it('holds where it could not be logged, which the next click makes good, whatever it is', async () => {
    const { ask, approve, ports, carryOut, actions, entries } = aWorld();
    await ask();
    const audit = { append: () => Promise.reject(new Error('disk full')) };

    await expect(rejectChange({ ...BY_BEN, reason: WHY_NOT }, { ...ports, audit })).rejects.toThrow('disk full');
    const next = [await approve(), await approve()];

    expect(next).toMatchObject([
      { state: { kind: 'rejected', reason: WHY_NOT }, pending: aPending() },
      { state: { kind: 'rejected' } },
    ]);
    expect(next[1]).not.toHaveProperty('pending');
    expect((await entries()).at(-1)?.outcome).toMatchObject({ said: WHY_NOT });
    expect(carryOut.callCount).toBe(0);
    expect((await actions()).map(([what]) => what)).toEqual(['approval_requested', 'approval_refused']);
  });
});

describe('a decision that is asked for', () => {
  it('is in the log with what is decided, and approved as a change is', async () => {
    const { ask, approve, entries, carryOut } = aWorld();
    const pending = aPendingDecision();
    await ask(pending);

    expect(await entries()).toMatchObject([
      {
        what: 'approval_requested',
        subject: { environmentId: 'env-1', changeId: 'change-1' },
        after: { accepts: [{ setting: 'Deny', value: 'off' }], expiresOn: '2026-04-30' },
      },
    ]);
    expect(await approve()).toMatchObject({ kind: 'carried_out', pending: { planned: { kind: 'decision' } } });
    expect(carryOut.callCount).toBe(1);
  });

  it('that is recorded already is neither recorded again nor rejected', async () => {
    const { ask, reject, ports, carryOut } = aWorld();
    const pending = aPendingDecision();
    await ask(pending);
    await ports.overlay.add(pending.planned.record);

    expect(await reject()).toMatchObject({ kind: 'recorded', pending: { id: 'change-1' } });
    expect(await reject()).toMatchObject({ kind: 'closed', state: { kind: 'approved' } });
    expect(carryOut.callCount).toBe(0);
  });
});

// Bulk changes that a second admin has to approve, also where a process dies on the way.
import { describe, expect, it } from 'vitest';
import { createBulkApprovals, toPlannedBulk } from '../../../src/governance/bulk/slack-bulk-approval.ts';
import { approveChange, rejectChange } from '../../../src/governance/confirmation/decide-approval.ts';
import { hashShown } from '../../../src/governance/confirmation/find-objection.ts';
import { askApproval, type PendingBulk, toPending } from '../../../src/governance/confirmation/pending-change.ts';
import {
  type BeginPorts,
  beginFor,
  NotAsShownError,
} from '../../../src/governance/confirmation/slack-approved-change.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { ACCOUNTS, aBulkWorld, KIM, type Kill, LEE } from './bulk-world.ts';

const AGENTS = 3;
const ID = 'abcdef012345';
const NEEDED = { needsApproval: true };

/** Agents with a limit of 500 that Kim wants to raise. */
async function aRaise(count = AGENTS) {
  const world = aBulkWorld(count, createMemoryStore);
  world.setAll(500);
  const items = await world.planAll(ID);
  const planned = toPlannedBulk({}, items, items);
  const request = {
    id: ID,
    by: KIM,
    account: ACCOUNTS.UKIM,
    approver: LEE.user,
    reason: 'more room',
    planned,
  };
  const pending = toPending(request, world.now());

  /** A process that Lee clicks in. */
  function start(kill?: Kill) {
    const process = world.startProcess(kill, NEEDED);
    const ports = {
      ...process.ports,
      audit: world.store.audit,
      overlay: world.store.overlay,
      bulk: createBulkApprovals({ ...process.ports, wakeBulk: () => undefined }),
    };
    const approver = {
      caller: LEE,
      account: world.accounts.ULEE,
      openSession: () => process.ports.openSession(LEE),
    };
    const approve = () =>
      approveChange(
        { id: ID, clicker: LEE, shown: hashShown(pending) },
        (asked) => beginFor(asked as PendingBulk, approver, ports as unknown as BeginPorts),
        ports,
      );
    return {
      ...process,
      approve: () => Promise.race([approve(), process.died]),
      reject: () => rejectChange({ id: ID, clicker: LEE, reason: 'not before spring' }, ports),
    };
  }
  const ask = () => askApproval(pending, async () => undefined, { ...start().ports, audit: world.store.audit });
  await ask();
  return { ...world, start, pending };
}

describe('a bulk change that waits for a second admin', () => {
  it('is carried out with the session of who approves it, and has both of them in the audit log', async () => {
    const world = await aRaise();
    const process = world.start();

    const before = [...world.puts];
    const ended = await process.approve();
    await process.work();

    expect(before).toEqual([]);
    expect(ended).toMatchObject({ kind: 'carried_out' });
    expect([...world.thresholds.values()].map(({ limit }) => limit)).toEqual(Array(AGENTS).fill(1_000));
    expect(new Set(world.sessions)).toEqual(new Set([LEE.user]));
    const entries = await world.store.audit.list({ limit: 20 });
    const verified = entries.filter(({ outcome }) => outcome.kind === 'verified');
    expect(verified.map(({ who, reason }) => [who, reason])).toEqual(
      Array(AGENTS).fill([
        { user: KIM.user, account: ACCOUNTS.UKIM, approver: LEE.user, approverAccount: ACCOUNTS.ULEE },
        'more room',
      ]),
    );
    expect(entries.at(-1)).toMatchObject({ what: 'approval_requested', subject: { changeId: ID } });
    expect(world.told().at(-1)).toContain(`The bulk change of <@${KIM.user}> that you approved has ended.`);
  });

  it.each(['before', 'after'] as const)(
    'is made once and whole, wherever the process dies that it is approved in: %s each step',
    async (when) => {
      for (let at = 1; ; at += 1) {
        const world = await aRaise();
        const dying = world.start({ at, when });
        await dying.approve();
        await dying.work();
        const isAlive = dying.steps() < at;
        world.pass(3 * 60_000);
        const next = world.start();
        const again = await next.approve();
        await next.work();

        const step = `${when} step ${at}`;
        expect(again?.kind, step).toMatch(/^(carried_out|recorded|closed)$/);
        expect([...world.puts].sort(), step).toEqual(['bot-0', 'bot-1', 'bot-2']);
        expect(await world.records.readEnds(ID), step).toEqual(Array(AGENTS).fill({ kind: 'verified' }));
        if (isAlive) break;
      }
    },
  );

  it('cannot be rejected any more once it has begun, though the request could not be closed', async () => {
    const world = await aRaise();
    const process = world.start();
    await process.approve();
    await process.ports.approvals.put(`approval:${ID}`, JSON.stringify(world.pending), world.now() + 60_000);

    expect(await process.reject()).toMatchObject({ kind: 'recorded' });
    await process.work();
    expect(world.puts).toHaveLength(AGENTS);
  });

  it('is not carried out where it is rejected', async () => {
    const world = await aRaise();
    const process = world.start();

    const ended = await process.reject();
    const late = await process.approve();
    await process.work();

    expect([ended, late]).toMatchObject([{ kind: 'rejected' }, { kind: 'closed', state: { kind: 'rejected' } }]);
    expect(world.puts).toEqual([]);
  });

  it('is not begun where what is kept is not what was shown', async () => {
    const world = await aRaise();
    await world.planAll(ID, { limit: 9_000 });
    const process = world.start();

    await expect(process.approve()).rejects.toThrow(NotAsShownError);
    await process.work();

    expect(world.puts).toEqual([]);
  });

  it('goes no further once its approver has signed in with another account', async () => {
    const world = await aRaise();
    const process = world.start();
    await process.approve();
    world.accounts.ULEE = ACCOUNTS.UKIM;

    await process.work();

    expect(world.puts).toEqual([]);
    expect(await world.records.readEnds(ID)).toEqual(
      Array(AGENTS).fill({ kind: 'skipped', reason: 'approver_changed' }),
    );
  });
});

describe('the right to approve a bulk change', () => {
  it('is looked at again before it goes on: who may not administer any more changes nothing', async () => {
    const world = await aRaise();
    await world.start().approve();
    const rules = [{ kind: 'user' as const, user: KIM.user }];

    await world.startProcess(undefined, { ...NEEDED, rules }).work();

    expect(world.puts).toEqual([]);
    expect(await world.records.readEnds(ID)).toEqual(Array(AGENTS).fill({ kind: 'skipped', reason: 'approver_gone' }));
  });
});

describe('a bulk change that nobody has approved', () => {
  it('leaves out what loosens, also where that needs a second admin only since it was confirmed', async () => {
    const world = aBulkWorld(AGENTS, createMemoryStore);
    world.setAll(500);
    world.thresholds.delete('bot-1');
    await world.confirm(ID);

    await world.startProcess(undefined, NEEDED).work();

    expect(world.puts).toEqual(['bot-1']);
    const left = { kind: 'skipped', reason: 'needs_approval' };
    expect(await world.records.readEnds(ID)).toEqual([left, { kind: 'verified' }, left]);
    expect((await world.records.get(ID))?.ended?.why).toBe('done');
    expect(world.told().at(-1)).toContain('no second admin has approved it. Begin again, and name one.');
  });
});

import { describe, expect, it } from 'vitest';
import { LockBusyError, StoreUnavailableError } from '../../../src/errors.ts';
import { writeState } from '../../../src/governance/confirmation/pending-change.ts';
import { tellFromRecord } from '../../../src/governance/confirmation/slack-approved-change.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { anException } from '../register/register-samples.ts';
import { aLimitChange } from '../shell/samples.ts';

const BUSY = new LockBusyError('held');
const GONE = new StoreUnavailableError('gone');

function aWorld() {
  const { once, changes, overlay } = createMemoryStore(() => 0);
  const ports = {
    approvals: once,
    changes,
    overlay,
    bulk: { isBegun: async () => false },
    log: { warn: () => undefined } as never,
  };
  return { ports, tell: async (error: unknown) => (await tellFromRecord(error, 'one', ports))?.text };
}

describe('a click that came to nothing', () => {
  it('is told what became of the change, where it was begun', async () => {
    const { ports, tell } = aWorld();
    await ports.changes.begin(aLimitChange({ id: 'one' }));
    const open = await tell(BUSY);
    await ports.changes.finish('one', { kind: 'verified', written: 'yes' });

    expect(open).toContain('This was approved, and is carried out once.');
    expect(await tell(GONE)).toBe('This was approved, and ended as *Verified*.');
  });

  it('is told that a decision is recorded', async () => {
    const { ports, tell } = aWorld();
    await ports.overlay.add(anException({ id: 'one' }));

    expect(await tell(BUSY)).toContain('This was approved');
  });

  it('is told that a bulk change has begun', async () => {
    const { ports } = aWorld();
    const bulk = { isBegun: async (id: string) => id === 'one' };

    expect((await tellFromRecord(BUSY, 'one', { ...ports, bulk }))?.text).toContain('This was approved');
  });

  it('is told that it was rejected', async () => {
    const { ports, tell } = aWorld();
    await writeState(ports.approvals, 'one', { kind: 'rejected', at: 0, expiresAt: 1 });

    expect(await tell(GONE)).toBe('This was rejected, and nothing was changed.');
  });

  it('is told that it is in hand where another one is at it, and never that nothing was decided', async () => {
    expect(await aWorld().tell(BUSY)).toContain('is being decided or carried out just now');
  });

  it('is told that it cannot be told where the store does not answer at all', async () => {
    const { ports } = aWorld();
    const changes = { ...ports.changes, get: () => Promise.reject(GONE) };

    expect((await tellFromRecord(GONE, 'one', { ...ports, changes }))?.text).toContain('I could not find out');
  });

  it('says enough by itself where nothing is known of it, or the store is well', async () => {
    const { tell } = aWorld();

    expect([await tell(GONE), await tell(new Error('other'))]).toEqual([undefined, undefined]);
  });
});

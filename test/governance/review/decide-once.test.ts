import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import type { AuditEntry } from '../../../src/governance/audit/audit-log.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import { type DecisionPorts, DecisionUnclearError, decideOnce } from '../../../src/governance/review/decide-once.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readAll } from '../audit/samples.ts';

const RECORD: OverlayRecord = {
  ...{ schema: 1, id: 'd1', kind: 'classification', environmentId: 'env-1', name: 'Ana’s own', registerHash: 'h' },
  ...{ reason: 'Agreed', by: { team: 'T1', workspace: 'T2', user: 'U1' }, at: 7, approvedBy: undefined },
  ...{ classification: 'maker-development', owners: ['U7'], allocations: undefined },
};

type Failing = { add?: 'before' | 'after'; list?: boolean; log?: string };

/** `failing` may be changed while the test goes on; `log`: the outcome whose entry cannot be written. */
function aWorld(failing: Failing = {}) {
  const { audit, overlay } = createMemoryStore();
  const gone = () => new StoreUnavailableError('gone');
  let adds = 0;
  const ports: DecisionPorts = {
    overlay: {
      async add(record) {
        adds += 1;
        if (failing.add === 'before') throw gone();
        const added = await overlay.add(record);
        if (failing.add === 'after') throw gone();
        return added;
      },
      async list() {
        if (failing.list && adds > 0) throw gone();
        return overlay.list();
      },
    },
    audit: {
      list: audit.list,
      async append(entry) {
        if (failing.log === entry.outcome.kind) throw gone();
        return audit.append(entry);
      },
    },
    exclusively: createExclusively(),
  };
  const outcomes = async () => (await readAll(audit.all())).map(({ outcome }) => outcome.kind);
  return { ports, records: overlay.list, audit, outcomes };
}

const ONE = { id: 'd1', environmentId: 'env-1' };
const decide = async () => ({ record: RECORD });

describe('a decision', () => {
  it('is a record, between two entries in the log without names', async () => {
    const { ports, records, audit } = aWorld();

    const outcome = await decideOnce(ONE, decide, ports);

    expect(outcome).toEqual({ kind: 'recorded', record: RECORD });
    expect(await records()).toEqual([RECORD]);
    const expected = {
      what: 'environment_classified',
      who: { user: 'U1' },
      team: 'T1',
      workspace: 'T2',
      subject: { environmentId: 'env-1', changeId: 'd1' },
      after: { classification: 'maker-development', owners: ['U7'], registerHash: 'h' },
      reason: 'Agreed',
    };
    const entries: AuditEntry[] = await readAll(audit.all());
    expect(entries).toMatchObject([
      { ...expected, outcome: { kind: 'begun' } },
      { ...expected, outcome: { kind: 'done' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Ana');
  });

  it('is not logged as done before it is recorded', async () => {
    const { ports, outcomes } = aWorld();
    let seen: string[] = [];
    const overlay = {
      ...ports.overlay,
      async add(record: OverlayRecord) {
        seen = await outcomes();
        return ports.overlay.add(record);
      },
    };

    await decideOnce(ONE, decide, { ...ports, overlay });

    expect(seen).toEqual(['begun']);
    expect(await outcomes()).toEqual(['begun', 'done']);
  });

  it('is one, however often it is sent', async () => {
    const { ports, records, outcomes } = aWorld();

    const ended = await Promise.all([1, 2, 3].map(() => decideOnce(ONE, decide, ports)));

    expect(ended.map(({ kind }) => kind)).toEqual(['recorded', 'duplicate', 'duplicate']);
    expect(await records()).toHaveLength(1);
    expect(await outcomes()).toEqual(['begun', 'done']);
  });

  it('waits for another about the same environment, and sees what that was', async () => {
    const { ports, records } = aWorld();
    const onlyFirst = async () =>
      (await records()).length > 0 ? { problem: 'Decided meanwhile.' } : { record: RECORD };

    const ended = await Promise.all([
      decideOnce(ONE, onlyFirst, ports),
      decideOnce({ id: 'd2', environmentId: 'ENV-1' }, onlyFirst, ports),
    ]);

    expect(ended).toEqual([
      { kind: 'recorded', record: RECORD },
      { kind: 'problem', sentence: 'Decided meanwhile.' },
    ]);
  });

  it('that cannot be taken leaves nothing behind', async () => {
    const { ports, records, outcomes } = aWorld();

    const outcome = await decideOnce(ONE, async () => ({ problem: 'Too late.' }), ports);

    expect(outcome).toEqual({ kind: 'problem', sentence: 'Too late.' });
    expect([await records(), await outcomes()]).toEqual([[], []]);
  });

  it('is not taken where the log cannot be written', async () => {
    const { ports, records } = aWorld({ log: 'begun' });

    await expect(decideOnce(ONE, decide, ports)).rejects.toThrow(StoreUnavailableError);
    expect(await records()).toEqual([]);
  });

  it('is logged as failed where it is not recorded, and can be taken again', async () => {
    const failing: Failing = { add: 'before' };
    const { ports, outcomes } = aWorld(failing);

    await expect(decideOnce(ONE, decide, ports)).rejects.toThrow(StoreUnavailableError);
    delete failing.add;
    const again = await decideOnce(ONE, decide, ports);

    expect(again.kind).toBe('recorded');
    expect(await outcomes()).toEqual(['begun', 'failed', 'begun', 'done']);
  });

  it('is recorded where only the answer to that got lost', async () => {
    const { ports, outcomes } = aWorld({ add: 'after' });

    expect(await decideOnce(ONE, decide, ports)).toEqual({ kind: 'recorded', record: RECORD });
    expect(await outcomes()).toEqual(['begun', 'done']);
  });

  it('is unclear where nobody can tell whether it was recorded, and the log says no more than that', async () => {
    const { ports, outcomes } = aWorld({ add: 'after', list: true });

    await expect(decideOnce(ONE, decide, ports)).rejects.toThrow(DecisionUnclearError);
    expect(await outcomes()).toEqual(['begun']);
  });

  it('counts where only its end could not be logged, which the next click makes good, once', async () => {
    const failing: Failing = { log: 'done' };
    const { ports, outcomes } = aWorld(failing);

    const first = await decideOnce(ONE, decide, ports);
    const before = await outcomes();
    delete failing.log;
    const others = [await decideOnce(ONE, decide, ports), await decideOnce(ONE, decide, ports)];

    expect(first.kind).toBe('recorded');
    expect(others).toEqual([{ kind: 'duplicate' }, { kind: 'duplicate' }]);
    expect([before, await outcomes()]).toEqual([['begun'], ['begun', 'done']]);
  });
});

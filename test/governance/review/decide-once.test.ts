import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import type { AuditEntry } from '../../../src/governance/audit/audit-entry.ts';
import { createExclusively } from '../../../src/governance/one-at-a-time.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import { type DecisionPorts, decideOnce } from '../../../src/governance/review/decide-once.ts';
import { createMemoryAuditStore } from '../audit/memory-audit-store.ts';

const RECORD: OverlayRecord = {
  ...{ schema: 1, id: 'd1', kind: 'classification', environmentId: 'env-1', name: 'Ana’s own', registerHash: 'h' },
  ...{ reason: 'Agreed', by: { team: 'T1', workspace: 'T2', user: 'U1' }, at: 7, approvedBy: undefined },
  ...{ classification: 'maker-development', owners: ['U7'], allocations: undefined },
};

function aWorld({ failsToAdd = false, failsToLog = false } = {}) {
  const records: OverlayRecord[] = [];
  const audit = createMemoryAuditStore();
  const ports: DecisionPorts = {
    overlay: {
      async add(record) {
        if (failsToAdd) throw new StoreUnavailableError('gone');
        records.push(record);
        return 'new';
      },
      list: async () => [...records],
    },
    audit: {
      async append(entry) {
        if (failsToLog) throw new StoreUnavailableError('gone');
        return audit.append(entry);
      },
    },
    exclusively: createExclusively(),
  };
  const readLog = async () => (await audit.list({ limit: 10 })) as AuditEntry[];
  return { ports, records, readLog };
}

const decide = async () => ({ record: RECORD });

describe('a decision', () => {
  it('is a record, and an entry in the log without names', async () => {
    const { ports, records, readLog } = aWorld();

    const outcome = await decideOnce('d1', decide, ports);

    expect(outcome).toEqual({ kind: 'recorded', record: RECORD });
    expect(records).toEqual([RECORD]);
    const [entry] = await readLog();
    expect(entry).toMatchObject({
      what: 'environment_classified',
      who: { user: 'U1' },
      team: 'T1',
      workspace: 'T2',
      subject: { environmentId: 'env-1', changeId: 'd1' },
      after: { classification: 'maker-development', owners: ['U7'], registerHash: 'h' },
      reason: 'Agreed',
      outcome: { kind: 'done' },
    });
    expect(JSON.stringify(entry)).not.toContain('Ana');
  });

  it('is one, however often it is sent', async () => {
    const { ports, records, readLog } = aWorld();

    const outcomes = await Promise.all([1, 2, 3].map(() => decideOnce('d1', decide, ports)));

    expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'duplicate', 'duplicate']);
    expect(records).toHaveLength(1);
    expect(await readLog()).toHaveLength(1);
  });

  it('that cannot be taken leaves nothing behind', async () => {
    const { ports, records, readLog } = aWorld();

    const outcome = await decideOnce('d1', async () => ({ problem: 'Too late.' }), ports);

    expect(outcome).toEqual({ kind: 'problem', sentence: 'Too late.' });
    expect([records, await readLog()]).toEqual([[], []]);
  });

  it('is not taken where the log cannot be written', async () => {
    const { ports, records } = aWorld({ failsToLog: true });

    await expect(decideOnce('d1', decide, ports)).rejects.toThrow(StoreUnavailableError);
    expect(records).toEqual([]);
  });

  it('is logged as one that may not have been recorded where that failed', async () => {
    const { ports, readLog } = aWorld({ failsToAdd: true });

    await expect(decideOnce('d1', decide, ports)).rejects.toThrow(StoreUnavailableError);
    expect((await readLog()).map(({ outcome }) => outcome)).toMatchObject([
      { kind: 'failed', written: 'perhaps', reason: 'not_recorded' },
      { kind: 'done' },
    ]);
  });
});

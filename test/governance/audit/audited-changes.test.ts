import { describe, expect, it } from 'vitest';
import type { AuditStore } from '../../../src/governance/audit/audit-log.ts';
import { createAuditedChanges } from '../../../src/governance/audit/audited-changes.ts';
import { listAudit } from '../../../src/governance/audit/search-audit.ts';
import type { LimitChange } from '../../../src/governance/changes/change.ts';
import type { Log } from '../../../src/log.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aLimitChange, anAgentLimit } from '../shell/samples.ts';
import { anEntry, readAll } from './samples.ts';

function aChange(values: Partial<LimitChange> = {}): LimitChange {
  const whose = { team: 'E1', user: 'UKIM', approvedBy: 'UBEN', reason: 'more is needed' };
  return aLimitChange({ ...whose, at: 10, ...values });
}

function aWorld() {
  const { changes, audit } = createMemoryStore();
  return { changes, audit, audited: createAuditedChanges(changes, audit, () => 20) };
}

describe('a change', () => {
  it('has an entry before anything is sent, and one with how it ended', async () => {
    const { audited, audit } = aWorld();

    await audited.begin(aChange());
    await audited.finish('change-1', { kind: 'verified', written: 'yes', requestIds: ['r-1', 'r-2'] });

    const common = {
      what: 'limit_change',
      who: { user: 'UKIM', approver: 'UBEN' },
      team: 'E1',
      workspace: 'T1',
      subject: { environmentId: 'env-1', agentResourceId: 'bot-1', changeId: 'change-1' },
      before: { source: 'unknown' },
      after: anAgentLimit(),
      reason: 'more is needed',
    };
    const entries = await readAll(audit.all());
    expect(entries).toMatchObject([
      { ...common, at: 10, outcome: { kind: 'begun' }, requestIds: [] },
      { ...common, at: 20, outcome: { kind: 'verified', written: 'yes' }, requestIds: ['r-1', 'r-2'] },
    ]);
    expect(entries[1]?.outcome).not.toHaveProperty('requestIds');
  });

  it.each([
    ['stop', 'agent_stop'],
    ['run_again', 'agent_run_again'],
  ] as const)('made to %s is called %s', async (action, what) => {
    const { audited, audit } = aWorld();

    await audited.begin(aChange({ action }));
    await audited.finish('change-1', { kind: 'verified', written: 'yes' });

    expect((await readAll(audit.all())).map((entry) => entry.what)).toEqual([what, what]);
  });

  it('that is confirmed twice has one', async () => {
    const { audited, audit } = aWorld();

    await audited.begin(aChange());
    expect(await audited.begin(aChange())).toBe('duplicate');

    expect(await readAll(audit.all())).toHaveLength(1);
  });

  it('does not begin where the log cannot be written, and its record ends', async () => {
    const { changes } = aWorld();
    const append = () => Promise.reject(new Error('the store is full'));
    const audited = createAuditedChanges(changes, { append }, () => 20);

    await expect(audited.begin(aChange())).rejects.toThrow('the store is full');

    const outcome = { kind: 'failed', written: 'no', reason: 'not_logged' };
    expect((await changes.get('change-1'))?.outcome).toEqual(outcome);
  });

  it('does not begin, for the reason of the log, where its record cannot be ended either', async () => {
    const { changes } = aWorld();
    const finish = () => Promise.reject(new Error('the record cannot be ended'));
    const append = () => Promise.reject(new Error('the store is full'));
    const audited = createAuditedChanges({ ...changes, finish }, { append }, () => 20);

    await expect(audited.begin(aChange())).rejects.toThrow('the store is full');
  });

  it('stays open where its end cannot be logged, so that the next look ends it', async () => {
    const { changes, audit } = aWorld();
    let isFull = false;
    const append: AuditStore['append'] = (entry) =>
      isFull ? Promise.reject(new Error('the store is full')) : audit.append(entry);
    const audited = createAuditedChanges(changes, { append }, () => 20);
    await audited.begin(aChange());
    isFull = true;

    await expect(audited.finish('change-1', { kind: 'verified', written: 'yes' })).rejects.toThrow('full');

    expect((await changes.get('change-1'))?.outcome).toBeUndefined();
  });
});

const overlay = { list: async () => [] };

describe('the list', () => {
  it('shows a change once, by its end, or as open while it has none', async () => {
    const { audited, audit, changes } = aWorld();
    await audited.begin(aChange({ id: 'ended' }));
    await audited.begin(aChange({ id: 'broken-off' }));
    await audited.finish('ended', { kind: 'failed', written: 'no' });
    await audit.append(anEntry({ what: 'review_run', outcome: { kind: 'done' } }));

    const { rows, next } = await listAudit({ limit: 10 }, { audit, changes, overlay });

    expect(rows.map(({ entry, isOpen }) => [entry.subject.changeId, entry.outcome.kind, isOpen])).toEqual([
      ['change-1', 'done', false],
      ['ended', 'failed', false],
      ['broken-off', 'begun', true],
    ]);
    expect(next).toBeUndefined();
  });

  it('goes on where a page ended, and shows everything once', async () => {
    const { audited, audit, changes } = aWorld();
    for (let count = 1; count <= 7; count += 1) {
      await audited.begin(aChange({ id: `change-${count}` }));
      await audited.finish(`change-${count}`, { kind: 'verified', written: 'yes' });
    }

    const seen: (string | undefined)[] = [];
    let before: number | undefined;
    do {
      const { rows, next } = await listAudit({ limit: 3, before }, { audit, changes, overlay });
      seen.push(...rows.map(({ entry }) => entry.subject.changeId));
      before = next;
    } while (before !== undefined);

    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((count) => `change-${count}`));
  });
});

describe('a log that is told of', () => {
  it('tells each new head', async () => {
    const told: unknown[] = [];
    const log = { info: (...line: unknown[]) => told.push(line) } as unknown as Log;
    const { audit } = createMemoryStore(Date.now, { log });

    const { seq, hash } = await audit.append(anEntry());

    expect(told).toEqual([[{ seq, hash }, 'audit head']]);
  });
});

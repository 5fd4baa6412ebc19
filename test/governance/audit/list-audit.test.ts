import { describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { AuditEntry } from '../../../src/governance/audit/audit-log.ts';
import { type AuditPage, listAudit, searchAudit } from '../../../src/governance/audit/search-audit.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { anException } from '../register/register-samples.ts';
import { aLimitChange } from '../shell/samples.ts';
import { anEntry } from './samples.ts';

async function aWorld(entries: Partial<AuditEntry>[]) {
  const { audit, changes, overlay } = createMemoryStore();
  for (const entry of entries) await audit.append(anEntry(entry));
  return { audit, changes, overlay };
}

const aSubject = (number: number) => ({ environmentId: `env-${number}`, changeId: `change-${number}` });
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ at: index, subject: aSubject(index) }));

const agents = [
  {
    name: 'agent-3',
    agentResourceId: 'bot-3',
    displayName: 'Invoice Reader',
    environmentId: 'ENV-3',
    ownerId: 'o',
    isHarness: true,
  },
];
const environments = [{ name: 'env-7', displayName: 'Contoso Production', ownerId: undefined }];
const session = {
  findAgents: async () => ({ rows: agents, truncated: false }),
  findEnvironments: async () => ({ rows: environments, truncated: false }),
};

describe('listAudit', () => {
  it('offers no next page where only begins of shown changes are left', async () => {
    const world = await aWorld([]);
    for (const id of ['one', 'two', 'three']) {
      const subject = { environmentId: 'env-1', changeId: id };
      await world.audit.append(anEntry({ subject, outcome: { kind: 'begun' } }));
      await world.audit.append(anEntry({ subject, outcome: { kind: 'verified', written: 'yes' } }));
      await world.changes.begin(aLimitChange({ id, outcome: { kind: 'verified', written: 'yes' } }));
    }

    const { rows, next } = await listAudit({ limit: 3 }, world);

    expect(rows).toHaveLength(3);
    expect(next).toBeUndefined();
  });

  it('breaks a long search off, says how far it came, and goes on from there', async () => {
    const world = await aWorld(many(5_250));
    const matches = ({ subject }: AuditEntry) => subject.environmentId === 'env-10';

    const first = await listAudit({ limit: 10, matches }, world);
    const second = await listAudit({ limit: 10, matches, before: first.next }, world);

    expect(first).toMatchObject({ rows: [], next: 251, searchedTo: 250 });
    expect(second.rows.map(({ entry }) => entry.at)).toEqual([10]);
    expect(second).toMatchObject({ next: undefined, searchedTo: undefined });
  });

  const decisionEntry = (id: string, kind: AuditEntry['outcome']['kind']) => ({
    what: 'exception_accepted' as const,
    subject: { environmentId: 'env-1', changeId: id },
    outcome: { kind },
  });
  const toOutcomes = ({ rows }: AuditPage) =>
    rows.map(({ entry, isOpen }) => [entry.subject.changeId, entry.outcome.kind, isOpen]);

  it('shows a decision once, by its end, and by its record where that is missing', async () => {
    const world = await aWorld([
      decisionEntry('ended', 'begun'),
      decisionEntry('ended', 'done'),
      decisionEntry('not-recorded', 'begun'),
      decisionEntry('failed', 'begun'),
      decisionEntry('failed', 'failed'),
      decisionEntry('recorded', 'begun'),
    ]);
    for (const id of ['ended', 'recorded']) await world.overlay.add(anException({ id }));

    expect(toOutcomes(await listAudit({ limit: 10 }, world))).toEqual([
      ['recorded', 'done', false],
      ['failed', 'failed', false],
      ['not-recorded', 'begun', true],
      ['ended', 'done', false],
    ]);
  });

  it('shows a decision once where a page ends between its two entries', async () => {
    const world = await aWorld([decisionEntry('one', 'begun'), decisionEntry('one', 'done')]);
    await world.overlay.add(anException({ id: 'one' }));

    expect(toOutcomes(await listAudit({ limit: 10, before: 2 }, world))).toEqual([]);
  });

  it('does not take the request for an approval for the end of what it asks for', async () => {
    const world = await aWorld([
      { ...decisionEntry('one', 'done'), what: 'approval_requested' },
      decisionEntry('one', 'begun'),
    ]);

    expect(toOutcomes(await listAudit({ limit: 10 }, world))).toEqual([
      ['one', 'begun', true],
      ['one', 'done', false],
    ]);
  });
});

describe('searchAudit', () => {
  it.each<[string, number[]]>([
    ['env-3', [3]],
    ['invoice reader', [3]],
    ['CONTOSO prod', [7]],
    ['u0kim', [4]],
    ['second pilot', [5]],
    ['req-77', [6]],
    ['exception accepted', [8]],
    ['conflict', [9]],
    ['nothing of it', []],
  ])('finds by “%s”', async (query, found) => {
    const entries: Partial<AuditEntry>[] = many(10).map((entry) => ({ ...entry, requestIds: [], reason: 'why' }));
    Object.assign(entries[3] ?? {}, { subject: { environmentId: 'env-3', agentResourceId: 'bot-3' } });
    Object.assign(entries[4] ?? {}, { who: { user: 'U0KIM' } });
    Object.assign(entries[5] ?? {}, { reason: 'A second pilot' });
    Object.assign(entries[6] ?? {}, { requestIds: ['req-77'] });
    Object.assign(entries[8] ?? {}, { what: 'exception_accepted' });
    Object.assign(entries[9] ?? {}, { outcome: { kind: 'conflict', written: 'no' } });
    const world = await aWorld(entries);

    const { rows } = await searchAudit({ query }, { ...world, session });

    expect(rows.map(({ entry }) => entry.at)).toEqual(found);
  });

  it('gives names to ids, however they are written', async () => {
    const { names } = await searchAudit({}, { ...(await aWorld([])), session });

    expect(names.agent('env-3', 'BOT-3')).toBe('Invoice Reader');
    expect(names.agent('env-3', 'agent-3')).toBe('Invoice Reader');
    expect(names.environment('ENV-7')).toBe('Contoso Production');
    expect(names.environment('env-8')).toBeUndefined();
  });

  it('does without names where they cannot be read, or not by this account, but not without a sign-in', async () => {
    const world = await aWorld(many(2));
    const failing = (error: Error) => ({ ...session, findAgents: () => Promise.reject(error) });
    const search = (error: Error) => searchAudit({}, { ...world, session: failing(error) });

    await expect(search(new AdminUnreachableError('query'))).resolves.toMatchObject({ isGap: true, rows: [{}, {}] });
    await expect(search(new AdminRefusedError('admin_forbidden', 'query'))).resolves.toMatchObject({
      isGap: true,
      rows: [{}, {}],
    });
    await expect(search(new AdminRefusedError('admin_unauthorized', 'query'))).rejects.toMatchObject({
      code: 'admin_unauthorized',
    });
  });
});

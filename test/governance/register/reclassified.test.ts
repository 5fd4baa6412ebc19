// Classifications that were changed or withdrawn in Slack.
import { describe, expect, it } from 'vitest';
import { exportRegister, findExported } from '../../../src/governance/register/export-register.ts';
import { mergeOverlay } from '../../../src/governance/register/merge-overlay.ts';
import type { ClassificationRecord, OverlayRecord } from '../../../src/governance/register/overlay.ts';
import type { ReadyRegister } from '../../../src/governance/review/approved-state.ts';
import {
  findClassification,
  reclassifyEnvironment,
  withdrawClassification,
} from '../../../src/governance/review/decisions.ts';
import { decideAgain } from '../../../src/governance/review/recheck.ts';
import { anEnvironmentFinding } from '../review/review-samples.ts';
import { AT, aClassification, anApprovedLimit, openRegister } from './register-samples.ts';

const FILE = 'schema: 1\nenvironments: []\n';
const own = openRegister(FILE);
const first = aClassification({ id: 'first', name: 'Lab', owners: ['U7'], allocations: 'none' });
const by = { team: 'T1', workspace: 'T1', user: 'U1' };
const REQUEST = { id: 'later', by, at: AT, registerHash: 'hash-1', reason: 'It is in production now' };

function recordOf(decided: { record: ClassificationRecord } | { problem: string }): ClassificationRecord {
  if ('problem' in decided) throw new Error(decided.problem);
  return decided.record;
}

const reclassify = (request = REQUEST) =>
  recordOf(
    reclassifyEnvironment(first, {
      ...{ ...request, own, classification: 'funded-production', allocations: 'none' },
      unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' },
    }),
  );

const merge = (...records: OverlayRecord[]) => mergeOverlay(own, records).register.environments;

function ready(...records: OverlayRecord[]): ReadyRegister {
  return { kind: 'ready', ...mergeOverlay(own, records), own, text: FILE, registerHash: 'hash-1', records };
}

describe('a classification that is changed', () => {
  it('takes the place of the one before, with its owners, and with a limit for agents', () => {
    expect(merge(first, reclassify())).toMatchObject([
      { id: 'env-1', classification: 'funded-production', owners: ['U7'], unnamedAgents: { monthlyLimit: 500 } },
    ]);
  });

  it('counts as the later one, whatever the clocks of two replicas say', () => {
    const early = reclassify({ ...REQUEST, at: AT - 60_000 });

    expect(early.at).toBeGreaterThan(first.at);
    expect(merge(early, first)).toMatchObject([{ classification: 'funded-production' }]);
  });

  it('is exported as it counts', () => {
    const yaml = exportRegister(FILE, findExported(own, [first, reclassify()], AT));

    expect(openRegister(yaml).environments).toEqual(merge(first, reclassify()));
  });

  it('is recorded by a second admin only in the place of what it was to replace', () => {
    const finding = anEnvironmentFinding({ status: 'unclassified' });
    const record = reclassify();
    const approve = (...records: OverlayRecord[]) =>
      decideAgain({ record, finding }, ready(...records), { approvedBy: 'U2', at: AT });

    expect(approve(first)).toMatchObject({ record: { id: 'later', approvedBy: 'U2', at: record.at } });
    const other = { ...record, id: 'other', at: record.at + 1 };
    expect(approve(first, other)).toEqual({ problem: expect.stringContaining('Somebody else has decided') });
    expect(approve()).toEqual({ problem: expect.stringContaining('Somebody else has decided') });
  });
});

describe('a classification that is withdrawn', () => {
  const withdrawn = recordOf(withdrawClassification(first, REQUEST));

  it('leaves the environment out of the register, with what rested on it', () => {
    const limit = anApprovedLimit();
    const merged = mergeOverlay(own, [first, limit, withdrawn]);

    expect(merged.register.environments).toEqual([]);
    expect(merged.unused).toContainEqual({ id: limit.id, reason: 'environment_unclassified' });
    expect(findExported(own, [first, withdrawn], AT).count).toBe(0);
    expect(findClassification(ready(first, withdrawn), 'env-1')).toBeUndefined();
  });

  it('can be made again', () => {
    const again = aClassification({ id: 'again', allocations: 'none', at: withdrawn.at + 1 });

    expect(findClassification(ready(first, withdrawn, again), 'ENV-1')?.id).toBe('again');
  });
});

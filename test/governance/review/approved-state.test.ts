import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { readApproved } from '../../../src/governance/review/approved-state.ts';
import { anException } from '../register/register-samples.ts';

const TEXT = [
  'schema: 1',
  'environments:',
  '  - id: env-1',
  '    classification: maker-development',
  '    allocations: none',
].join('\n');

const sourcesOf = (text: string, records: OverlayRecord[] = []) => ({
  readRegister: async () => ({ text, read: readRegister(text) }),
  overlay: { list: async () => records },
});

describe('what is approved', () => {
  it('is the file with what was decided in Slack, and names what adds nothing', async () => {
    const records = [anException(), anException({ id: 'decision-2', environmentId: 'env-2' })];

    const approved = await readApproved(sourcesOf(TEXT, records));

    if (approved.kind !== 'ready') throw new Error(approved.kind);
    expect(approved.register.environments[0]?.exceptions).toHaveLength(1);
    expect(approved.own.environments[0]?.exceptions).toEqual([]);
    expect(approved.unused).toEqual([{ id: 'decision-2', reason: 'environment_unclassified' }]);
    expect(approved).toMatchObject({ text: TEXT, records, registerHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('is nothing where no file is named, where it cannot be read, and where it has problems', async () => {
    const error = new Error('ENOENT');
    const overlay = { list: async () => [] };
    const none = await readApproved({ readRegister: async () => 'none', overlay });
    const unreadable = await readApproved({ readRegister: () => Promise.reject(error), overlay });
    const wrong = await readApproved(sourcesOf('schema: 2'));

    expect(none).toEqual({ kind: 'none' });
    expect(unreadable).toEqual({ kind: 'unreadable_file', error });
    expect(wrong).toMatchObject({ kind: 'problems', problems: [{ line: 1 }, { line: 1 }] });
  });

  it('is not known while the store fails', async () => {
    const overlay = { list: () => Promise.reject(new StoreUnavailableError('down')) };

    await expect(readApproved({ ...sourcesOf(TEXT), overlay })).rejects.toThrow(StoreUnavailableError);
  });
});

import { describe, expect, it } from 'vitest';
import { readImport } from '../../../src/governance/policy-documents/import-document.ts';
import { readDocument } from '../../../src/governance/policy-documents/read-document.ts';
import { writeDocument } from '../../../src/governance/policy-documents/write-document.ts';
import { createEngine } from '../../../src/governance/run/create-engine.ts';
import { requireChannelRights } from '../../../src/governance/run/run-rights.ts';
import { UNLIMITED } from '../../../src/governance/shell/access.ts';
import { createLog } from '../../../src/log.ts';
import { type Edit, endEdit, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, ofInstallation } from '../../../src/policy/policy.ts';
import { aPolicy, NOW, WHY } from '../policy-documents/policy-samples.ts';

const OURS = { workspace: 'E1', channel: '*' };
const THEIRS = { workspace: 'T2', channel: '*' };

/** Kim administers one team of the organisation E1, which the app is installed for; Lea all of it. */
function check(user: string, edits: readonly Edit[]): Promise<void> {
  const caller = { team: 'E1', workspace: 'E1', user, homeTeam: 'T1' };
  return requireChannelRights(edits, caller, {
    ...{ auditors: [], allowance: UNLIMITED, log: createLog('silent'), homeTeam: async () => undefined },
    rules: [
      { kind: 'user', team: 'T1', user: 'U0KIM' },
      { kind: 'user', team: 'E1', user: 'U0LEA' },
    ],
    lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
  } as unknown as Parameters<typeof requireChannelRights>[2]);
}

describe('what is set for channels', () => {
  it.each([
    ['set', setEdit('webSearch', OURS, false)],
    ['ended', endEdit('webSearch', OURS)],
  ])('is %s by administrators of the whole installation alone', async (_, edit) => {
    await expect(check('U0LEA', [edit])).resolves.toBeUndefined();
    await expect(check('U0KIM', [edit])).rejects.toMatchObject({ code: expect.stringMatching(/^not_admin_of_all/) });
  });

  it('is decided by nobody of another installation', async () => {
    const edits = [setEdit('webSearch', OURS, false), setEdit('pause', THEIRS, { word: '' })];

    await expect(check('U0LEA', edits)).rejects.toMatchObject({ code: 'not_of_installation' });
  });

  it('is checked whatever is proposed, undone or confirmed', async () => {
    const engine = createEngine({} as never, {} as never);
    const edits = [setEdit('webSearch', THEIRS, false)];
    const plan = { edits, items: [] } as never;
    const caller = { team: 'E1', workspace: 'E1', user: 'U0LEA' };
    const by = { caller, openSession: async () => ({}) as never };
    const refused = { code: 'not_of_installation' };

    await expect(engine.propose(edits, by)).rejects.toMatchObject(refused);
    await expect(engine.proposeUndo({ plan, reverse: edits }, by)).rejects.toMatchObject(refused);
    await expect(engine.confirm({ plan } as never, { caller } as never)).rejects.toMatchObject(refused);
  });

  it('asks nothing where it is about agents alone', async () => {
    await expect(check('U0NOBODY', [setEdit('stop', { environmentId: 'e1' }, true)])).resolves.toBeUndefined();
  });
});

describe('a file with channels of another installation', () => {
  const policy = aPolicy(
    { setting: 'webSearch', target: OURS, standing: { value: false, why: WHY } },
    { setting: 'webSearch', target: THEIRS, standing: { value: false, why: WHY } },
  );
  const options = {
    ...{ currency: 'ServiceMessages', now: NOW },
    readInventory: async () => () => undefined,
    isOurs: (target: object) => !('workspace' in target && target.workspace !== 'E1'),
  };

  it('neither sets nor ends them, and says so', async () => {
    const whole = await readImport(readDocument(writeDocument(policy)), EMPTY_POLICY, options);
    const ours = ofInstallation(policy, 'E1');
    const own = await readImport(readDocument(writeDocument(ours)), ours, options);

    expect(whole).toMatchObject({ edits: [{ target: OURS }], notes: [expect.stringContaining('other installations')] });
    expect(own).toMatchObject({ edits: [], ended: 0, notes: [] });
  });
});

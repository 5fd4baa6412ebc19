import { describe, expect, it } from 'vitest';
import type { RuleStore, WorkspaceRules } from '../../src/conversation/channel-rules.ts';

export function describeRuleStore(current: () => RuleStore): void {
  describe('the rules of a workspace', () => {
    const versionOf = async () => (await current().get('T1'))?.version ?? 0;

    it('are none until they are set, and then what was set last', async () => {
      expect(await current().get('T1')).toBeUndefined();

      await current().save(aRecord({ everywhere: { answers: 'private' } }), 0);
      await current().save(aRecord({ channels: { C1: { webSearch: 'off' } } }), await versionOf());

      expect(await current().get('T1')).toMatchObject(aRecord({ channels: { C1: { webSearch: 'off' } } }));
    });

    it('are written only over the version they were made from', async () => {
      const save = (expected: number) => current().save(aRecord(), expected);
      const saves = [await save(1), await save(0), await save(0)];
      const first = await versionOf();
      saves.push(await save(first), await save(first));

      expect(saves).toEqual([false, true, false, true, false]);
    });

    it('keep the pause, and are of one workspace', async () => {
      const pause = { word: 'until noon', by: 'U0KIM', at: 5 };
      await current().save(aRecord({ pause }), 0);

      expect(await current().get('T1')).toMatchObject({ pause });
      expect(await current().get('T2')).toBeUndefined();
    });
  });
}

export function aRecord(change: Partial<WorkspaceRules> = {}): Omit<WorkspaceRules, 'version'> {
  return { schema: 1, workspace: 'T1', everywhere: {}, channels: {}, ...change };
}

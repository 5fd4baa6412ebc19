import { describe, expect, it } from 'vitest';
import type { InstallationStore, StoredInstallation } from '../../src/slack/installation.ts';

export function describeInstallationStore(current: () => InstallationStore): void {
  describe('installations', () => {
    it('are one per workspace, the second in place of the first', async () => {
      await current().put(anInstallation({ installedAt: 1 }));
      await current().put(anInstallation({ installedAt: 2, sealedBotToken: 'another' }));

      expect(await current().get('T1')).toEqual(anInstallation({ installedAt: 2, sealedBotToken: 'another' }));
      expect(await current().get('T2')).toBeUndefined();
    });

    it('are listed by workspace', async () => {
      await current().put(anInstallation({ workspace: 'T1' }));
      await current().put(anInstallation({ workspace: 'T2' }));

      expect((await current().list()).toSorted()).toEqual(['T1', 'T2']);
    });

    it('are replaced only while they are the one that is meant, and read as they were put', async () => {
      const rotation = { sealedRefreshToken: 'sealed, too', expiresAt: 5 };
      await current().put(anInstallation({ installedAt: 2 }));

      expect(await current().replace(anInstallation({ installedAt: 1, rotation }), 'sealed')).toBe(false);
      expect(await current().replace(anInstallation({ workspace: 'T9', installedAt: 2 }), 'sealed')).toBe(false);
      expect(await current().replace(anInstallation({ installedAt: 2, rotation }), 'another')).toBe(false);
      expect(await current().get('T1')).toEqual(anInstallation({ installedAt: 2 }));
      expect(await current().replace(anInstallation({ installedAt: 2, rotation }), 'sealed')).toBe(true);
      expect(await current().get('T1')).toEqual(anInstallation({ installedAt: 2, rotation }));
      expect(await current().list()).toEqual(['T1']);
    });

    it('are removed only while they are the one that is meant', async () => {
      await current().put(anInstallation({ installedAt: 2 }));

      expect(await current().remove('T1', 1)).toBe(false);
      expect(await current().get('T1')).toBeDefined();
      expect(await current().remove('T1', 2)).toBe(true);
      expect(await current().get('T1')).toBeUndefined();
      expect(await current().remove('T1', 2)).toBe(false);
      expect(await current().list()).toEqual([]);
    });
  });
}

export function anInstallation(change: Partial<StoredInstallation> = {}): StoredInstallation {
  return {
    schema: 1,
    workspace: 'T1',
    team: 'T1',
    isOrganisation: false,
    botId: 'B1',
    botUserId: 'UBOT',
    sealedBotToken: 'sealed',
    installedBy: 'UKIM',
    installedAt: 1_800_000_000_000,
    ...change,
  };
}

import { beforeEach, describe, expect, it } from 'vitest';
import type { InstallationStore } from '../../src/slack/installation.ts';
import { anInstallation } from './an-installation.ts';
import { createMemoryStore } from './memory-store.ts';

let installations: InstallationStore;

beforeEach(() => {
  ({ installations } = createMemoryStore());
});

describe('installations', () => {
  it('are one per workspace, the second in place of the first', async () => {
    await installations.put(anInstallation({ installedAt: 1 }));
    await installations.put(anInstallation({ installedAt: 2, sealedBotToken: 'another' }));

    expect(await installations.get('T1')).toEqual(anInstallation({ installedAt: 2, sealedBotToken: 'another' }));
    expect(await installations.get('T2')).toBeUndefined();
  });

  it('are listed by workspace', async () => {
    await installations.put(anInstallation({ workspace: 'T1' }));
    await installations.put(anInstallation({ workspace: 'T2' }));

    expect((await installations.list()).toSorted()).toEqual(['T1', 'T2']);
  });

  it('are replaced only while they are the one that is meant, and read as they were put', async () => {
    const rotation = { sealedRefreshToken: 'sealed, too', expiresAt: 5 };
    await installations.put(anInstallation({ installedAt: 2 }));

    expect(await installations.replace(anInstallation({ installedAt: 1, rotation }), 'sealed')).toBe(false);
    expect(await installations.replace(anInstallation({ workspace: 'T9', installedAt: 2 }), 'sealed')).toBe(false);
    expect(await installations.replace(anInstallation({ installedAt: 2, rotation }), 'another')).toBe(false);
    expect(await installations.get('T1')).toEqual(anInstallation({ installedAt: 2 }));
    expect(await installations.replace(anInstallation({ installedAt: 2, rotation }), 'sealed')).toBe(true);
    expect(await installations.get('T1')).toEqual(anInstallation({ installedAt: 2, rotation }));
    expect(await installations.list()).toEqual(['T1']);
  });

  it('are removed only while they are the one that is meant', async () => {
    await installations.put(anInstallation({ installedAt: 2 }));

    expect(await installations.remove('T1', 1)).toBe(false);
    expect(await installations.get('T1')).toBeDefined();
    expect(await installations.remove('T1', 2)).toBe(true);
    expect(await installations.get('T1')).toBeUndefined();
    expect(await installations.remove('T1', 2)).toBe(false);
    expect(await installations.list()).toEqual([]);
  });
});

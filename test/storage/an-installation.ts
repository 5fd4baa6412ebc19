import type { StoredInstallation } from '../../src/slack/installation.ts';

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

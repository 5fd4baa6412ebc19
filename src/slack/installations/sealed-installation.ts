import type { TokenVault } from '../../identity/token-vault.ts';
import type { Installation } from '../installation.ts';
import type { StoredInstallation } from '../installation-store.ts';

/** Everything of an installation but the token, which is sealed into it. */
export type InstallationDraft = Omit<StoredInstallation, 'schema' | 'sealedBotToken'>;

export function sealInstallation(vault: TokenVault, draft: InstallationDraft, botToken: string): StoredInstallation {
  return { schema: 1, ...draft, sealedBotToken: vault.seal(botToken, toRecord(draft.workspace)) };
}

/** Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openInstallation(vault: TokenVault, stored: StoredInstallation): Installation {
  const { workspace, team, botId, botUserId, sealedBotToken } = stored;
  return { workspace, team, botId, botUserId, botToken: vault.open(sealedBotToken, toRecord(workspace)) };
}

function toRecord(workspace: string): string {
  return `installation:${workspace}`;
}

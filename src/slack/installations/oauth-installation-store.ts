import type { Installation as OAuthInstallation, InstallationStore as OAuthInstallationStore } from '@slack/oauth';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import type { InstallationStore } from '../installation-store.ts';
import { type AllowedTeams, isAllowed } from './allowed-teams.ts';
import { InstallRefusedError } from './install-errors.ts';
import { type InstallationDraft, sealInstallation } from './sealed-installation.ts';

export type OAuthInstallationStoreOptions = {
  installations: Pick<InstallationStore, 'get' | 'put'>;
  vault: TokenVault;
  allowed: AllowedTeams;
  /** Uninstalls the app there, or at least revokes the token. False: it could not be done. */
  withdraw(botToken: string): Promise<boolean>;
  /** After an installation was stored. */
  onChanged(workspace: string): void;
  now(): number;
  log: Log;
};

/**
 * Where InstallProvider puts what Slack has installed: into our store, with the bot token sealed and without anybody's
 * own token. What is not to be used is withdrawn at Slack again; that throws InstallRefusedError.
 */
export function createOAuthInstallationStore(options: OAuthInstallationStoreOptions): OAuthInstallationStore {
  const { installations, vault, allowed, withdraw, onChanged, now, log } = options;

  async function store(installation: OAuthInstallation): Promise<void> {
    const { bot } = installation;
    const draft = toDraft(installation, now());
    const refusal = findRefusal(installation, draft, allowed);
    if (refusal) {
      // Withdrawing uninstalls: where an installation of ours works, only its own end may end it.
      const isNew = refusal === 'not_allowed' || !(await installations.get(draft.workspace));
      const isRemoved = bot && isNew ? await withdraw(bot.token) : false;
      throw new InstallRefusedError(refusal, draft.workspace, isRemoved);
    }
    await installations.put(sealInstallation(vault, draft, bot?.token ?? ''));
    const { workspace, isOrganisation, installedBy } = draft;
    log.info({ workspace, isOrganisation, installedBy }, 'installed');
    onChanged(workspace);
  }

  return {
    storeInstallation: store,
    async fetchInstallation() {
      throw new Error('installations are found by find-installation.ts, which remembers what it read');
    },
  };
}

function toDraft(installation: OAuthInstallation, installedAt: number): InstallationDraft {
  const { team, enterprise, bot, user } = installation;
  const isOrganisation = installation.isEnterpriseInstall === true;
  return {
    workspace: (isOrganisation ? enterprise?.id : team?.id) ?? '',
    team: enterprise?.id ?? team?.id ?? '',
    isOrganisation,
    botId: bot?.id ?? '',
    botUserId: bot?.userId ?? '',
    installedBy: user.id,
    installedAt,
  };
}

function findRefusal({ bot }: OAuthInstallation, draft: InstallationDraft, allowed: AllowedTeams) {
  if (!draft.workspace || !bot || !draft.botId) return 'incomplete';
  if (!isAllowed(allowed, draft)) return 'not_allowed';
  // It would stop working after half a day: the manifest leaves rotation off.
  return bot.refreshToken === undefined ? undefined : 'rotated_token';
}

import type { Installation as OAuthInstallation, InstallationStore as OAuthInstallationStore } from '@slack/oauth';
import { UserError } from '../../errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Credentials } from '../web/methods.ts';
import { readRefusal } from '../web/slack-errors.ts';
import { type InstallationDraft, isAllowed, sealInstallation, sealRotation } from './find-installation.ts';
import type { InstallationServices, InstallationUses } from './installation-services.ts';

/** How long a rotating token is valid, if Slack does not say. */
const ROTATED_LIFE_MS = 12 * 3_600_000;

/** Why an installation was refused. Each reason has a page that says what to do next. */
export type InstallRefusal =
  | 'not_allowed' // not in SLACK_ALLOWED_TEAMS
  | 'incomplete'; // Slack sent no bot token, or no workspace

/** Slack installed the app, but we refused the installation. */
export class InstallRefusedError extends UserError {
  readonly reason: InstallRefusal;
  /** The team or enterprise. */
  readonly workspace: string;
  /** Whether the app could be uninstalled again. */
  readonly isRemoved: boolean;

  constructor(reason: InstallRefusal, workspace: string, isRemoved: boolean) {
    super(`install_${reason}`, `the app is not installed in ${workspace}: ${reason}`);
    this.reason = reason;
    this.workspace = workspace;
    this.isRemoved = isRemoved;
  }
}

type Needs = WithdrawOptions & InstallationUses<'installations' | 'vault' | 'allowed' | 'onChanged' | 'now'>;

/**
 * InstallProvider stores installations here, with the bot token sealed and without tokens of people. If we refuse
 * an installation, the app is uninstalled again, and InstallRefusedError is thrown.
 */
export function createOAuthInstallationStore(options: Needs): OAuthInstallationStore {
  const { installations, vault, allowed, onChanged, now, log } = options;

  async function store(installation: OAuthInstallation): Promise<void> {
    const { bot } = installation;
    const draft = toDraft(installation, now());
    const refusal = findRefusal(installation, draft, allowed);
    if (refusal) {
      // Withdrawing uninstalls the app, so never do it if an earlier installation is in use.
      const isNew = refusal === 'not_allowed' || !(await installations.get(draft.workspace));
      const isRemoved =
        bot && isNew ? await withdraw({ workspace: draft.workspace, botToken: bot.token }, options) : false;
      throw new InstallRefusedError(refusal, draft.workspace, isRemoved);
    }
    await installations.put({ ...sealInstallation(vault, draft, bot?.token ?? ''), ...toRotation(vault, draft, bot) });
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

type WithdrawOptions = InstallationUses<'callWithToken' | 'clientId' | 'clientSecret' | 'log'>;

/**
 * Undoes an installation: uninstalls the app, else revokes the token, which leaves the app in Slack's list but unable to
 * do anything. Returns whether the app is gone. Never throws.
 */
async function withdraw(bot: Credentials, options: WithdrawOptions): Promise<boolean> {
  const { callWithToken, clientId, clientSecret, log } = options;
  try {
    await callWithToken('apps.uninstall', bot, { client_id: clientId, client_secret: clientSecret });
    return true;
  } catch (error) {
    log.warn({ slackError: readRefusal(error) }, 'not uninstalled, revoking the token instead');
  }
  try {
    await callWithToken('auth.revoke', bot, {});
  } catch (error) {
    log.error({ slackError: readRefusal(error) }, 'token of a refused installation not revoked');
  }
  return false;
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

function findRefusal({ bot }: OAuthInstallation, draft: InstallationDraft, allowed: InstallationServices['allowed']) {
  if (!draft.workspace || !bot || !draft.botId) return 'incomplete';
  return isAllowed(allowed, draft) ? undefined : 'not_allowed';
}

/** For apps with `token_rotation_enabled`, whose tokens expire after half a day. */
function toRotation(vault: TokenVault, { workspace, installedAt }: InstallationDraft, bot: OAuthInstallation['bot']) {
  if (!bot?.refreshToken) return undefined;
  // @slack/oauth has it in epoch seconds.
  const expiresAt = bot.expiresAt === undefined ? installedAt + ROTATED_LIFE_MS : bot.expiresAt * 1_000;
  return sealRotation(vault, workspace, { botToken: bot.token, refreshToken: bot.refreshToken, expiresAt });
}

import {
  InvalidStateError,
  type Installation as OAuthInstallation,
  type InstallationStore as OAuthInstallationStore,
  type StateStore,
} from '@slack/oauth';
import { UserError } from '../../errors.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import { createSecret, hashSecret, isSecretShaped } from '../../identity/link-ticket.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import type { InstallationStore } from '../installation.ts';
import type { CallSlack } from '../web/methods.ts';
import { readRefusal } from '../web/slack-errors.ts';
import { type AllowedTeams, type InstallationDraft, isAllowed, sealInstallation } from './find-installation.ts';

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

/** As long as an admin may take at Slack, second factor and approval included. */
export const STATE_LIFE_MS = 10 * 60_000;

/**
 * The states of installations that have begun: each is used once. The package's own state is a signed note that can be
 * used again and again while it lives. That the browser is the one that began is what the package's cookie proves.
 */
export function createInstallState(once: ExpiringStore, now: () => number): StateStore {
  return {
    async generateStateParam(installOptions) {
      const state = createSecret();
      await once.put(toKey(state), JSON.stringify(installOptions), now() + STATE_LIFE_MS);
      return state;
    },
    async verifyStateParam(_now, state) {
      const text = isSecretShaped(state) ? await once.take(toKey(state)) : undefined;
      if (text === undefined) throw new InvalidStateError('the state is unknown, used, or too old');
      return JSON.parse(text);
    },
  };
}

function toKey(state: string): string {
  return `install-state:${hashSecret(state)}`;
}

/** Why an installation stopped. Each has a page of its own that says what to do next. */
export type InstallRefusal =
  | 'not_allowed' // not one of SLACK_ALLOWED_TEAMS
  | 'rotated_token' // token rotation is on for this app, and we do not refresh
  | 'incomplete'; // Slack gave no bot token, or does not say where

/** Slack installed the app, and we did not take it over. */
export class InstallRefusedError extends UserError {
  readonly reason: InstallRefusal;
  /** The team or enterprise it was to be installed in. */
  readonly workspace: string;
  /** Whether the app could be removed there again. */
  readonly isRemoved: boolean;

  constructor(reason: InstallRefusal, workspace: string, isRemoved: boolean) {
    super(`install_${reason}`, `the app is not installed in ${workspace}: ${reason}`);
    this.reason = reason;
    this.workspace = workspace;
    this.isRemoved = isRemoved;
  }
}

type WithdrawOptions = { call: CallSlack; clientId: string; clientSecret: string; log: Log };

/**
 * Takes back what was installed a moment ago: uninstalls the app where that token is of, else revokes the token, which
 * leaves the app on the list but unable to do anything. Returns whether the app is gone. Never throws.
 */
export async function withdraw(botToken: string, options: WithdrawOptions): Promise<boolean> {
  const { call, clientId, clientSecret, log } = options;
  try {
    await call('apps.uninstall', botToken, { client_id: clientId, client_secret: clientSecret });
    return true;
  } catch (error) {
    log.warn({ slackError: readRefusal(error) }, 'not uninstalled, revoking the token instead');
  }
  try {
    await call('auth.revoke', botToken, {});
  } catch (error) {
    log.error({ slackError: readRefusal(error) }, 'a token that is not used could not be revoked');
  }
  return false;
}

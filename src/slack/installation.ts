import { PermanentError } from '../errors.ts';

/** What we are in one workspace, or in a whole Enterprise organisation. */
export type Installation = {
  /** The team the app is installed in; the enterprise, where it is installed for the whole organisation. */
  workspace: string;
  /** The enterprise id where there is one, else the team id: the `team` of every key. */
  team: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

/** The app is not installed there: nothing that comes from it is ours to answer. */
export class UnknownWorkspaceError extends PermanentError {
  constructor(workspace: string) {
    super('unknown_workspace', `not installed in ${workspace}`);
  }
}

/**
 * Finds an installation by its own id; or by a team, which is served by its own installation, else by that of its
 * `enterprise`. Throws UnknownWorkspaceError.
 */
export type FindInstallation = (workspace: string, enterprise?: string) => Promise<Installation>;

/** The app in one workspace, or in a whole Enterprise organisation, as it came from Slack's installation flow. */
export type StoredInstallation = {
  schema: 1;
  /** The team it is installed in; the enterprise, where it is installed for the whole organisation. */
  workspace: string;
  /** The enterprise id where there is one, else the team id: the `team` of every key. */
  team: string;
  isOrganisation: boolean;
  botId: string;
  botUserId: string;
  /** Sealed by the token vault, with `installation:<workspace>` as the record it belongs to. */
  sealedBotToken: string;
  /** Slack user id of who installed it. */
  installedBy: string;
  /** Epoch ms. */
  installedAt: number;
};

/** Port: the installations, one per workspace. A second installation takes the place of the first. */
export type InstallationStore = {
  get(workspace: string): Promise<StoredInstallation | undefined>;
  put(installation: StoredInstallation): Promise<void>;
  /** Removes it only where it is still the one of `installedAt`: a reinstallation since then stays. */
  remove(workspace: string, installedAt: number): Promise<boolean>;
  /** The workspaces we are installed in. */
  list(): Promise<string[]>;
};

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

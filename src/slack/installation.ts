/** What we are in one workspace. */
export type Installation = {
  /** The team the app is installed in. */
  workspace: string;
  /** The enterprise id where there is one, else the team id: the `team` of every key. */
  team: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

/** Finds the installation of a workspace. Throws where there is none. */
export type FindInstallation = (workspace: string) => Promise<Installation>;

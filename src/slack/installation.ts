import { PermanentError } from '../errors.ts';

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

/** The app is not installed there: nothing that comes from it is ours to answer. */
export class UnknownWorkspaceError extends PermanentError {
  constructor(workspace: string) {
    super('unknown_workspace', `not installed in ${workspace}`);
  }
}

/** Finds the installation of a workspace. Throws UnknownWorkspaceError. */
export type FindInstallation = (workspace: string) => Promise<Installation>;

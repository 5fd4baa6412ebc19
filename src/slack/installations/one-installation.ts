import { type FindInstallation, type Installation, UnknownWorkspaceError } from '../installation.ts';

/** The one installation that SLACK_BOT_TOKEN is of. Anything that names another is none of ours. */
export function findOnly(installation: Installation): FindInstallation {
  return async (workspace, enterprise) => {
    if (workspace === installation.workspace || enterprise === installation.workspace) return installation;
    throw new UnknownWorkspaceError(workspace);
  };
}

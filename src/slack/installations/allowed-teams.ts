/** SLACK_ALLOWED_TEAMS: the team and enterprise ids that the app may be installed in, and serves. */
export type AllowedTeams = readonly string[];

/** An enterprise that is allowed is allowed with all of its teams; a team is not its enterprise. */
export function isAllowed(allowed: AllowedTeams, { workspace, team }: { workspace: string; team: string }): boolean {
  return allowed.includes(workspace) || allowed.includes(team);
}

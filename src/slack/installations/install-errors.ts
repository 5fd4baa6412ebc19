import { UserError } from '../../errors.ts';

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

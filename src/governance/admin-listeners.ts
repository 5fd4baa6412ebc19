// Everything that administrators and auditors do in Slack.
import type { App } from '@slack/bolt';
import { registerApprovals } from './approval/approval-buttons.ts';
import { PAUSE_FORMS } from './channel-rules/pause-form.ts';
import { RULES_FORM } from './channel-rules/rules-form.ts';
import { registerAdminCommand } from './commands/admin-command.ts';
import { registerFormCommands } from './forms/form-command.ts';
import { registerListActions } from './lists/list-actions.ts';
import { registerLists } from './lists/list-listeners.ts';
import { createListReader } from './lists/list-reader.ts';
import { registerLog } from './lists/log-message.ts';
import { registerPolicy } from './policy-documents/policy-command.ts';
import { registerReview } from './review/review-listeners.ts';
import { registerForms } from './run/kept-form.ts';
import { PLAN_FORM } from './run/plan-form.ts';
import { registerRuns } from './run/run-action.ts';
import type { GovernanceServices } from './services.ts';
import { createAdminShell, type TakeWaiting } from './shell/admin-shell.ts';

/** All of it may be slow: the listeners acknowledge first, and go on in the background. */
export function registerAdminListeners(app: App, given: GovernanceServices): TakeWaiting {
  const services = { ...given, lists: createListReader(given) };
  const shell = createAdminShell(app, services);
  const takeWaiting = registerAdminCommand(shell, services);
  registerLists(shell, services);
  registerListActions(shell, services);
  registerLog(shell, services);
  registerFormCommands(shell, services);
  registerForms(shell, [PLAN_FORM, RULES_FORM, PAUSE_FORMS.pause, PAUSE_FORMS.resume], services);
  registerRuns(shell, services);
  registerApprovals(shell, services);
  registerReview(shell, services);
  registerPolicy(shell, services);
  return takeWaiting;
}

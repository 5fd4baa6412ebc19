import type { BoltApps } from '../bolt-app.ts';
import { registerAdminCommand } from './admin/admin-command.ts';
import type { AdminPorts } from './admin/admin-ports.ts';
import { registerAllocationCurrency, registerAllocationForm } from './admin/allocation/form.ts';
import { registerAllocationOpen } from './admin/allocation/open.ts';
import { registerApprovals } from './admin/approval/decide.ts';
import { registerChangeConfirm } from './admin/change-confirm.ts';
import { registerLimitForm } from './admin/limit/form.ts';
import { registerSetLimit } from './admin/limit/open.ts';
import { registerListPages } from './admin/lists/admin-list.ts';
import { AGENTS } from './admin/lists/agents.ts';
import { AUDIT } from './admin/lists/audit.ts';
import { registerEnvironmentButtons } from './admin/lists/environment-buttons.ts';
import { ENVIRONMENTS } from './admin/lists/environments.ts';
import { LIMITS } from './admin/lists/limits.ts';
import { USAGE } from './admin/lists/usage.ts';
import { registerReviewPages } from './admin/review/pages.ts';
import { registerReviewActions } from './admin/review-action/review-actions.ts';
import { registerSearchPick } from './admin/search/pick.ts';
import { registerSearchOptions } from './admin/search/suggest.ts';
import { registerAnswerButtons } from './answer-buttons.ts';
import { type AppUninstalledPorts, registerAppUninstalled } from './app-uninstalled.ts';
import { registerAssistantCommand } from './assistant-command.ts';
import { registerCancelWaiting } from './cancel-waiting.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { registerMessage } from './message.ts';
import { registerMessageDeleted } from './message-deleted.ts';
import { registerSessionStopped } from './session-stopped.ts';
import { registerSignIn } from './sign-in.ts';
import { registerUserChange } from './user-change.ts';
import { registerWebOffCommand } from './web-off-command.ts';
import { registerWebOffShortcut } from './web-off-shortcut.ts';

/**
 * Everything that Slack sends and we listen to. The manifest asks Slack for exactly this. Without `admin` the admin
 * command says that it is not set up.
 */
export function registerListeners(
  { events, interactions: app }: BoltApps,
  ports: ListenerPorts & AppUninstalledPorts,
  admin: AdminPorts | undefined,
): void {
  registerMessage(events, ports);
  registerMessageDeleted(events, ports);
  registerSessionStopped(events, ports);
  registerUserChange(events, ports);
  registerAppUninstalled(events, ports);
  registerAssistantCommand(app, ports);
  registerWebOffCommand(app, ports);
  registerWebOffShortcut(app, ports);
  registerAnswerButtons(app, ports);
  registerCancelWaiting(app, ports);
  registerSignIn(app, ports);
  registerAdminCommand(app, admin);
  if (!admin) return;
  registerListPages(app, [LIMITS, AGENTS, ENVIRONMENTS, USAGE, AUDIT], admin);
  registerEnvironmentButtons(app, admin);
  registerSetLimit(app, admin);
  registerLimitForm(app, admin);
  registerAllocationOpen(app, admin);
  registerAllocationCurrency(app, admin);
  registerAllocationForm(app, admin);
  registerChangeConfirm(app, admin);
  registerApprovals(app, admin);
  registerSearchOptions(app, admin);
  registerSearchPick(app, admin);
  registerReviewPages(app, admin);
  registerReviewActions(app, admin);
}

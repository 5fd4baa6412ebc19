import type { App } from '@slack/bolt';
import { type AdminCommandPorts, registerAdminCommand } from './admin-command.ts';
import { createAdminShell, type ShellPorts } from './admin-shell.ts';
import { type AllocationFormPorts, registerAllocationCurrency, registerAllocationForm } from './allocation/form.ts';
import { type AllocationOpenPorts, registerAllocationOpen } from './allocation/open.ts';
import { type ApprovalPorts, registerApprovals } from './approval/decide.ts';
import { type ChangeConfirmPorts, registerChangeConfirm } from './change-confirm.ts';
import type { LimitConfirmPorts } from './limit/confirm.ts';
import { registerLimitForm } from './limit/form.ts';
import { registerSetLimit } from './limit/open.ts';
import { registerListPages } from './lists/admin-list.ts';
import { AGENTS } from './lists/agents.ts';
import { AUDIT } from './lists/audit.ts';
import { registerEnvironmentButtons } from './lists/environment-buttons.ts';
import { ENVIRONMENTS } from './lists/environments.ts';
import { LIMITS } from './lists/limits.ts';
import { USAGE } from './lists/usage.ts';
import { type ReviewPagePorts, registerReviewPages } from './review/pages.ts';
import { type ReviewActionPorts, registerReviewActions } from './review-action/review-actions.ts';
import { registerSearchPick } from './search/pick.ts';
import { registerSearchOptions, type SuggestPorts } from './search/suggest.ts';

/** All of it may be slow: the listeners acknowledge first, and go on in the background. */
export type AdminListenerPorts = ShellPorts &
  AdminCommandPorts &
  AllocationFormPorts &
  AllocationOpenPorts &
  ApprovalPorts &
  ChangeConfirmPorts &
  LimitConfirmPorts &
  ReviewPagePorts &
  ReviewActionPorts &
  SuggestPorts;

/** Everything that administrators do in Slack. */
export function registerAdminListeners(app: App, ports: AdminListenerPorts): void {
  const shell = createAdminShell(app, ports);
  registerAdminCommand(shell, ports);
  registerListPages(shell, [LIMITS, AGENTS, ENVIRONMENTS, USAGE, AUDIT], ports);
  registerEnvironmentButtons(shell, ports);
  registerSetLimit(shell, ports);
  registerLimitForm(shell, ports);
  registerAllocationOpen(shell, ports);
  registerAllocationCurrency(shell, ports);
  registerAllocationForm(shell, ports);
  registerChangeConfirm(shell, ports);
  registerApprovals(shell, ports);
  registerSearchOptions(shell, ports);
  registerSearchPick(shell, ports);
  registerReviewPages(shell, ports);
  registerReviewActions(shell, ports);
}

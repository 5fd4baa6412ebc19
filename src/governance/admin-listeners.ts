import type { App } from '@slack/bolt';
import {
  type AllocationFormPorts,
  registerAllocationCurrency,
  registerAllocationForm,
} from '../slack/listeners/admin/allocation/form.ts';
import type { LimitConfirmPorts } from '../slack/listeners/admin/limit/confirm.ts';
import { registerLimitForm } from '../slack/listeners/admin/limit/form.ts';
import { AGENTS } from '../slack/listeners/admin/lists/agents.ts';
import { AUDIT } from '../slack/listeners/admin/lists/audit.ts';
import { ENVIRONMENTS } from '../slack/listeners/admin/lists/environments.ts';
import { LIMITS } from '../slack/listeners/admin/lists/limits.ts';
import { USAGE } from '../slack/listeners/admin/lists/usage.ts';
import { type ReviewPagePorts, registerReviewPages } from '../slack/listeners/admin/review/pages.ts';
import {
  type ReviewActionPorts,
  registerReviewActions,
} from '../slack/listeners/admin/review-action/review-actions.ts';
import { registerSearchOptions, type SuggestPorts } from '../slack/listeners/admin/search/suggest.ts';
import { type AllocationOpenPorts, registerAllocationOpen } from './allocations/allocation-form.ts';
import { type ApprovalPorts, registerApprovals } from './confirmation/approval-buttons.ts';
import { type ChangeConfirmPorts, registerChangeConfirm } from './confirmation/confirmation-modal.ts';
import { registerSetLimit } from './limits/limit-form.ts';
import { type AdminCommandPorts, registerAdminCommand } from './lists/admin-command.ts';
import { registerListPages } from './lists/admin-list.ts';
import { registerEnvironmentButtons } from './lists/environment-buttons.ts';
import { registerSearchPick } from './lists/inventory-search.ts';
import { createAdminShell, type ShellPorts } from './shell/admin-shell.ts';

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

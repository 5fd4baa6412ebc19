import type { App } from '@slack/bolt';
import {
  type AllocationFormPorts,
  type AllocationOpenPorts,
  registerAllocationCurrency,
  registerAllocationForm,
  registerAllocationOpen,
} from './allocations/allocation-form.ts';
import { type ApprovalPorts, registerApprovals } from './confirmation/approval-buttons.ts';
import { type ChangeConfirmPorts, registerChangeConfirm } from './confirmation/confirmation-modal.ts';
import { type LimitConfirmPorts, registerLimitForm, registerSetLimit } from './limits/limit-form.ts';
import { type AdminCommandPorts, registerAdminCommand } from './lists/admin-command.ts';
import { registerListPages } from './lists/admin-list.ts';
import { AGENTS } from './lists/agents-message.ts';
import { AUDIT } from './lists/audit-message.ts';
import { registerEnvironmentButtons } from './lists/environment-buttons.ts';
import { ENVIRONMENTS } from './lists/environments-message.ts';
import { registerSearchOptions, registerSearchPick, type SuggestPorts } from './lists/inventory-search.ts';
import { LIMITS } from './lists/limits-message.ts';
import { USAGE } from './lists/usage-message.ts';
import { type ReviewPagePorts, registerReviewPages } from './review/report-views.ts';
import { type AcceptPorts, registerReviewAccept } from './review-actions/accept-action.ts';
import { registerReviewApproveLimit } from './review-actions/approve-limit-action.ts';
import { registerReviewClassify } from './review-actions/classify-action.ts';
import { type CorrectPorts, registerReviewCorrect } from './review-actions/correct-action.ts';
import { type CorrectPagePorts, registerReviewCorrectPage } from './review-actions/correct-page-action.ts';
import { type AdminShell, createAdminShell, type ShellPorts } from './shell/admin-shell.ts';

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

type ReviewActionPorts = AcceptPorts & CorrectPorts & CorrectPagePorts;

/** The buttons of a review's report, and the forms behind them. */
function registerReviewActions(shell: AdminShell, ports: ReviewActionPorts): void {
  registerReviewCorrect(shell, ports);
  registerReviewCorrectPage(shell, ports);
  registerReviewAccept(shell, ports);
  registerReviewClassify(shell, ports);
  registerReviewApproveLimit(shell, ports);
}

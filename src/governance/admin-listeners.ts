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
import { registerLimitForm, registerSetLimit } from './limits/limit-form.ts';
import { type AdminCommandPorts, registerAdminCommand } from './lists/admin-command.ts';
import { registerListButtons } from './lists/admin-list-listeners.ts';
import { registerSearchOptions, registerSearchPick, type SuggestPorts } from './lists/inventory-search-listeners.ts';
import { type ReviewPagePorts, registerReviewPages } from './review/report-views.ts';
import { registerReviewAccept } from './review-actions/accept-action.ts';
import { registerReviewApproveLimit } from './review-actions/approve-limit-action.ts';
import { registerReviewClassify } from './review-actions/classify-action.ts';
import { type CorrectPorts, registerReviewCorrect } from './review-actions/correct-action.ts';
import { type CorrectPagePorts, registerReviewCorrectPage } from './review-actions/correct-page-action.ts';
import type { DecidePorts } from './review-actions/decide-action.ts';
import { createAdminShell, type ShellPorts } from './shell/admin-shell.ts';

/** All of it may be slow: the listeners acknowledge first, and go on in the background. */
export type AdminListenerPorts = ShellPorts &
  AdminCommandPorts &
  AllocationFormPorts &
  AllocationOpenPorts &
  ApprovalPorts &
  ChangeConfirmPorts &
  ReviewPagePorts &
  DecidePorts &
  CorrectPorts &
  CorrectPagePorts &
  SuggestPorts;

/** Everything that administrators do in Slack. */
export function registerAdminListeners(app: App, ports: AdminListenerPorts): void {
  const shell = createAdminShell(app, ports);
  registerAdminCommand(shell, ports);
  registerListButtons(shell, ports);
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
  registerReviewCorrect(shell, ports);
  registerReviewCorrectPage(shell, ports);
  registerReviewAccept(shell, ports);
  registerReviewClassify(shell, ports);
  registerReviewApproveLimit(shell, ports);
}

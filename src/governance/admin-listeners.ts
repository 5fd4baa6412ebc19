import type { App } from '@slack/bolt';
import {
  type AllocationFormPorts,
  type AllocationOpenPorts,
  registerAllocationCurrency,
  registerAllocationForm,
  registerAllocationOpen,
} from './allocations/allocation-form.ts';
import { type BulkPorts, registerBulk } from './bulk/bulk-action.ts';
import { type BulkButtonPorts, registerBulkButtons } from './bulk/bulk-buttons.ts';
import { type BulkConfirmPorts, registerBulkConfirm } from './bulk/bulk-confirm-action.ts';
import { type ClassifyManyPorts, registerReviewClassifyMany } from './bulk/classify-many-action.ts';
import { createBulkApprovals } from './bulk/slack-bulk-approval.ts';
import { registerPauseForms } from './channel-rules/pause-form.ts';
import { registerRulesForm } from './channel-rules/rules-form.ts';
import type { SettingPorts } from './channel-rules/slack-setting-change.ts';
import { type ApprovalPorts, registerApprovals } from './confirmation/approval-buttons.ts';
import { type ChangeConfirmPorts, registerChangeConfirm } from './confirmation/confirmation-modal.ts';
import { type RejectPorts, registerReject } from './confirmation/reject-form.ts';
import { registerLimitCurrency, registerLimitForm, registerSetLimit } from './limits/limit-form.ts';
import { registerStop } from './limits/stop-form.ts';
import { type AdminCommandPorts, registerAdminCommand } from './lists/admin-command.ts';
import { registerListButtons } from './lists/admin-list-listeners.ts';
import { registerExportButtons } from './lists/export-listeners.ts';
import { registerSearchOptions, registerSearchPick, type SuggestPorts } from './lists/inventory-search-listeners.ts';
import { type LimitAllPorts, registerLimitAll } from './lists/limit-all-action.ts';
import { registerReportExport } from './review/report-export-command.ts';
import { registerReviewAccept } from './review-actions/accept-action.ts';
import { registerReviewApproveLimit } from './review-actions/approve-limit-action.ts';
import { registerReviewClassify } from './review-actions/classify-action.ts';
import { type CorrectPorts, registerReviewCorrect } from './review-actions/correct-action.ts';
import type { DecidePorts } from './review-actions/decide-action.ts';
import { type OpenReportPorts, registerOpenReport } from './review-actions/open-report-action.ts';
import { registerReclassify } from './review-actions/reclassify-action.ts';
import { type ReviewPagePorts, registerReviewPages } from './review-actions/turn-page-action.ts';
import { createAdminShell, type ShellPorts, type TakeWaiting } from './shell/admin-shell.ts';

/** All of it may be slow: the listeners acknowledge first, and go on in the background. */
export type AdminListenerPorts = ShellPorts &
  AdminCommandPorts &
  AllocationFormPorts &
  AllocationOpenPorts &
  Omit<ApprovalPorts, 'bulk'> &
  BulkPorts &
  BulkButtonPorts &
  BulkConfirmPorts &
  ChangeConfirmPorts &
  Omit<RejectPorts, 'bulk'> &
  ReviewPagePorts &
  OpenReportPorts &
  DecidePorts &
  LimitAllPorts &
  ClassifyManyPorts &
  CorrectPorts &
  SettingPorts &
  SuggestPorts;

/** Everything that administrators do in Slack. */
export function registerAdminListeners(app: App, ports: AdminListenerPorts): TakeWaiting {
  const shell = createAdminShell(app, ports);
  const approving = { ...ports, bulk: createBulkApprovals(ports) };
  const takeWaiting = registerAdminCommand(shell, ports);
  registerListButtons(shell, ports);
  registerExportButtons(shell, ports);
  registerLimitAll(shell, ports);
  registerSetLimit(shell, ports);
  registerLimitCurrency(shell, ports);
  registerLimitForm(shell, ports);
  registerStop(shell, ports);
  registerAllocationOpen(shell, ports);
  registerAllocationCurrency(shell, ports);
  registerAllocationForm(shell, ports);
  registerChangeConfirm(shell, ports);
  registerApprovals(shell, approving);
  registerReject(shell, approving);
  registerSearchOptions(shell, ports);
  registerSearchPick(shell, ports);
  registerReviewPages(shell, ports);
  registerOpenReport(shell, ports);
  registerReportExport(shell, ports);
  registerReviewCorrect(shell, ports);
  registerBulk(shell, ports);
  registerBulkConfirm(shell, ports);
  registerBulkButtons(shell, ports);
  registerReviewAccept(shell, ports);
  registerReviewClassify(shell, ports);
  registerReviewClassifyMany(shell, ports);
  registerReclassify(shell, ports);
  registerReviewApproveLimit(shell, ports);
  registerRulesForm(shell, ports);
  registerPauseForms(shell, ports);
  return takeWaiting;
}

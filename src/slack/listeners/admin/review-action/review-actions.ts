import { type AcceptPorts, registerReviewAccept } from '../../../../governance/review-actions/accept-action.ts';
import { registerReviewApproveLimit } from '../../../../governance/review-actions/approve-limit-action.ts';
import { type CorrectPorts, registerReviewCorrect } from '../../../../governance/review-actions/correct-action.ts';
import {
  type CorrectPagePorts,
  registerReviewCorrectPage,
} from '../../../../governance/review-actions/correct-page-action.ts';
import type { AdminShell } from '../../../../governance/shell/admin-shell.ts';
import { registerReviewClassify } from './classify.ts';

export type ReviewActionPorts = AcceptPorts & CorrectPorts & CorrectPagePorts;

/** The buttons of a review's report, and the forms behind them. */
export function registerReviewActions(shell: AdminShell, ports: ReviewActionPorts): void {
  registerReviewCorrect(shell, ports);
  registerReviewCorrectPage(shell, ports);
  registerReviewAccept(shell, ports);
  registerReviewClassify(shell, ports);
  registerReviewApproveLimit(shell, ports);
}

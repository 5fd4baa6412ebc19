import type { AdminShell } from '../admin-shell.ts';
import { type AcceptPorts, registerReviewAccept } from './accept.ts';
import { registerReviewApproveLimit } from './approve.ts';
import { registerReviewClassify } from './classify.ts';
import { type CorrectPorts, registerReviewCorrect } from './correct.ts';
import { type CorrectPagePorts, registerReviewCorrectPage } from './page.ts';

export type ReviewActionPorts = AcceptPorts & CorrectPorts & CorrectPagePorts;

/** The buttons of a review's report, and the forms behind them. */
export function registerReviewActions(shell: AdminShell, ports: ReviewActionPorts): void {
  registerReviewCorrect(shell, ports);
  registerReviewCorrectPage(shell, ports);
  registerReviewAccept(shell, ports);
  registerReviewClassify(shell, ports);
  registerReviewApproveLimit(shell, ports);
}

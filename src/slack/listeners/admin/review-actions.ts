import type { App } from '@slack/bolt';
import type { AdminPorts } from './admin-ports.ts';
import { registerReviewAccept } from './review-action-accept.ts';
import { registerReviewApproveLimit } from './review-action-approve.ts';
import { registerReviewClassify } from './review-action-classify.ts';
import { registerReviewCorrect } from './review-action-correct.ts';
import { registerReviewCorrectPage } from './review-action-page.ts';

/** The buttons of a review's report, and the forms behind them. */
export function registerReviewActions(app: App, ports: AdminPorts): void {
  registerReviewCorrect(app, ports);
  registerReviewCorrectPage(app, ports);
  registerReviewAccept(app, ports);
  registerReviewClassify(app, ports);
  registerReviewApproveLimit(app, ports);
}

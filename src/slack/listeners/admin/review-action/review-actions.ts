import type { App } from '@slack/bolt';
import type { AdminPorts } from '../admin-ports.ts';
import { registerReviewAccept } from './accept.ts';
import { registerReviewApproveLimit } from './approve.ts';
import { registerReviewClassify } from './classify.ts';
import { registerReviewCorrect } from './correct.ts';
import { registerReviewCorrectPage } from './page.ts';

/** The buttons of a review's report, and the forms behind them. */
export function registerReviewActions(app: App, ports: AdminPorts): void {
  registerReviewCorrect(app, ports);
  registerReviewCorrectPage(app, ports);
  registerReviewAccept(app, ports);
  registerReviewClassify(app, ports);
  registerReviewApproveLimit(app, ports);
}

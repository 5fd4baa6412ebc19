import type { App, BlockButtonAction } from '@slack/bolt';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { parseReviewPlace } from '../../../views/admin/review/place.ts';
import { buildReport, REVIEW_NEXT_ACTION, REVIEW_PREVIOUS_ACTION } from '../../../views/admin/review/report.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { admit } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';

const OUT_OF_DATE =
  'This report is older than a day, and is not kept any more. Give the command again: `/assistant-admin review`.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

/** *Previous* and *Next* of a report: the page takes the place of the one before. */
export function registerReviewPages(app: App, ports: AdminPorts): void {
  for (const actionId of [REVIEW_PREVIOUS_ACTION, REVIEW_NEXT_ACTION]) {
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
      await ack();
      const say = createSay(body, ports);
      startSaying(say, ports, async () => {
        const caller = await admit({ body, user: body.user.id }, ports);
        const wanted = parseReviewPlace(body.actions[0]?.value ?? '');
        const found = wanted && (await ports.reports.read(wanted.report, wanted.page));
        if (!wanted || !found) return void (await say(buildAdminText(OUT_OF_DATE)));
        const shown = { page: found.page, number: wanted.page };
        const content = buildReport({ head: found.head, shown }, { timeZone: await ports.timeZone(caller) });
        if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
      });
    });
  }
}

import type { App, BlockButtonAction } from '@slack/bolt';
import type { Caller } from '../../../../governance/is-admin.ts';
import { toCallCode } from '../../../slack-errors.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { parseReviewPlace } from '../../../views/admin/review/place.ts';
import { buildReport, REVIEW_NEXT_ACTION, REVIEW_PREVIOUS_ACTION } from '../../../views/admin/review/report.ts';
import type { Content } from '../../../views/content.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { createSay, startSaying } from '../say.ts';

const OUT_OF_DATE =
  'This report is older than a day, and is not kept any more. Give the command again: `/assistant-admin review`.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

/** *Previous* and *Next* of a report: the page takes the place of the one before. */
export function registerReviewPages(app: App, ports: AdminPorts): void {
  for (const actionId of [REVIEW_PREVIOUS_ACTION, REVIEW_NEXT_ACTION]) {
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
      await ack();
      const say = createSay(body.response_url, ports);
      startSaying(say, ports, async () => {
        const caller = await toCaller({ body, user: body.user.id }, ports);
        await requireAdmin(caller, ports);
        const wanted = parseReviewPlace(body.actions[0]?.value ?? '');
        const found = wanted && (await ports.reports.read(wanted.report, wanted.page));
        if (!wanted || !found) return void (await say(buildAdminText(OUT_OF_DATE)));
        const shown = { page: found.page, number: wanted.page };
        const content = buildReport({ head: found.head, shown }, { timeZone: await ports.timeZone(caller) });
        const place = { channel: body.channel?.id ?? '', ts: body.message?.ts ?? '' };
        if (!(await edit({ caller, place, content }, ports))) await say(buildAdminText(NOT_TURNED));
      });
    });
  }
}

type Edit = { caller: Caller; place: { channel: string; ts: string }; content: Content };

/** False: the page stays as it was. */
async function edit({ caller, place, content }: Edit, { call, findInstallation, log }: AdminPorts): Promise<boolean> {
  try {
    const { botToken } = await findInstallation(caller.workspace);
    await call('chat.update', botToken, { ...place, ...content });
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'page not turned');
    return false;
  }
}

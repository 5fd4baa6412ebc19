// *Previous* and *Next* of a report: the new page replaces the one that is shown.
import type { Reports } from '../review/report.ts';
import { buildReport } from '../review/report-views.ts';
import { NEXT_PAGE_ACTION, PREVIOUS_PAGE_ACTION, parseReviewPlace } from '../review/review-buttons.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { SayPorts, TimeZones } from '../shell/respond.ts';

export type ReviewPagePorts = SayPorts & TimeZones & { reports: Reports };

const OUT_OF_DATE =
  'This report is not kept any more, so its pages cannot be turned. Give the command again: `/assistant-admin review`.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

export function registerReviewPages(shell: AdminShell, ports: ReviewPagePorts): void {
  const turnPage = async ({ value, body, caller, say }: Clicked) => {
    const wanted = parseReviewPlace(value);
    const found = wanted && (await ports.reports.read(wanted.report, wanted.page));
    if (!found) return void (await say(buildAdminText(OUT_OF_DATE)));
    const shown = { page: found.page, number: wanted.page };
    const content = buildReport({ head: found.head, shown }, { timeZone: await ports.timeZone(caller) });
    if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
  };
  for (const actionId of [PREVIOUS_PAGE_ACTION, NEXT_PAGE_ACTION]) shell.onClick(actionId, turnPage);
}

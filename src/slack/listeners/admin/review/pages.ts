import type { Reports } from '../../../../governance/review/report.ts';
import type { AdminShell, Clicked } from '../../../../governance/shell/admin-shell.ts';
import type { SayPorts, TimeZones } from '../../../../governance/shell/respond.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { parseReviewPlace } from '../../../views/admin/review/place.ts';
import { buildReport, REVIEW_NEXT_ACTION, REVIEW_PREVIOUS_ACTION } from '../../../views/admin/review/report.ts';

const OUT_OF_DATE =
  'This report is older than a day, and is not kept any more. Give the command again: `/assistant-admin review`.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

export type ReviewPagePorts = SayPorts & TimeZones & { reports: Reports };

/** *Previous* and *Next* of a report: the page takes the place of the one before. */
export function registerReviewPages(shell: AdminShell, ports: ReviewPagePorts): void {
  const turnPage = async ({ value, body, caller, say }: Clicked) => {
    const wanted = parseReviewPlace(value);
    const found = wanted && (await ports.reports.read(wanted.report, wanted.page));
    if (!wanted || !found) return void (await say(buildAdminText(OUT_OF_DATE)));
    const shown = { page: found.page, number: wanted.page };
    const content = buildReport({ head: found.head, shown }, { timeZone: await ports.timeZone(caller) });
    if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
  };
  for (const actionId of [REVIEW_PREVIOUS_ACTION, REVIEW_NEXT_ACTION]) shell.onClick(actionId, turnPage);
}

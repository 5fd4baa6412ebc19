// `/assistant-admin review export csv`, and the button below a report: its findings as a file.
import { type SheetPorts, sendSheet, toExportAction } from '../exports/slack-export.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Reports } from './report.ts';
import { readReportSheet } from './report-sheet.ts';
import { parseReviewPlace, REPORT_EXPORT } from './review-buttons.ts';

export type ReportExportPorts = SheetPorts & { reports: Reports };

const NO_REPORT =
  'There is no report of yours to export: a report is kept for a day, that of the scheduled review longer. Give `/assistant-admin review` first.';

const NOT_COMPLETE = 'It is not complete: the report in our direct messages says what is missing.';

/** The latest report of whoever asks. */
export async function exportLatestReport(asking: Asking, ports: ReportExportPorts): Promise<void> {
  await exportReport(await ports.reports.latest(asking.caller), asking, ports);
}

export function registerReportExport(shell: AdminShell, ports: ReportExportPorts): void {
  shell.onClick(toExportAction(REPORT_EXPORT), ({ value, ...asking }: Clicked) =>
    exportReport(parseReviewPlace(value)?.report, asking, ports),
  );
}

async function exportReport(
  id: string | undefined,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: ReportExportPorts,
): Promise<void> {
  const sheet = id && (await readReportSheet(id, ports.reports));
  if (!sheet) return void (await say(buildAdminText(NO_REPORT)));
  const gaps = sheet.gaps.length === 0 ? [] : [NOT_COMPLETE];
  await sendSheet({ ...sheet, gaps }, { caller, say }, ports);
}

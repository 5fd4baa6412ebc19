// `/assistant-admin review export csv` or `json`, and the buttons below a report: its findings as a file.
import type { ExportFormat } from '../exports/sheet.ts';
import { listExportActions, type SheetPorts, sendSheet } from '../exports/slack-export.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Reports } from './report.ts';
import { readReportSheet } from './report-sheet.ts';
import { parseReviewPlace, REPORT_EXPORT } from './review-buttons.ts';

export type ReportExportPorts = SheetPorts & { reports: Reports };

const NO_REPORT =
  'There is no report of yours to export: a report is kept for a day, that of the scheduled review longer. Give `/assistant-admin review` first.';

const NOT_COMPLETE =
  'It is not complete: `gaps` in the JSON file, and the report in our direct messages, say what is missing.';

/** The latest report of whoever asks. */
export async function exportLatestReport(
  format: ExportFormat,
  asking: Asking,
  ports: ReportExportPorts,
): Promise<void> {
  await exportReport(await ports.reports.latest(asking.caller), format, asking, ports);
}

export function registerReportExport(shell: AdminShell, ports: ReportExportPorts): void {
  for (const { actionId, format } of listExportActions(REPORT_EXPORT)) {
    shell.onClick(actionId, ({ value, ...asking }: Clicked) =>
      exportReport(parseReviewPlace(value)?.report, format, asking, ports),
    );
  }
}

async function exportReport(
  id: string | undefined,
  format: ExportFormat,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: ReportExportPorts,
): Promise<void> {
  const sheet = id && (await readReportSheet(id, ports.reports));
  if (!sheet) return void (await say(buildAdminText(NO_REPORT)));
  const warnings = sheet.gaps.length === 0 ? [] : [NOT_COMPLETE];
  await sendSheet({ sheet, warnings }, format, { caller, say }, ports);
}

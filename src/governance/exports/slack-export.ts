// `… export csv` and `… export json`, and the buttons that do the same: the file comes in the admin's direct messages.
import type { Button } from '@slack/types';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Log } from '../../log.ts';
import type { SendFile } from '../../slack/send-file.ts';
import { buildPlainText, type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import { isSlackError, readRefusal, toCallCode } from '../../slack/web/slack-errors.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Say } from '../shell/respond.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type ExportFormat, renderSheet, type Sheet, toFileName } from './sheet.ts';

export type SheetPorts = { sendFile: SendFile; log: Log };

const EXPORT = /(?:^|\s+)export\s+(csv|json)\s*$/i;

/** What is typed before `export csv` or `export json`; undefined where it does not end so. */
export function parseExport(typed: string): { rest: string; format: ExportFormat } | undefined {
  const match = EXPORT.exec(typed);
  if (!match) return undefined;
  return { rest: typed.slice(0, match.index), format: match[1]?.toLowerCase() === 'json' ? 'json' : 'csv' };
}

const FORMATS = ['csv', 'json'] as const satisfies ExportFormat[];

const BUTTONS: Record<ExportFormat, string> = { csv: 'Export CSV', json: 'Export JSON' };

/** `prefix`: of the action ids, which end with `_export_csv` and `_export_json`. They are written into messages: never rename. */
export function buildExportButtons(prefix: string, value: string): Button[] {
  return FORMATS.map((format) => ({
    type: 'button',
    action_id: toActionId(prefix, format),
    text: buildPlainText(BUTTONS[format]),
    value,
  }));
}

/** The action ids of its buttons. */
export function listExportActions(prefix: string): { actionId: string; format: ExportFormat }[] {
  return FORMATS.map((format) => ({ actionId: toActionId(prefix, format), format }));
}

function toActionId(prefix: string, format: ExportFormat): string {
  return `${prefix}_export_${format}`;
}

const NOT_ALLOWED =
  'Nothing was sent: this app may not send files here yet. Whoever runs it grants the scope `files:write`: paste the new manifest in Slack, save it, and install the app again.';

const REFUSED =
  'Nothing was sent: Slack did not take the file. Perhaps this workspace does not allow files of this kind: ask whoever administers it.';

const IN_DOUBT =
  'Slack did not answer whether the file arrived. Look in our direct messages, and give the command again if it is not there.';

const NOT_SENT =
  'Nothing was sent, because Slack does not answer at the moment. Give the command again in a few minutes.';

/** `warnings`: what its gaps mean, in mrkdwn. */
export type ExportedSheet = { sheet: Sheet; warnings: readonly string[] };

/** Sends it, and says what became of it. Rejects only with faults of ours. */
export async function sendSheet(
  { sheet, warnings }: ExportedSheet,
  format: ExportFormat,
  { caller, say }: { caller: Caller; say: Say },
  { sendFile, log }: SheetPorts,
): Promise<void> {
  const name = toFileName(sheet, format);
  const notes = warnings.map((warning) => `:warning: ${warning}`);
  const comment = [`*Export of ${toMrkdwnLine(sheet.list, 40)}*: ${describeRows(sheet)}`, ...notes].join('\n');
  try {
    await sendFile(caller, { name, content: renderSheet(sheet, format), comment });
    await say(buildExported({ sheet, warnings }, format));
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'export not sent');
    await say(buildAdminText(describeNotSent(error)));
  }
}

/** Says that the file was sent. */
export function buildExported({ sheet, warnings }: ExportedSheet, format: ExportFormat): Content {
  const sent = `I sent it to you in our direct messages: ${toFileName(sheet, format)}, ${describeRows(sheet)}.`;
  return buildAdminText([sent, ...warnings.map((warning) => `:warning: ${warning}`)].join('\n'));
}

function describeRows({ rows }: Sheet): string {
  return `${formatCredits(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
}

/** Why a file was not sent, and what to do: mrkdwn. */
export function describeNotSent(error: unknown): string {
  if (isSlackError(error, 'missing_scope')) return NOT_ALLOWED;
  if (error instanceof OutcomeUnknownError) return IN_DOUBT;
  return readRefusal(error) === undefined ? NOT_SENT : REFUSED;
}

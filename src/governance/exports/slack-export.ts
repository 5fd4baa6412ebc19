// Sends a file to the admin's direct messages, for `… csv` and other exports.
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Log } from '../../log.ts';
import type { SendFile } from '../../slack/files.ts';
import { type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import { isSlackError, readRefusal, toCallCode } from '../../slack/web/slack-errors.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatCount } from '../shell/numbers.ts';
import type { Say } from '../shell/respond.ts';
import { renderCsv, type Sheet, toFileName } from './sheet.ts';

type SheetServices = { sendFile: SendFile; log: Log };

const NOT_ALLOWED =
  'Nothing was sent: this app may not send files here yet. Whoever runs it grants the scope `files:write`: paste the new manifest in Slack, save it, and install the app again.';

const REFUSED =
  'Nothing was sent: Slack did not take the file. Perhaps this workspace does not allow files of this kind: ask whoever administers it.';

const IN_DOUBT =
  'Slack did not answer whether the file arrived. Look in our direct messages, and give the command again if it is not there.';

const NOT_SENT =
  'Nothing was sent, because Slack does not answer at the moment. Give the command again in a few minutes.';

type Receiver = { caller: Caller; say: Say };

/** Sends the sheet, and says whether it arrived. Its gaps are sentences in mrkdwn. Rejects only on a bug. */
export async function sendSheet<Row>(sheet: Sheet<Row>, receiver: Receiver, services: SheetServices): Promise<void> {
  const name = toFileName(sheet);
  const comment = [`*Export of ${toMrkdwnLine(sheet.list, 40)}*: ${describeRows(sheet)}`, ...warn(sheet)].join('\n');
  await sendFileTo(receiver, { name, content: await renderCsv(sheet), comment }, buildExported(sheet), services);
}

/** The same with any file. `sent`: the message if it arrived. */
export async function sendFileTo(
  { caller, say }: Receiver,
  file: Parameters<SendFile>[1],
  sent: Content,
  { sendFile, log }: SheetServices,
): Promise<void> {
  try {
    await sendFile(caller, file);
    await say(sent);
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'export not sent');
    await say(buildAdminText(describeNotSent(error)));
  }
}

/** Says that the file was sent. */
export function buildExported<Row>(sheet: Sheet<Row>): Content {
  const sent = `I sent it to you in our direct messages: ${toFileName(sheet)}, ${describeRows(sheet)}.`;
  return buildAdminText([sent, ...warn(sheet)].join('\n'));
}

function warn({ gaps }: { gaps: readonly string[] }): string[] {
  return gaps.map((gap) => `:warning: ${gap}`);
}

function describeRows({ rows }: { rows: readonly unknown[] }): string {
  return formatCount(rows.length, 'row');
}

/** Why a file was not sent, and what to do: mrkdwn. */
function describeNotSent(error: unknown): string {
  if (isSlackError(error, 'missing_scope')) return NOT_ALLOWED;
  if (error instanceof OutcomeUnknownError) return IN_DOUBT;
  return readRefusal(error) === undefined ? NOT_SENT : REFUSED;
}

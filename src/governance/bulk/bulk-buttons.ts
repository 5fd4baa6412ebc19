// The buttons of the messages that tell how a bulk change goes, and how it ended.

import { BULK_EXPORT } from '../confirmation/approval-views.ts';
import { type SheetPorts, sendSheet, toExportAction } from '../exports/slack-export.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { SayPorts } from '../shell/respond.ts';
import { isOf } from './bulk-confirm-action.ts';
import { BULK_PAGE_ACTIONS, BULK_STOP_ACTION, buildBulkReport, parseBulkPage } from './bulk-messages.ts';
import { type BulkChange, type BulkRecordPorts, createBulkRecords } from './bulk-records.ts';
import { buildBulkSheet } from './bulk-sheet.ts';

export type BulkButtonPorts = BulkRecordPorts & SayPorts & SheetPorts;

const GONE = 'This is older than a week, and is not kept any more. `/assistant-admin audit` lists what was changed.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

const HAS_ENDED = 'This bulk change has ended: there is nothing to stop. Its report is in our direct messages.';

export function registerBulkButtons(shell: AdminShell, ports: BulkButtonPorts): void {
  shell.onClick(BULK_STOP_ACTION, (clicked) => stop(clicked, ports), { isFresh: true });
  for (const actionId of BULK_PAGE_ACTIONS) shell.onClick(actionId, (clicked) => turnPage(clicked, ports));
  shell.onClick(toExportAction(BULK_EXPORT), async (clicked) => {
    const shown = await read(clicked.value, ports);
    if (shown === undefined || !mayRead(shown.bulk, clicked.caller))
      return void (await clicked.say(buildAdminText(GONE)));
    await sendSheet(buildBulkSheet(shown, ports.now()), clicked, ports);
  });
}

async function stop({ value, caller, say }: Clicked, ports: BulkButtonPorts): Promise<void> {
  const records = createBulkRecords(ports);
  const bulk = await records.get(value);
  if (bulk === undefined || bulk.ended !== undefined || !isOf(bulk, caller)) {
    return void (await say(buildAdminText(HAS_ENDED)));
  }
  await records.stop(bulk.id, caller.user);
}

async function turnPage(clicked: Clicked, ports: BulkButtonPorts): Promise<void> {
  const { value, body, caller, say } = clicked;
  const wanted = parseBulkPage(value);
  const shown = wanted && (await read(wanted.bulk, ports));
  if (wanted === undefined || shown === undefined || !isOf(shown.bulk, caller))
    return void (await say(buildAdminText(GONE)));
  const content = buildBulkReport(shown, wanted.page);
  if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
}

/** Before it is approved, too: its approver sees all of it. */
function mayRead(bulk: BulkChange, caller: Caller): boolean {
  return isOf(bulk, caller) || (bulk.by.team === caller.team && bulk.approver === caller.user);
}

/** Undefined where it is not kept any more. */
async function read(id: string, ports: BulkButtonPorts) {
  const records = createBulkRecords(ports);
  const bulk = await records.get(id);
  if (bulk === undefined) return undefined;
  const [items, ends = []] = await Promise.all([records.readItems(bulk), records.readEnds(bulk.id)]);
  return { bulk, items, ends };
}

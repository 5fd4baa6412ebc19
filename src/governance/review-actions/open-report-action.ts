// *Open the report* under the post of a scheduled review: it comes to whoever presses it, and what they change with it they
// change with their own account.
import { readSource } from '../../slack/installations/request-source.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { Reports } from '../review/report.ts';
import { buildReport } from '../review/report-views.ts';
import { OPEN_REPORT_ACTION, parseReviewPlace } from '../review/review-buttons.ts';
import { type DirectPorts, openDirectMessage } from '../review/review-direct-message.ts';
import { NotAdminError } from '../shell/access.ts';
import type { AdminRule, Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import type { TimeZones } from '../shell/respond.ts';

export type OpenReportPorts = DirectPorts &
  FailurePorts &
  TimeZones & {
    reports: Pick<Reports, 'readHead' | 'read'>;
    /** ADMIN_USERS. */
    rules: readonly AdminRule[];
  };

const OPENED = 'The report is in our direct messages. What you change there is changed with your own account.';

const NOT_KEPT =
  'This report is not kept any more, so there is nothing to open. `/assistant-admin review` makes a new one.';

const NOT_SENT =
  'I could not write to you in our direct messages, so the report was not opened. Try again in a minute.';

export function registerOpenReport(shell: AdminShell, ports: OpenReportPorts): void {
  const toFailure = (error: unknown, body: object) => {
    const isOther = error instanceof NotAdminError;
    return isOther ? buildMayNotOpen(body, ports.rules) : toFailureMessage(error, ports).content;
  };
  shell.onClick(OPEN_REPORT_ACTION, (clicked) => open(clicked, ports), { toFailure });
}

async function open({ value, caller, say }: Clicked, ports: OpenReportPorts): Promise<void> {
  const report = parseReviewPlace(value)?.report;
  const head = report === undefined ? undefined : await ports.reports.readHead(report);
  if (head === undefined) return void (await say(buildAdminText(NOT_KEPT)));
  const first = head.pageCount === 0 ? undefined : await ports.reports.read(head.id, 0);
  const shown = first && { page: first.page, number: 0 };
  const content = buildReport({ head, shown }, { timeZone: await ports.timeZone(caller) });
  const isSent = await send(content, caller, ports);
  await say(buildAdminText(isSent ? OPENED : NOT_SENT));
}

async function send(content: Content, caller: Caller, ports: OpenReportPorts): Promise<boolean> {
  try {
    const direct = await openDirectMessage(caller, ports);
    await direct.post(content);
    return true;
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'report not opened');
    return false;
  }
}

const MAX_NAMED = 10;

/** Names the administrators of the clicker's own team. `body`: what Slack sent of the click; `rules`: ADMIN_USERS. */
export function buildMayNotOpen(body: object, rules: readonly AdminRule[]): Content {
  const { workspace, enterprise } = readSource(body);
  const here = rules.filter(({ team }) => team === undefined || team === workspace || team === enterprise);
  const named = [...new Set(here.map(describeRule))].slice(0, MAX_NAMED);
  const who = named.length === 0 ? '' : ` Ask one of them: ${named.join(', ')}.`;
  return buildAdminText(
    `Only administrators of this app can open the report, and you are not one of them. Nothing was opened.${who} If you should be one, ask whoever runs this app.`,
  );
}

function describeRule(rule: AdminRule): string {
  if (rule.kind === 'user') return `<@${rule.user}>`;
  return rule.kind === 'group' ? `<!subteam^${rule.group}>` : 'the administrators of this workspace';
}

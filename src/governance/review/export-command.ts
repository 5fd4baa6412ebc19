// `/assistant-admin review export`: the register with the decisions made in Slack, as a file.
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { describeNotSent, type SheetPorts } from '../exports/slack-export.ts';
import { type ExportedAdditions, exportRegister, findExported } from '../register/export-register.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { ApprovedSources } from './approved-state.ts';
import { readApprovedOrSay } from './approved-views.ts';
import { formatCount } from './finding-words.ts';

export type ExportPorts = ApprovedSources & SendPorts;

type SendPorts = SheetPorts & { now: () => number };

const NOTHING =
  'There is nothing to export: nothing that was decided in Slack adds anything to the file of the register.';

const SENT = 'I sent it to you in our direct messages.';

/** `/assistant-admin review export` */
export async function exportApproved({ caller, say }: Asking, ports: ExportPorts): Promise<void> {
  const approved = await readApprovedOrSay({ say }, ports);
  if (approved === undefined) return;
  const { count, ...additions } = findExported(approved.own, approved.records, ports.now());
  if (count === 0) return void (await say(buildAdminText(NOTHING)));
  const wanted = { name: 'register', file: approved.text, additions, comment: describeExport(count) };
  await writeAndSend(wanted, { caller, say }, ports);
}

/** `comment`: above the file, in mrkdwn. */
export type WantedText = { name: string; file: string; additions: ExportedAdditions; comment: string };

/** Sends the register with these additions as a file in direct messages; or says why it cannot. */
export async function writeAndSend(
  { name, file, additions, comment }: WantedText,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: SendPorts,
): Promise<void> {
  const content = exportRegister(file, additions);
  const day = new Date(ports.now()).toISOString().slice(0, 10);
  try {
    await ports.sendFile(caller, { name: `${name}-${day}.yaml`, content, comment });
    await say(buildAdminText(SENT));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'register not exported');
    await say(buildAdminText(describeNotSent(error)));
  }
}

/** What is said above the file: mrkdwn. */
export function describeExport(decisions: number): string {
  const made = formatCount(decisions, 'decision');
  return `*The register with ${made} made in Slack*: all of it. Look at what changed before you put it into the file.\nThis app never writes the file itself.`;
}

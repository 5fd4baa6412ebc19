// `/assistant-admin review export`: the register with the decisions made in Slack, as a file; as text in messages, to be
// copied, where this app may not send files.
import type { RichTextBlock } from '@slack/types';
import { BLOCK_COST, countCharacters, MESSAGE_BUDGET } from '../../slack/text-out/message-budget.ts';
import type { Content } from '../../slack/views/content.ts';
import { RECOMMENDED_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { isSlackError, toCallCode } from '../../slack/web/slack-errors.ts';
import { describeNotSent, type SheetPorts } from '../exports/slack-export.ts';
import { type ExportedAdditions, findExported } from '../register/export-register.ts';
import { toIdKey } from '../register/register.ts';
import { RegisterWorkError, runRegisterWork } from '../register/register-in-worker.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { ApprovedSources } from './approved-state.ts';
import { readApprovedOrSay } from './approved-views.ts';
import { formatCount } from './finding-words.ts';
import { type DirectPorts, openDirectMessage } from './review-direct-message.ts';

export type ExportPorts = ApprovedSources & SendPorts;

type SendPorts = DirectPorts & SheetPorts & { now: () => number };

const NOTHING =
  'There is nothing to export: nothing that was decided in Slack adds anything to the file of the register.';

const SENT = 'I sent it to you in our direct messages.';

const AS_MESSAGES = `${SENT} It comes as a file once whoever runs this app grants the scope \`files:write\`: paste the new manifest in Slack, save it, and install the app again.`;

const NOT_SENT =
  'I could not send all of it in our direct messages. Nothing was changed; give the command again in a few minutes.';

const NOT_WRITTEN =
  'This app could not write out the register: it took too long, or too much memory. Nothing was changed. Whoever runs this app finds more in its log.';

/** Leaves room for the words around a part. All are counted as Slack does. */
const PART_LENGTH = RECOMMENDED_TEXT_LENGTH - 200;
const MAX_WHOLE_LENGTH = 12 * PART_LENGTH;
export const MAX_ENTRIES_LENGTH = 30 * PART_LENGTH;

const MAX_LINE_LENGTH = MESSAGE_BUDGET.characters - BLOCK_COST;

/** `/assistant-admin review export` */
export async function exportApproved({ caller, say }: Asking, ports: ExportPorts): Promise<void> {
  const approved = await readApprovedOrSay({ say }, ports);
  if (approved === undefined) return;
  const { count: decisions, ...additions } = findExported(approved.own, approved.records, ports.now());
  if (decisions === 0) return void (await say(buildAdminText(NOTHING)));
  const wanted = { name: 'register', file: approved.text, additions, maxLength: MAX_WHOLE_LENGTH };
  await writeAndSend(wanted, { caller, say }, ports, (sent) =>
    describeExport(sent.what, { decisions, parts: sent.parts }),
  );
}

/** `maxLength`: of the whole text in messages; of one that is longer, only the entries that the additions are in are sent. */
export type WantedText = { name: string; file: string; additions: ExportedAdditions; maxLength: number };

/** Sends the register with these additions in direct messages, announced by `describe`, in mrkdwn; or says why it cannot. */
export async function writeAndSend(
  wanted: WantedText,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: SendPorts,
  describe: DescribeSent,
): Promise<void> {
  const { file, additions } = wanted;
  try {
    const content = await runRegisterWork({ kind: 'export', text: file, additions });
    const name = `${wanted.name}-${new Date(ports.now()).toISOString().slice(0, 10)}.yaml`;
    const sent = await sendFile(
      { name, content, comment: describe({ what: { kind: 'file' }, parts: 0 }) },
      caller,
      ports,
    );
    if (sent !== 'not_allowed') return void (await say(buildAdminText(sent)));
    await sendMessages(await cut(content, wanted), { caller, say }, ports, describe);
  } catch (error) {
    if (!(error instanceof RegisterWorkError)) throw error;
    ports.log.error({ err: error }, 'register not written out');
    await say(buildAdminText(NOT_WRITTEN));
  }
}

/** Returns what is to be said. */
async function sendFile(
  file: Parameters<SheetPorts['sendFile']>[1],
  caller: Asking['caller'],
  ports: SheetPorts,
): Promise<'not_allowed' | (string & {})> {
  try {
    await ports.sendFile(caller, file);
    return SENT;
  } catch (error) {
    if (isSlackError(error, 'missing_scope')) return 'not_allowed';
    ports.log.warn({ code: toCallCode(error) }, 'register not exported');
    return describeNotSent(error);
  }
}

async function sendMessages(
  { what, yaml }: { what: ExportKind; yaml: string },
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: DirectPorts,
  describe: DescribeSent,
): Promise<void> {
  const parts = toParts(yaml);
  try {
    const direct = await openDirectMessage(caller, ports);
    await direct.post(buildAdminText(describe({ what, parts: parts.length })));
    for (const [index, part] of parts.entries()) {
      await direct.post(buildExportPart(part, { number: index + 1, parts: parts.length }));
    }
    await say(buildAdminText(AS_MESSAGES));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'register not exported');
    await say(buildAdminText(NOT_SENT));
  }
}

/** What of it fits into messages. */
async function cut(text: string, { additions, maxLength }: WantedText): Promise<{ what: ExportKind; yaml: string }> {
  if (countCharacters(text) <= maxLength && isSendable(text)) return { what: { kind: 'whole' }, yaml: text };
  const { environments, agents, exceptions, drafts = [] } = additions;
  const records = [...environments.map(({ record }) => record), ...agents, ...exceptions];
  const ids = [...records.map(({ environmentId }) => environmentId), ...drafts.map(({ id }) => id)];
  const environmentKeys = new Set(ids.map((id) => toIdKey(id)));
  const all = await runRegisterWork({ kind: 'cut', text, environmentKeys });
  const entries = all.filter(isSendable);
  let [length, count] = [0, 0];
  for (const more of entries.map(countCharacters)) {
    if (count > 0 && length + more > MAX_ENTRIES_LENGTH) break;
    length += more;
    count += 1;
  }
  const what = {
    kind: 'entries',
    count,
    left: entries.length - count,
    tooLong: all.length - entries.length,
  } as const;
  return { what, yaml: ['environments:', ...entries.slice(0, count)].join('\n') };
}

/** A line is never cut: copied from two messages, it would not be the same. */
function isSendable(text: string): boolean {
  return text.split('\n').every((line) => countCharacters(line) <= MAX_LINE_LENGTH);
}

/** Cut between lines; one that is longer than a part makes up one of its own. */
export function toParts(yaml: string): string[] {
  const parts: string[] = [];
  let [part, length] = ['', 0];
  for (const line of yaml.split('\n')) {
    const more = 1 + countCharacters(line);
    if (part !== '' && length + more > PART_LENGTH) {
      parts.push(part);
      [part, length] = ['', 0];
    }
    length += more;
    part = part === '' ? line : `${part}\n${line}`;
  }
  return part.trim() === '' ? parts : [...parts, part];
}

type DescribeSent = (sent: { what: ExportKind; parts: number }) => string;

export type ExportKind =
  /** All of the register, as a file. */
  | { kind: 'file' }
  /** All of it, in messages. */
  | { kind: 'whole' }
  /** Only the changed entries. `left`: how many did not fit. `tooLong`: how many have a line too long for a message. */
  | { kind: 'entries'; count: number; left: number; tooLong: number };

/** What is said above the file, or before the parts: mrkdwn. */
export function describeExport(what: ExportKind, { decisions, parts }: { decisions: number; parts: number }): string {
  const made = `*The register with ${formatCount(decisions, 'decision')} made in Slack*`;
  const where = describeParts(parts);
  const lines =
    what.kind !== 'entries'
      ? [`${made}: all of it, ${where}. Look at what changed before you put it into the file.`]
      : [
          `${made} is too long for Slack. ${formatCount(what.count, 'entry', 'entries')} of it ${where}: put each under \`environments\` into the file, in the place of the entry with the same \`id\` where there is one.`,
          ...(what.left === 0
            ? []
            : [
                `:warning: ${formatCount(what.left, 'entry', 'entries')} more did not fit. Put these into the file first; what it says by then about environments and limits is not exported again.`,
              ]),
          ...(what.tooLong === 0
            ? []
            : [
                `:warning: ${formatCount(what.tooLong, 'entry', 'entries')} cannot be sent, because a line in it is longer than a message may be. Break up the long comments in the file, and export again.`,
              ]),
        ];
  return [...lines, 'This app never writes the file itself.'].join('\n');
}

/** Where the text is, after what announces it. `parts`: 0 for a file. */
export function describeParts(parts: number): string {
  if (parts === 0) return 'in this file';
  return parts === 1 ? 'in the message below' : `in the ${formatCount(parts, 'message')} below, one after the other`;
}

/** Literal: nothing in it is read as markup, and it is copied as it is. */
export function buildExportPart(text: string, { number, parts }: { number: number; parts: number }): Content {
  const block: RichTextBlock = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }], border: 0 }],
  };
  return { text: `Part ${number} of ${parts}`, blocks: [block] };
}

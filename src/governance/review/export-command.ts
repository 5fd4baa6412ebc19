import { BLOCK_COST, countCharacters, MESSAGE_BUDGET } from '../../slack/text-out/message-budget.ts';
import { buildAdminText } from '../../slack/views/admin/admin-messages.ts';
import { buildExportIntro, buildExportPart, type ExportKind } from '../../slack/views/admin/review/export.ts';
import { buildRegisterProblem } from '../../slack/views/admin/review/register.ts';
import { RECOMMENDED_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { doAside, RegisterWorkError } from '../register/do-aside.ts';
import { type ExportedAdditions, findExported } from '../register/export-register.ts';
import { toIdKey } from '../register/register.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { type ApprovedSources, readApproved } from './approved-state.ts';
import { type DirectPorts, openDirectMessage } from './review-direct-message.ts';

const NOTHING =
  'There is nothing to export: nothing that was decided in Slack adds anything to the file of the register.';

const SENT = 'I sent it to you in our direct messages.';

const NOT_SENT =
  'I could not send all of it in our direct messages. Nothing was changed; give the command again in a few minutes.';

const NOT_WRITTEN =
  'This app could not write out the register: it took too long, or too much memory. Nothing was changed. Whoever runs this app finds more in its log.';

/** Leaves room for the words around a part. All are counted as Slack does. */
const PART_LENGTH = RECOMMENDED_TEXT_LENGTH - 200;
const MAX_WHOLE_LENGTH = 12 * PART_LENGTH;
const MAX_ENTRIES_LENGTH = 30 * PART_LENGTH;

const MAX_LINE_LENGTH = MESSAGE_BUDGET.characters - BLOCK_COST;

export type ExportPorts = ApprovedSources & DirectPorts & { now: () => number };

/** `/assistant-admin review export` */
export async function exportApproved({ caller, say }: Asking, ports: ExportPorts): Promise<void> {
  const approved = await readApproved(ports);
  if (approved.kind === 'unreadable_file') ports.log.error({ err: approved.error }, 'register not read');
  if (approved.kind !== 'ready') return void (await say(buildRegisterProblem(approved)));
  const { count: decisions, ...additions } = findExported(approved.own, approved.records, ports.now());
  if (decisions === 0) return void (await say(buildAdminText(NOTHING)));
  const written = await write(approved.text, additions).catch((error: unknown) => {
    if (!(error instanceof RegisterWorkError)) throw error;
    ports.log.error({ err: error }, 'register not written out');
    return undefined;
  });
  if (written === undefined) return void (await say(buildAdminText(NOT_WRITTEN)));
  const { what, yaml } = written;
  const parts = toParts(yaml);
  try {
    const direct = await openDirectMessage(caller, ports);
    await direct.post(buildExportIntro(what, { decisions, parts: parts.length }));
    for (const [index, part] of parts.entries()) {
      await direct.post(buildExportPart(part, { number: index + 1, parts: parts.length }));
    }
    await say(buildAdminText(SENT));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'register not exported');
    await say(buildAdminText(NOT_SENT));
  }
}

async function write(file: string, additions: ExportedAdditions): Promise<{ what: ExportKind; yaml: string }> {
  const text = await doAside({ kind: 'export', text: file, additions });
  if (countCharacters(text) <= MAX_WHOLE_LENGTH && isSendable(text)) return { what: { kind: 'whole' }, yaml: text };
  const { environments, agents, exceptions } = additions;
  const records = [...environments.map(({ record }) => record), ...agents, ...exceptions];
  const environmentKeys = new Set(records.map(({ environmentId }) => toIdKey(environmentId)));
  const all = await doAside({ kind: 'cut', text, environmentKeys });
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

/** A line is never cut: what is copied from two messages would not be the same. */
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

import type { Caller } from '../../../governance/is-admin.ts';
import { cutEntries } from '../../../governance/register/cut-entries.ts';
import { exportRegister } from '../../../governance/register/export-register.ts';
import { toIdKey } from '../../../governance/register/register.ts';
import { type ReadyRegister, readApproved } from '../../../governance/review/approved-state.ts';
import { toCallCode } from '../../slack-errors.ts';
import { buildAdminText } from '../../views/admin/admin-messages.ts';
import { buildExportIntro, buildExportPart, type ExportKind } from '../../views/admin/review-export.ts';
import { buildRegisterProblem } from '../../views/admin/review-register.ts';
import type { AdminPorts } from './admin-ports.ts';
import { openDirectMessage } from './review-direct-message.ts';
import type { Say } from './say.ts';

const NOTHING =
  'There is nothing to export: nothing that was decided in Slack adds anything to the file of the register.';

const SENT = 'I sent it to you in our direct messages.';

const NOT_SENT =
  'I could not send all of it in our direct messages. Nothing was changed; give the command again in a few minutes.';

/** Slack recommends at most 4,000 characters a message, and lets us send one a second. */
const PART_LENGTH = 3_800;
const MAX_WHOLE_LENGTH = 12 * PART_LENGTH;
const MAX_ENTRIES_LENGTH = 30 * PART_LENGTH;

/** `/assistant-admin review export` */
export async function exportApproved({ caller, say }: { caller: Caller; say: Say }, ports: AdminPorts): Promise<void> {
  const approved = await readApproved(ports);
  if (approved.kind === 'unreadable_file') ports.log.error({ err: approved.error }, 'register not read');
  if (approved.kind !== 'ready') return void (await say(buildRegisterProblem(approved)));
  const text = exportRegister(approved.text, approved.own, approved.records);
  if (text === approved.text) return void (await say(buildAdminText(NOTHING)));
  const { what, yaml } = choose(text, approved);
  const parts = toParts(yaml);
  try {
    const direct = await openDirectMessage(caller, ports);
    const decisions = approved.records.length - approved.unused.length;
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

function choose(text: string, { records, unused }: ReadyRegister): { what: ExportKind; yaml: string } {
  if (text.length <= MAX_WHOLE_LENGTH) return { what: { kind: 'whole' }, yaml: text };
  const idle = new Set(unused.map(({ id }) => id));
  const changed = records.filter(({ id }) => !idle.has(id)).map(({ environmentId }) => toIdKey(environmentId));
  const entries = cutEntries(text, new Set(changed));
  let [length, count] = [0, 0];
  for (const { length: more } of entries) {
    if (count > 0 && length + more > MAX_ENTRIES_LENGTH) break;
    length += more;
    count += 1;
  }
  const what = { kind: 'entries', count, left: entries.length - count } as const;
  return { what, yaml: ['environments:', ...entries.slice(0, count)].join('\n') };
}

/** Cut between lines; within one only where it alone is too long. */
function toParts(yaml: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of yaml.split('\n').flatMap(toPieces)) {
    if (part !== '' && part.length + 1 + line.length > PART_LENGTH) {
      parts.push(part);
      part = '';
    }
    part = part === '' ? line : `${part}\n${line}`;
  }
  return part.trim() === '' ? parts : [...parts, part];
}

function toPieces(line: string): string[] {
  return line.length <= PART_LENGTH ? [line] : (line.match(new RegExp(`.{1,${PART_LENGTH}}`, 'gu')) ?? []);
}

// `/assistant-admin review export`: the register with the decisions made in Slack, as text (the app may not upload files).
import type { RichTextBlock } from '@slack/types';
import { BLOCK_COST, countCharacters, MESSAGE_BUDGET } from '../../slack/text-out/message-budget.ts';
import { buildSection, type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import { RECOMMENDED_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { type ExportedAdditions, findExported } from '../register/export-register.ts';
import { toIdKey } from '../register/register.ts';
import { RegisterWorkError, runRegisterWork } from '../register/register-in-worker.ts';
import type { RegisterProblem } from '../register/register-problem.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type Approved, type ApprovedSources, readApproved } from './approved-state.ts';
import { formatCount } from './finding-views.ts';
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
  const text = await runRegisterWork({ kind: 'export', text: file, additions });
  if (countCharacters(text) <= MAX_WHOLE_LENGTH && isSendable(text)) return { what: { kind: 'whole' }, yaml: text };
  const { environments, agents, exceptions } = additions;
  const records = [...environments.map(({ record }) => record), ...agents, ...exceptions];
  const environmentKeys = new Set(records.map(({ environmentId }) => toIdKey(environmentId)));
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

export type ExportKind =
  /** All of the register. */
  | { kind: 'whole' }
  /** Only the changed entries. `left`: how many did not fit. `tooLong`: how many have a line too long for a message. */
  | { kind: 'entries'; count: number; left: number; tooLong: number };

/** What is sent before the parts. */
export function buildExportIntro(
  what: ExportKind,
  { decisions, parts }: { decisions: number; parts: number },
): Content {
  const made = `*The register with ${formatCount(decisions, 'decision')} made in Slack*`;
  const where =
    parts === 1 ? 'in the message below' : `in the ${formatCount(parts, 'message')} below, one after the other`;
  const lines =
    what.kind === 'whole'
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
  return buildAdminText([...lines, 'This app never writes the file itself.'].join('\n'));
}

/** Literal: nothing in it is read as markup, and it is copied as it is. */
export function buildExportPart(text: string, { number, parts }: { number: number; parts: number }): Content {
  const block: RichTextBlock = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }], border: 0 }],
  };
  return { text: `Part ${number} of ${parts}`, blocks: [block] };
}

const NONE =
  'There is no register, so nothing says what is approved. Whoever runs this app writes one (its README shows how) and names its file with `GOVERNANCE_REGISTER`.';

const UNREADABLE_FILE =
  'The file of the register could not be read, so nothing was looked at. Whoever runs this app finds the reason in its log; `GOVERNANCE_REGISTER` names the file.';

/** Of the 3,000 characters of a section. */
const MAX_PROBLEMS_LENGTH = 2_500;

/** Why there is nothing to review against. */
export function buildRegisterProblem(approved: Exclude<Approved, { kind: 'ready' }>): Content {
  switch (approved.kind) {
    case 'none':
      return buildAdminText(NONE);
    case 'unreadable_file':
      return buildAdminText(UNREADABLE_FILE);
    case 'problems':
      return buildProblems(approved.problems);
  }
}

function buildProblems(problems: readonly RegisterProblem[]): Content {
  const headline = `:x: The register has ${formatCount(problems.length, 'problem')}, so nothing was looked at. Mend the file, and give the command again.`;
  const lines: string[] = [];
  let length = 0;
  for (const { line, sentence } of problems) {
    const shown = `• Line ${line.toLocaleString('en-US')}: ${toMrkdwnLine(sentence, 300)}`;
    if (length + shown.length > MAX_PROBLEMS_LENGTH) break;
    lines.push(shown);
    length += shown.length + 1;
  }
  const missing = problems.length - lines.length;
  const more = missing === 0 ? [] : [`• and ${formatCount(missing, 'more', 'more')}`];
  return { text: headline, blocks: [buildSection(headline), buildSection([...lines, ...more].join('\n'))] };
}

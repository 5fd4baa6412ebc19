import type { ContextBlock, InputBlock, SectionBlock } from '@slack/types';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { MAX_SECTION_LENGTH } from '../../slack/web/limits.ts';

/** As many lines as fit into one section, and how many do not. */
export function fitLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > SECTION_LIMIT) return [...kept, `_… and ${lines.length - kept.length} more_`].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

/** Whether fitLines shows them all. */
export function fitsIntoSection(lines: readonly string[]): boolean {
  return lines.reduce((length, line) => length + line.length + 1, 0) <= SECTION_LIMIT;
}

/** The texts of these sections. */
export function packLines(lines: readonly string[]): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= MAX_SECTION_LENGTH) {
      texts[texts.length - 1] = `${last}\n${line}`;
    } else {
      texts.push(line.slice(0, MAX_SECTION_LENGTH).toWellFormed());
    }
  }
  return texts;
}

/** As few sections as hold them all; each line fits into one by itself. */
export function buildLines(lines: readonly string[]): SectionBlock[] {
  return packLines(lines).map(buildSection);
}

/** What is said below a list in small print, in mrkdwn. */
export function buildNotes(notes: readonly string[]): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}

// Where an admin says why: asked for on the last look at a change, whichever way led there.
/** The block id. */
export const REASON_FIELD = 'reason';

const VALUE = 'value';

/** More than parseReason takes: it says itself what is too long. */
const MAX_TYPED = 1_000;

export function buildReasonInput(initial?: string): InputBlock {
  return {
    type: 'input',
    block_id: REASON_FIELD,
    label: buildPlainText('Reason'),
    hint: buildPlainText('Kept in the audit log, beside who changed what.'),
    element: {
      type: 'plain_text_input',
      action_id: VALUE,
      multiline: true,
      max_length: MAX_TYPED,
      ...(initial === undefined ? {} : { initial_value: initial.slice(0, MAX_TYPED).toWellFormed() }),
    },
  };
}

type ViewValues = Record<string, Record<string, { value?: string | null }>>;

/** As typed: parseReason says whether it will do. */
export function readReason(values: ViewValues): string {
  return values[REASON_FIELD]?.[VALUE]?.value ?? '';
}

// Who approves a change that loosens something: asked for on the last look at it, below the reason.
/** The block id. */
export const APPROVER_FIELD = 'approver';

const OF_CHANGE =
  'The change allows more than before, or it cannot be told whether it does. It is made once another administrator approves it, with their rights; they have 24 hours.';

/** `hint`: why somebody else is needed, and what happens then; of a change, where it is left out. */
export function buildApproverInput(hint = OF_CHANGE): InputBlock {
  return {
    type: 'input',
    block_id: APPROVER_FIELD,
    label: buildPlainText('Who approves?'),
    hint: buildPlainText(hint),
    element: { type: 'users_select', action_id: VALUE, placeholder: buildPlainText('Another administrator') },
  };
}

type ApproverValues = Record<string, Record<string, { selected_user?: string | null }>>;

/** A Slack user id. 'not_asked': the modal had no such field. */
export function readApprover(values: ApproverValues): string | undefined | 'not_asked' {
  const field = values[APPROVER_FIELD];
  return field === undefined ? 'not_asked' : (field[VALUE]?.selected_user ?? undefined);
}

// What was classified in Slack: a list of it, and the form that changes or withdraws one classification.

import type { ActionsBlock, Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { isSameWord } from '../allocations/allocation.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import type { ClassificationRecord } from '../register/overlay.ts';
import type { Classification } from '../register/register.ts';
import { CLASSIFICATIONS } from '../review/decided-views.ts';
import { describeClassification, describePerson, formatCount } from '../review/finding-words.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { buildNotes } from '../shell/blocks.ts';
import {
  buildApproverInput,
  buildRadioButtons,
  buildReasonInput,
  type FormValues,
  readChoice,
} from '../shell/form-fields.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import {
  buildCreditsFields,
  type ClassifiedCredits,
  describeDefaultSource,
  readCreditsFields,
  USE_FIELD,
  USES,
} from './classification-form.ts';
import { type Filled, readWithReason } from './review-action.ts';

/** What becomes of the classification. */
type Wish = Classification | 'withdrawn';

/** With `withdrawn` the credits do not count. */
export type Reclassified = ClassifiedCredits & { wish: Wish; reason: string };

export const PREVIOUS_CLASSIFIED = 'admin_classifications_previous';
export const NEXT_CLASSIFIED = 'admin_classifications_next';

const turnSchema = z.object({ query: z.string(), page: z.int().min(0) });

export type ClassifiedTurn = z.infer<typeof turnSchema>;

/** Undefined where it is no value of such a button. */
export function parseClassifiedTurn(value: string): ClassifiedTurn | undefined {
  return parseState(turnSchema, value);
}

const subjectSchema = z.object({ environmentId: z.string().min(1) });

export function parseClassifiedSubject(value: string): z.infer<typeof subjectSchema> | undefined {
  return parseState(subjectSchema, value);
}

/** Each has a button of its own. */
const PAGE_SIZE = 10;

const NO_NAME = 100;

/** `records`: those that count and fit the query, in the order in which they are shown. */
export function buildClassifiedList(
  records: readonly ClassificationRecord[],
  { query, page: wanted }: ClassifiedTurn,
  { timeZone }: { timeZone: string },
): Content {
  const pageCount = Math.max(1, Math.ceil(records.length / PAGE_SIZE));
  const page = Math.min(wanted, pageCount - 1);
  const rows = records.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const matching = query === '' ? '' : ` matching “${toMrkdwnName(query, 100)}”`;
  const where = pageCount === 1 ? '' : `, page ${formatCredits(page + 1)} of ${formatCredits(pageCount)}`;
  const title = `*Classified in Slack*: ${formatCount(records.length, 'environment')}${matching}${where}`;
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(title),
      ...rows.flatMap((record) => buildRow(record, timeZone)),
      ...buildTurns(query, page, pageCount),
      buildNotes([
        "What the register's file names is not listed: change it there. `/assistant-admin review classifications [name]` searches.",
      ]),
    ]),
  };
}

function buildRow(record: ClassificationRecord, timeZone: string): KnownBlock[] {
  const section = buildSection(
    `${describeRecorded(record)}\n${describeDecision(record, timeZone)}\nReason: ${toMrkdwnName(record.reason, 200)}`,
  );
  const value = JSON.stringify({ environmentId: record.environmentId });
  if (value.length > MAX_BUTTON_VALUE_LENGTH) return [section];
  const button: Button = {
    type: 'button',
    action_id: REVIEW_TOPICS.reclassify.id,
    text: buildPlainText('Change or withdraw…'),
    value,
  };
  return [section, { type: 'actions', elements: [button] }];
}

function describeRecorded({ environmentId, name = '', classification }: ClassificationRecord): string {
  return `${describeEnvironment(environmentId, name.slice(0, NO_NAME))} · ${describeClassification(classification)}`;
}

function describeDecision({ by, approvedBy, at }: ClassificationRecord, timeZone: string): string {
  const approved = approvedBy === undefined ? '' : `, approved by ${describePerson(approvedBy)}`;
  return `By ${describePerson(by.user)}${approved} · ${formatTime(at, timeZone)}`;
}

function buildTurns(query: string, page: number, pageCount: number): ActionsBlock[] {
  const toButton = (actionId: string, label: string, to: number): Button => {
    return {
      type: 'button',
      action_id: actionId,
      text: buildPlainText(label),
      value: JSON.stringify({ query, page: to }),
    };
  };
  const elements = [
    ...(page > 0 ? [toButton(PREVIOUS_CLASSIFIED, 'Previous', page - 1)] : []),
    ...(page < pageCount - 1 ? [toButton(NEXT_CLASSIFIED, 'Next', page + 1)] : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

// Carried in `private_metadata`; parsed strictly, because it decides what is acted on.
const stateSchema = z.object({
  schema: z.literal(1),
  id: z.string().min(1),
  environmentId: z.string().min(1),
  /** The record that was shown. */
  shown: z.string().min(1),
  replyTo: z.string().optional(),
});

/** `id`: of the decision: a form that is sent twice is one. */
export type ReclassifyState = Omit<z.infer<typeof stateSchema>, 'schema'>;

/** Undefined if no such form was shown with it. */
export function parseReclassifyState(text: string): ReclassifyState | undefined {
  return parseState(stateSchema, text);
}

type FormOptions = {
  state: ReclassifyState;
  currency: string;
  /** The uses for which the register's defaults are complete. */
  choices: Classification[];
  timeZone: string;
  needsApprover: boolean;
};

export const RECLASSIFY_FORM = `${REVIEW_TOPICS.reclassify.id}_form`;

const APPROVER_HINT =
  'A classification approves more than the register does. It is recorded once another administrator approves it; they have 24 hours. To withdraw it, nobody has to.';

export function buildReclassifyModal(
  record: ClassificationRecord,
  { state, currency, choices, timeZone, needsApprover }: FormOptions,
): ModalView {
  const { classification, allocations, unnamedAgents, environmentId } = record;
  const byDefault = describeDefaultSource(choices);
  const sources = {
    ...(byDefault && { defaults: byDefault }),
    ...(allocations && { found: 'What is recorded with it now' }),
    stated: 'What is stated here',
  };
  const stated = Array.isArray(allocations)
    ? allocations.find(({ currencyType }) => isSameWord(currencyType, currency))
    : undefined;
  const initial = allocations === undefined ? undefined : 'found';
  const wishes = { ...CLASSIFICATIONS, withdrawn: 'Withdraw it: the environment is not in the register again' };
  return {
    type: 'modal',
    callback_id: RECLASSIFY_FORM,
    title: buildPlainText(REVIEW_TOPICS.reclassify.title),
    submit: buildPlainText('Record'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({ schema: 1, ...state }),
    blocks: [
      buildSection(
        `${describeRecorded(record)}\nId ${toMrkdwnLine(environmentId, 256)}\n${describeDecision(record, timeZone)}`,
      ),
      buildRadioButtons<Wish>(USE_FIELD, 'What is this environment?', wishes, { initial: classification }),
      ...buildCreditsFields({ sources, initial, currency, stated, limit: unnamedAgents }),
      buildReasonInput(),
      ...(needsApprover ? [{ ...buildApproverInput(APPROVER_HINT), optional: true }] : []),
    ],
  };
}

export function readReclassify(values: FormValues): Filled<Reclassified> {
  const wish = readChoice<Wish>(values, USE_FIELD, [...USES, 'withdrawn']);
  if (wish === undefined) return { errors: { [USE_FIELD]: 'Choose what becomes of it.' } };
  const credits = readCreditsFields(values);
  // What is typed there does not count, so it cannot be wrong.
  const fields =
    wish === 'withdrawn'
      ? ({ answer: { credits: { source: 'defaults' }, unnamedAgents: undefined } } as const)
      : credits;
  return readWithReason('answer' in fields ? { answer: { ...fields.answer, wish } } : fields, values);
}

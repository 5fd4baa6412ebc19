// Which differences of a finding something is done about: a tick for each.
import type { InputBlock, PlainTextOption } from '@slack/types';
import { buildPlainText, toLine } from '../../slack/views/content.ts';
import { MAX_CHECKBOXES, MAX_OPTION_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { type Difference, toDifferenceKey } from '../review/finding.ts';
import { toTickWords } from '../review/finding-words.ts';
import type { FormValues } from '../shell/form-fields.ts';
import type { Filled } from './review-action.ts';

/** The beginning of the block ids. */
const FIELD = 'settings_';

const VALUE = 'value';

const NONE_TICKED = 'Tick one of them at least.';

/** All ticked. Nothing where there is nothing to choose. */
export function buildTicks(label: string, differences: readonly Difference[]): InputBlock[] {
  if (differences.length < 2) return [];
  const starts = Array.from({ length: Math.ceil(differences.length / MAX_CHECKBOXES) }, (_, at) => at * MAX_CHECKBOXES);
  return starts.map((start, index): InputBlock => {
    const options = differences.slice(start, start + MAX_CHECKBOXES).map(toOption);
    return {
      type: 'input',
      block_id: `${FIELD}${index}`,
      // Of several blocks, each may be left without a tick.
      ...(starts.length > 1 ? { optional: true } : {}),
      label: buildPlainText(starts.length > 1 ? `${label}, part ${index + 1} of ${starts.length}` : label),
      element: { type: 'checkboxes', action_id: VALUE, options, initial_options: options },
    };
  });
}

/** The keys of those that are ticked; undefined where the form asked nothing: all. */
export function readTicks(values: FormValues): Filled<string[] | undefined> {
  const blocks = Object.entries(values).filter(([blockId]) => blockId.startsWith(FIELD));
  const ticked = blocks.flatMap(([, fields]) => (fields[VALUE]?.selected_options ?? []).map(({ value }) => value));
  if (blocks.length === 0) return { answer: undefined };
  return ticked.length === 0 ? { errors: { [`${FIELD}0`]: NONE_TICKED } } : { answer: ticked };
}

function toOption(difference: Difference): PlainTextOption {
  const { name, values } = toTickWords(difference);
  return {
    // In plain text nothing is a mention; it should not look like one either.
    text: buildPlainText(toLine(name.replace(/[<>]/g, ''), MAX_OPTION_TEXT_LENGTH)),
    description: buildPlainText(toLine(values, MAX_OPTION_TEXT_LENGTH)),
    value: toDifferenceKey(difference),
  };
}

/** What is entered in a modal, as the sandbox takes it: by `block id/action id`. */
import type { Block, Json } from '../../../slack/records.ts';
import type { Entry } from '../../../slack/view-values.ts';
import { isObject } from './parts.ts';

const ONE_OPTION = ['static_select', 'radio_buttons'];

/** Components of their own, which keep the state that Slack reports. */
const WITH_STATE = ['external_select', 'file_input'];

export function readEntries(blocks: Block[], form: Pick<FormData, 'getAll'>): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const block of blocks) {
    const { element } = block;
    if (block.type !== 'input' || !isObject(element)) continue;
    const name = `${String(block.block_id)}/${String(element.action_id)}`;
    entries[name] = toEntry(element, form.getAll(name).map(String));
  }
  return entries;
}

export function toEntry(element: Json, values: string[]): Entry {
  const type = String(element.type);
  if (WITH_STATE.includes(type)) return JSON.parse(values[0] ?? '{}');
  if (type === 'checkboxes') return values;
  const [value = ''] = values;
  if (type === 'timepicker' && value !== '' && element.timezone !== undefined)
    return { selected_time: value, timezone: element.timezone };
  // An empty text is no option.
  return value === '' && ONE_OPTION.includes(type) ? { selected_option: null } : value;
}

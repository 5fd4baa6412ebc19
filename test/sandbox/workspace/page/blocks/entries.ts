/** What is entered in a modal, as the sandbox takes it: by `block id/action id`. */
import type { Block } from '../../../slack/records.ts';
import type { Entry } from '../../../slack/view-values.ts';
import { isObject } from './parts.ts';

const ONE_OPTION = ['static_select', 'radio_buttons'];

export function readEntries(blocks: Block[], form: Pick<FormData, 'getAll'>): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const block of blocks) {
    const { element } = block;
    if (block.type !== 'input' || !isObject(element)) continue;
    const name = `${String(block.block_id)}/${String(element.action_id)}`;
    entries[name] = toEntry(String(element.type), form.getAll(name).map(String));
  }
  return entries;
}

function toEntry(type: string, values: string[]): Entry {
  if (type.endsWith('external_select')) return JSON.parse(values[0] ?? '{}');
  if (type.startsWith('multi_') || type === 'checkboxes') return values;
  const [value = ''] = values;
  // An empty text is no option.
  return value === '' && ONE_OPTION.includes(type) ? { selected_option: null } : value;
}

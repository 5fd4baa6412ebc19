/** What a person enters, in the form in which Slack reports it: https://docs.slack.dev/reference/views#state */
import { isObject } from './json.ts';
import type { Block, Json } from './records.ts';

/** A text; an option's value or text; several of them; a ready state value. `undefined` or an empty text clears. */
export type Entry = string | number | string[] | Json | undefined;

/** Of those whose field is not `value`. */
const FIELD_OF: Record<string, string> = {
  static_select: 'selected_option',
  external_select: 'selected_option',
  radio_buttons: 'selected_option',
  overflow: 'selected_option',
  checkboxes: 'selected_options',
  multi_static_select: 'selected_options',
  users_select: 'selected_user',
  multi_users_select: 'selected_users',
  conversations_select: 'selected_conversation',
  multi_conversations_select: 'selected_conversations',
  channels_select: 'selected_channel',
  multi_channels_select: 'selected_channels',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
  datetimepicker: 'selected_date_time',
  rich_text_input: 'rich_text_value',
  file_input: 'files',
};

export function fieldOf(element: Json): string {
  return FIELD_OF[String(element.type)] ?? 'value';
}

export function initialValue(element: Json): Json {
  const field = fieldOf(element);
  const initial = element[field.endsWith('value') ? 'initial_value' : field.replace('selected', 'initial')];
  return { type: element.type, [field]: initial ?? (field.endsWith('s') ? [] : null) };
}

export function enteredValue(element: Json, entry: Entry): Json {
  if (isObject(entry)) return { type: element.type, ...entry };
  const field = fieldOf(element);
  if (field === 'selected_option')
    return { type: element.type, [field]: entry === undefined ? null : findOption(element, String(entry)) };
  if (field === 'selected_options')
    return { type: element.type, [field]: toList(entry).map((one) => findOption(element, one)) };
  if (field === 'selected_date_time')
    return { type: element.type, [field]: entry === undefined ? null : Number(entry) };
  if (field.endsWith('s')) return { type: element.type, [field]: toList(entry) };
  return { type: element.type, [field]: entry === undefined || entry === '' ? null : String(entry) };
}

function toList(entry: Exclude<Entry, Json>): string[] {
  if (entry === undefined) return [];
  return Array.isArray(entry) ? entry : [String(entry)];
}

function findOption(element: Json, wanted: string): Json {
  const grouped = ((element.option_groups ?? []) as Json[]).flatMap((group) => group.options as Json[]);
  const options = [...((element.options ?? []) as Json[]), ...grouped];
  const option = options.find((one) => one.value === wanted || (one.text as Json | undefined)?.text === wanted);
  if (!option) {
    const offered = options.map((one) => String((one.text as Json).text)).join(', ');
    throw new Error(`"${wanted}" is not offered there. Offered: ${offered}`);
  }
  return option;
}

/** What Slack's own client refuses before the app hears of it; undefined where the value may be sent. */
export function clientComplaint(block: Block, value: Json): string | undefined {
  const element = block.element as Json;
  const entered = value[fieldOf(element)];
  const isEmpty = entered === null || entered === undefined || (Array.isArray(entered) && entered.length === 0);
  if (isEmpty) return block.optional === true ? undefined : 'This field is required.';
  if (element.type === 'number_input') return numberComplaint(element, String(entered));
  if (element.type === 'plain_text_input') return lengthComplaint(element, String(entered));
  if (element.type === 'email_text_input' && !String(entered).includes('@')) return 'Enter an email address.';
  if (element.type === 'url_text_input' && !URL.canParse(String(entered))) return 'Enter a URL.';
  return undefined;
}

function numberComplaint(element: Json, entered: string): string | undefined {
  const number = Number(entered);
  if (Number.isNaN(number)) return 'Enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Enter a whole number.';
  if (element.min_value !== undefined && number < Number(element.min_value))
    return `Enter at least ${String(element.min_value)}.`;
  if (element.max_value !== undefined && number > Number(element.max_value))
    return `Enter at most ${String(element.max_value)}.`;
  return undefined;
}

function lengthComplaint(element: Json, entered: string): string | undefined {
  if (entered.length < Number(element.min_length ?? 0))
    return `Enter at least ${String(element.min_length)} characters.`;
  if (entered.length > Number(element.max_length ?? 3000))
    return `Enter at most ${String(element.max_length ?? 3000)} characters.`;
  return undefined;
}

/** What is typed: text, numbers, addresses, dates and times. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { toLocal } from './dates.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched } from './element-place.ts';
import { toEntry } from './entries.ts';
import { isObject, toObjects, toWords } from './parts.ts';

type Kind = { type: string; field: string; mode?: string };

/** Numbers as text: the sandbox says itself what is wrong with them, as Slack does. */
const KINDS: Record<string, Kind> = {
  plain_text_input: { type: 'text', field: 'value' },
  number_input: { type: 'text', field: 'value', mode: 'decimal' },
  email_text_input: { type: 'text', field: 'value', mode: 'email' },
  url_text_input: { type: 'text', field: 'value', mode: 'url' },
  datepicker: { type: 'date', field: 'selected_date' },
  timepicker: { type: 'time', field: 'selected_time' },
  datetimepicker: { type: 'datetime-local', field: 'selected_date_time' },
  // Written without its styles.
  rich_text_input: { type: 'text', field: 'rich_text_value' },
};

export function renderField(element: Json, place: ElementPlace): TemplateResult {
  const { type, field, mode } = KINDS[String(element.type)] ?? { type: 'text', field: 'value' };
  const has = attributesOf(element, place);
  const { timeZone } = place.context;
  const value = toShown(currentValue(element, field, place), timeZone);
  const triggers = (element.dispatch_action_config as Json | undefined)?.trigger_actions_on;
  const isEach = type !== 'text' || [triggers].flat().includes('on_character_entered');
  const act = (event: Event) => {
    const typed = (event.currentTarget as HTMLInputElement).value;
    void actOn(element, place, toEntry(element, [typed], timeZone));
  };
  const typed = (event: Event) => {
    if (isDispatched(place) && isEach) act(event);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isDispatched(place) || type !== 'text') return;
    event.preventDefault();
    act(event);
  };
  if (element.multiline === true || field === 'rich_text_value')
    return html`<textarea id=${has.id} name=${has.name} rows="4" aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
      placeholder=${toWords(element.placeholder)} maxlength=${Number(element.max_length ?? 3000)} .value=${value} @input=${typed}></textarea>`;
  return html`<input id=${has.id} name=${has.name} type=${type} max=${type === 'datetime-local' ? '9999-12-31T23:59' : nothing} inputmode=${mode ?? nothing} aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
    placeholder=${toWords(element.placeholder)} maxlength=${Number(element.max_length ?? 3000)} autocomplete="off" .value=${value} @input=${typed} @keydown=${press}>${element.timezone ? html` <small>${element.timezone}</small>` : nothing}`;
}

/** What Slack keeps, as the field of the page holds it: seconds as a local time, rich text as its words. */
function toShown(value: unknown, timeZone: string): string {
  if (typeof value === 'number') return toLocal(value, timeZone);
  if (!isObject(value)) return String(value ?? '');
  return toObjects(value.elements)
    .map((one) => (one.type === 'text' ? String(one.text) : toShown(one, timeZone)))
    .join('');
}

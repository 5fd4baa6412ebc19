/** What is typed: text, numbers, addresses, dates and times. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched } from './element-place.ts';
import { toWords } from './parts.ts';

type Kind = { type: string; field: string; mode?: string };

/** Numbers as text: the sandbox says itself what is wrong with them, as Slack does. */
const KINDS: Record<string, Kind> = {
  plain_text_input: { type: 'text', field: 'value' },
  number_input: { type: 'text', field: 'value', mode: 'decimal' },
  email_text_input: { type: 'text', field: 'value', mode: 'email' },
  url_text_input: { type: 'text', field: 'value', mode: 'url' },
  datepicker: { type: 'date', field: 'selected_date' },
  timepicker: { type: 'time', field: 'selected_time' },
};

export function renderField(element: Json, place: ElementPlace): TemplateResult {
  const { type, field, mode } = KINDS[String(element.type)] ?? { type: 'text', field: 'value' };
  const has = attributesOf(element, place);
  const value = String(currentValue(element, field, place) ?? '');
  const triggers = (element.dispatch_action_config as Json | undefined)?.trigger_actions_on;
  const isEach = type !== 'text' || [triggers].flat().includes('on_character_entered');
  const act = (event: Event) => void actOn(element, place, (event.currentTarget as HTMLInputElement).value);
  const typed = (event: Event) => {
    if (isDispatched(place) && isEach) act(event);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isDispatched(place) || type !== 'text') return;
    event.preventDefault();
    act(event);
  };
  if (element.multiline === true)
    return html`<textarea id=${has.id} name=${has.name} rows="4" aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
      placeholder=${toWords(element.placeholder)} maxlength=${Number(element.max_length ?? 3000)} .value=${value} @input=${typed}></textarea>`;
  return html`<input id=${has.id} name=${has.name} type=${type} inputmode=${mode ?? nothing} aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
    placeholder=${toWords(element.placeholder)} maxlength=${Number(element.max_length ?? 3000)} autocomplete="off" .value=${value} @input=${typed} @keydown=${press}>`;
}

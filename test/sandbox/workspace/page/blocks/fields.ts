/** What is typed: text, dates and times. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched } from './element-place.ts';
import { toEntry } from './entries.ts';
import { toWords } from './parts.ts';

const TYPES: Record<string, string> = { datepicker: 'date', timepicker: 'time' };

export function renderField(element: Json, place: ElementPlace): TemplateResult {
  const type = TYPES[String(element.type)] ?? 'text';
  const has = attributesOf(element, place);
  const value = String(currentValue(element, type === 'text' ? 'value' : `selected_${type}`, place) ?? '');
  const triggers = (element.dispatch_action_config as Json | undefined)?.trigger_actions_on;
  const isEach = type !== 'text' || [triggers].flat().includes('on_character_entered');
  const act = (event: Event) => {
    const typed = (event.currentTarget as HTMLInputElement).value;
    void actOn(element, place, toEntry(element, [typed]));
  };
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
  return html`<input id=${has.id} name=${has.name} type=${type} aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
    placeholder=${toWords(element.placeholder)} maxlength=${Number(element.max_length ?? 3000)} autocomplete="off" .value=${value} @input=${typed} @keydown=${press}>${element.timezone ? html` <small>${element.timezone}</small>` : nothing}`;
}

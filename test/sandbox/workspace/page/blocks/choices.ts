/** Selects, radio buttons and checkboxes. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { BlockContext } from './context.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched, nameOf } from './element-place.ts';
import { renderText, toPlain } from './mrkdwn.ts';
import { isObject, toObjects, toWords } from './parts.ts';

type Choice = { value: string; text: unknown; description?: unknown; group?: string | undefined };

/** What can be picked, and the field that Slack reports it in. */
function readChoices(element: Json, { people }: BlockContext): { field: string; choices: Choice[] } {
  if (element.type === 'users_select')
    return { field: 'selected_user', choices: people.map(({ id, name }) => ({ value: id, text: name })) };
  const toOption = (group?: string) => (option: Json) =>
    ({ value: String(option.value), text: option.text, description: option.description, group }) as Choice;
  const grouped = toObjects(element.option_groups).flatMap((group) =>
    toObjects(group.options).map(toOption(toWords(group.label))),
  );
  return { field: 'selected_option', choices: [...toObjects(element.options).map(toOption()), ...grouped] };
}

const idOf = (chosen: unknown) => (isObject(chosen) ? String(chosen.value) : chosen);

export function renderSelect(element: Json, place: ElementPlace): TemplateResult {
  const { field, choices } = readChoices(element, place.context);
  const chosen = idOf(currentValue(element, field, place));
  const has = attributesOf(element, place);
  const groups = [...new Set(choices.map(({ group }) => group))];
  const change = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    if (isDispatched(place) && value !== '') void actOn(element, place, value);
  };
  const option = ({ value, text }: Choice) =>
    html`<option value=${value} ?selected=${value === chosen}>${toPlain(toWords(text))}</option>`;
  return html`<select id=${has.id} name=${has.name} aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing} @change=${change}>
    ${chosen ? nothing : html`<option value="">${toWords(element.placeholder) || 'Select an option'}</option>`}
    ${groups.map((group) => {
      const options = choices.filter((one) => one.group === group).map(option);
      return group === undefined ? options : html`<optgroup label=${group}>${options}</optgroup>`;
    })}</select>`;
}

/** Several of a few, or one of them. */
export function renderChoiceList(element: Json, place: ElementPlace): TemplateResult {
  const isOne = element.type === 'radio_buttons';
  const { field, choices } = readChoices(element, place.context);
  const values = [currentValue(element, isOne ? field : `${field}s`, place)].flat().map(idOf);
  const has = attributesOf(element, place);
  const change = (event: Event) => {
    const box = (event.currentTarget as HTMLElement).closest('.choices');
    if (!isDispatched(place)) return;
    const checked = [...(box?.querySelectorAll<HTMLInputElement>('input:checked') ?? [])].map(({ value }) => value);
    void actOn(element, place, isOne ? checked[0] : checked);
  };
  const name = nameOf(element, place);
  return html`<div id=${has.id} class="choices" role=${isOne ? 'radiogroup' : 'group'} aria-label=${has.label} aria-describedby=${has.describedBy || nothing}>
    ${choices.map(
      ({ value, text, description }) => html`<label class="choice">
      <input type=${isOne ? 'radio' : 'checkbox'} name=${name} value=${value} ?checked=${values.includes(value)} @change=${change}>
      <span>${isObject(text) ? renderText(text, place.context) : toWords(text)}${description ? html`<small>${renderText(description, place.context)}</small>` : nothing}</span></label>`,
    )}</div>`;
}

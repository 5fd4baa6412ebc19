/** Selects, radio buttons and checkboxes. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { BlockContext } from './context.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched, nameOf } from './element-place.ts';
import { renderText, toPlain } from './mrkdwn.ts';
import { isObject, toObjects, toWords } from './parts.ts';

type Choice = { value: string; text: unknown; description?: unknown; group?: string | undefined };

/** What can be picked, and the field that Slack reports it in. */
function readChoices(element: Json, { people, conversations }: BlockContext): { field: string; choices: Choice[] } {
  const type = String(element.type).replace('multi_', '');
  const toChoice = (mark: string) => (one: { id: string; name: string }) => ({ value: one.id, text: mark + one.name });
  if (type === 'users_select') return { field: 'selected_user', choices: people.map(toChoice('')) };
  if (type === 'channels_select') {
    const isChannel = ({ kind }: { kind: string }) => kind === 'public';
    return { field: 'selected_channel', choices: conversations.filter(isChannel).map(toChoice('#')) };
  }
  if (type === 'conversations_select') {
    // https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object
    const kinds = isObject(element.filter) ? element.filter.include : undefined;
    const isWanted = ({ kind }: { kind: string }) => !Array.isArray(kinds) || kinds.includes(kind);
    return { field: 'selected_conversation', choices: conversations.filter(isWanted).map(toChoice('')) };
  }
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

/** Several of a list, or one of a few. */
export function renderChoiceList(element: Json, place: ElementPlace): TemplateResult {
  const isOne = element.type === 'radio_buttons';
  const isMulti = String(element.type).startsWith('multi_');
  const { field, choices } = readChoices(element, place.context);
  const values = [currentValue(element, isOne ? field : `${field}s`, place)].flat().map(idOf);
  const has = attributesOf(element, place);
  const most = Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const change = (event: Event) => {
    const box = (event.currentTarget as HTMLElement).closest('.choices');
    const inputs = [...(box?.querySelectorAll('input') ?? [])];
    const isFull = inputs.filter((one) => one.checked).length >= most;
    for (const one of inputs) one.disabled = isFull && !one.checked;
    if (!isDispatched(place)) return;
    const checked = [...(box?.querySelectorAll<HTMLInputElement>('input:checked') ?? [])].map(({ value }) => value);
    void actOn(element, place, isOne ? checked[0] : checked);
  };
  const name = nameOf(element, place);
  return html`<div id=${has.id} class=${`choices${isMulti ? ' many' : ''}`} role=${isOne ? 'radiogroup' : 'group'} aria-label=${has.label} aria-describedby=${has.describedBy || nothing}>
    ${Number.isFinite(most) ? html`<small>${most} at most</small>` : nothing}
    ${choices.map(
      ({ value, text, description }) => html`<label class="choice">
      <input type=${isOne ? 'radio' : 'checkbox'} name=${name} value=${value} ?checked=${values.includes(value)} ?disabled=${values.length >= most && !values.includes(value)} @change=${change}>
      <span>${isObject(text) ? renderText(text, place.context) : toWords(text)}${description ? html`<small>${renderText(description, place.context)}</small>` : nothing}</span></label>`,
    )}</div>`;
}

/** Each type of element: https://docs.slack.dev/reference/block-kit/block-elements */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { BlockContext } from './context.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched } from './element-place.ts';
import { renderPlain, renderSign, toPlain } from './emoji-signs.ts';
import { toEntry } from './entries.ts';
import { renderFileChooser } from './file-chooser.ts';
import { renderSearch } from './option-search.ts';
import { isObject, toObjects, toWords } from './parts.ts';
import { renderText } from './rich-text.ts';

const DRAW: Record<string, (element: Json, place: ElementPlace) => TemplateResult> = {
  button: renderButton,
  feedback_buttons: renderFeedback,
  static_select: renderSelect,
  users_select: renderSelect,
  radio_buttons: renderChoiceList,
  checkboxes: renderChoiceList,
  external_select: renderSearch,
  plain_text_input: renderField,
  datepicker: renderField,
  timepicker: renderField,
  file_input: renderFileChooser,
};

export function renderElement(element: Json, place: ElementPlace): TemplateResult {
  const draw = DRAW[String(element.type)];
  if (draw) return draw(element, place);
  return html`<p class="unknown">An element of the type ${String(element.type)}, which this client cannot draw.</p>`;
}

/** A link as well: the shell opens the address once the app has heard of the click. */
function renderButton(element: Json, place: ElementPlace): TemplateResult {
  const style = element.style === 'primary' || element.style === 'danger' ? ` ${element.style}` : '';
  const words = toWords(element.text);
  return html`<button type="button" class=${`button${style}`} aria-label=${String(element.accessibility_label ?? toPlain(words))} @click=${() => actOn(element, place)}>${renderPlain(words)}</button>`;
}

function renderFeedback(element: Json, place: ElementPlace): TemplateResult {
  const side = (button: Json, sign: string) =>
    html`<button type="button" class="quiet" aria-label=${String(button.accessibility_label ?? toWords(button.text))} title=${toWords(button.text)}
      @click=${() => actOn(element, place, String(button.value))}>${renderSign(sign)} ${toWords(button.text)}</button>`;
  return html`${toObjects(element.positive_button).map((one) => side(one, 'thumbsup'))}${toObjects(element.negative_button).map((one) => side(one, 'thumbsdown'))}`;
}

const TYPES: Record<string, string> = { datepicker: 'date', timepicker: 'time' };

function renderField(element: Json, place: ElementPlace): TemplateResult {
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

function renderSelect(element: Json, place: ElementPlace): TemplateResult {
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
function renderChoiceList(element: Json, place: ElementPlace): TemplateResult {
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
  return html`<div id=${has.id} class="choices" role=${isOne ? 'radiogroup' : 'group'} aria-label=${has.label} aria-describedby=${has.describedBy || nothing}>
    ${choices.map(
      ({ value, text, description }) => html`<label class="choice">
      <input type=${isOne ? 'radio' : 'checkbox'} name=${has.name} value=${value} ?checked=${values.includes(value)} @change=${change}>
      <span>${renderText(text, place.context)}${description ? html`<small>${renderText(description, place.context)}</small>` : nothing}</span></label>`,
    )}</div>`;
}

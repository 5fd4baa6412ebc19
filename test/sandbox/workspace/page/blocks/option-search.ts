/** A select whose options the app finds for what is typed. Its value is the state that Slack reports. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { Option } from './context.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched } from './element-place.ts';
import { toObjects, toWords } from './parts.ts';

/** Slack, too, waits until somebody stops typing. */
const PAUSE_MS = 200;

class OptionSearch extends LitElement {
  static override properties = {
    element: { attribute: false },
    place: { attribute: false },
    offered: { state: true },
    chosen: { state: true },
  };
  declare element: Json;
  declare place: ElementPlace;
  declare offered: Option[] | undefined;
  declare chosen: Json[] | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot() {
    return this;
  }

  get #isMulti(): boolean {
    return String(this.element.type).startsWith('multi_');
  }

  protected override render(): TemplateResult {
    const { element, place, offered } = this;
    const has = attributesOf(element, place);
    const field = this.#isMulti ? 'selected_options' : 'selected_option';
    const chosen = this.chosen ?? toObjects(currentValue(element, field, place));
    const state = { [field]: this.#isMulti ? chosen : (chosen[0] ?? null) };
    const remove = (one: Json) => () => {
      this.chosen = chosen.filter((other) => other.value !== one.value);
    };
    const shown = offered?.slice(0, 100);
    return html`<div class="search">
      <input type="hidden" name=${has.name} data-state value=${JSON.stringify(state)}>
      ${chosen.map((one) => html`<button type="button" class="chip" aria-label=${`Remove ${toWords(one.text)}`} @click=${remove(one)}>${toWords(one.text)} ×</button>`)}
      <input id=${has.id} type="search" autocomplete="off" aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
        placeholder=${toWords(element.placeholder) || 'Type to search'} @input=${this.#type}>
      ${shown ? html`<ul class="offered" aria-label="Found">${shown.map((one, index) => this.#renderOption(one, shown[index - 1]?.group, chosen))}</ul>` : nothing}
      ${shown?.length === 0 ? html`<p class="field-hint" role="status">Nothing found.</p>` : nothing}
    </div>`;
  }

  #renderOption(option: Option, groupBefore: string | undefined, chosen: Json[]): TemplateResult {
    const pick = () => {
      const picked = { text: { type: 'plain_text', text: option.text }, value: option.value };
      this.chosen = this.#isMulti ? [...chosen.filter(({ value }) => value !== option.value), picked] : [picked];
      this.offered = undefined;
      const field = this.querySelector<HTMLInputElement>('input[type=search]');
      if (field) field.value = '';
      field?.focus();
      const values = this.chosen.map(({ value }) => String(value));
      if (isDispatched(this.place)) void actOn(this.element, this.place, this.#isMulti ? values : option.value);
    };
    return html`${option.group && option.group !== groupBefore ? html`<li class="group">${option.group}</li>` : nothing}
      <li><button type="button" @click=${pick}>${option.text}${option.description ? html` <small>${option.description}</small>` : nothing}</button></li>`;
  }

  #type(event: Event): void {
    const field = event.currentTarget as HTMLInputElement;
    const typed = field.value;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(async () => {
      const { block, context } = this.place;
      const isLong = typed.length >= Number(this.element.min_query_length ?? 3);
      const found = isLong
        ? await context.search(String(block.block_id), String(this.element.action_id), typed)
        : undefined;
      // Something else may have been typed in the meantime.
      if (field.value === typed) this.offered = found;
    }, PAUSE_MS);
  }
}

customElements.define('option-search', OptionSearch);

export function renderSearch(element: Json, place: ElementPlace): TemplateResult {
  return html`<option-search .element=${element} .place=${place}></option-search>`;
}

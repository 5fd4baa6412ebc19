/** A select whose options the app finds for what is typed. Its value is the state that Slack reports. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { given, own, PageElement } from '../properties.ts';
import type { Option } from './context.ts';
import { actOn, attributesOf, currentValue, type ElementPlace, isDispatched, nameOf } from './element-place.ts';
import { toObjects, toWords } from './parts.ts';

/** Slack, too, waits until somebody stops typing. */
const PAUSE_MS = 200;

/** As many as Slack shows. */
const MOST = 100;

class OptionSearch extends PageElement {
  static override properties = { ...given('element', 'place'), ...own('offered', 'active', 'chosen') };
  declare element: Json;
  declare place: ElementPlace;
  declare offered: Option[] | undefined;
  /** Which of the offered ones Enter picks. */
  declare active: number;
  /** The one option, or none; undefined where nothing has been chosen here. */
  declare chosen: Json[] | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  protected override render(): TemplateResult {
    const { element, place, offered } = this;
    const has = attributesOf(element, place);
    const [chosen] = this.chosen ?? toObjects(currentValue(element, 'selected_option', place));
    const state = { selected_option: chosen ?? null };
    const shown = offered?.slice(0, MOST);
    const list = `${has.id}-found`;
    return html`<div class="search">
      <input type="hidden" name=${has.name} value=${JSON.stringify(state)}>
      ${chosen ? html`<button type="button" class="chip" aria-label=${`Remove ${toWords(chosen.text)}`} @click=${() => this.#choose([])}>${toWords(chosen.text)} ×</button>` : nothing}
      <input id=${has.id} type="search" autocomplete="off" aria-label=${has.label} aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
        role="combobox" aria-expanded=${shown ? 'true' : 'false'} aria-controls=${list} aria-activedescendant=${shown?.length ? `${list}-${this.active}` : nothing}
        placeholder=${toWords(element.placeholder) || 'Type to search'} @input=${this.#type} @keydown=${this.#press}>
      <ul class="offered" id=${list} role="listbox" aria-label="Found" ?hidden=${!shown?.length}>${shown?.map((one, index) => this.#renderOption(one, index))}</ul>
      <p class="field-hint" role="status">${shown ? `${shown.length === 0 ? 'Nothing' : shown.length} found` : ''}</p>
    </div>`;
  }

  #renderOption(option: Option, index: number): TemplateResult {
    const { offered = [], active } = this;
    const isNewGroup = option.group !== undefined && option.group !== offered[index - 1]?.group;
    return html`${isNewGroup ? html`<li class="group" role="presentation">${option.group}</li>` : nothing}
      <li id=${`${nameOf(this.element, this.place)}-found-${index}`} role="option" aria-selected=${index === active} @click=${() => this.#pick(option)}>${option.text}${option.description ? html` <small>${option.description}</small>` : nothing}</li>`;
  }

  #pick({ text, value }: Option): void {
    this.#choose([{ text: { type: 'plain_text', text }, value }]);
  }

  #choose(chosen: Json[]): void {
    this.chosen = chosen;
    this.offered = undefined;
    const field = this.querySelector<HTMLInputElement>('input[type=search]');
    if (field) field.value = '';
    field?.focus();
    if (isDispatched(this.place)) void actOn(this.element, this.place, chosen[0] && String(chosen[0].value));
  }

  #press(event: KeyboardEvent): void {
    const { offered = [] } = this;
    const count = Math.min(offered.length, MOST);
    const option = offered[this.active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) this.active = (this.active + step + count) % count;
    else if (event.key === 'Enter' && option) this.#pick(option);
    // It never submits, as what is typed may be on its way.
    else if (event.key === 'Enter') return event.preventDefault();
    else if (event.key === 'Escape' && this.offered) this.offered = undefined;
    else return;
    event.preventDefault();
  }

  protected override updated(): void {
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  #type(event: Event): void {
    const field = event.currentTarget as HTMLInputElement;
    const typed = field.value;
    clearTimeout(this.#pause);
    this.offered = undefined;
    this.#pause = setTimeout(async () => {
      const { block, context } = this.place;
      const isLong = typed.length >= Number(this.element.min_query_length ?? 3);
      const found = isLong
        ? await context.search(String(block.block_id), String(this.element.action_id), typed)
        : undefined;
      // Something else may have been typed in the meantime.
      if (field.value !== typed) return;
      this.offered = found;
      this.active = 0;
    }, PAUSE_MS);
  }
}

customElements.define('option-search', OptionSearch);

export function renderSearch(element: Json, place: ElementPlace): TemplateResult {
  return html`<option-search .element=${element} .place=${place}></option-search>`;
}

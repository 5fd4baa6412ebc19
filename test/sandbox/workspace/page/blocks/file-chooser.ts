/** A field for files. They are uploaded when they are chosen; its value is the state that Slack reports. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { renderIcon } from '../icons.ts';
import { given, own, PageElement } from '../properties.ts';
import { readUploads } from '../read-uploads.ts';
import { attributesOf, currentValue, type ElementPlace } from './element-place.ts';
import { toObjects } from './parts.ts';

/** Where the element does not say: https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const MOST = 10;

class FileChooser extends PageElement {
  static override properties = { ...given('element', 'place'), ...own('chosen') };
  declare element: Json;
  declare place: ElementPlace;
  /** The files in Slack; undefined where nothing has been chosen here. */
  declare chosen: Json[] | undefined;

  get #files(): Json[] {
    return this.chosen ?? toObjects(currentValue(this.element, 'files', this.place));
  }

  protected override render(): TemplateResult {
    const { element, place } = this;
    const files = this.#files;
    const has = attributesOf(element, place);
    const accepted = [element.filetypes ?? []].flat().map((type) => `.${String(type)}`);
    const isOne = element.max_files === 1;
    return html`<div class="file-chooser">
      <input type="hidden" name=${has.name} value=${JSON.stringify({ files })}>
      ${files.length === 0 ? nothing : html`<ul aria-label="Chosen files">${files.map((file) => this.#renderFile(file))}</ul>`}
      <label class="button upload">${isOne ? 'Choose a file' : 'Choose files'}<input id=${has.id} type="file" aria-label=${has.label}
        aria-invalid=${has.invalid} aria-describedby=${has.describedBy || nothing}
        accept=${accepted.join(',') || nothing} ?multiple=${!isOne} @change=${this.#upload}></label>
    </div>`;
  }

  #renderFile(file: Json): TemplateResult {
    const name = String(file.name);
    const remove = () => void this.#choose(this.#files.filter((one) => one !== file));
    return html`<li>${renderIcon('file')} ${name}<button type="button" class="quiet" aria-label=${`Remove ${name}`} @click=${remove}>${renderIcon('close')}</button></li>`;
  }

  async #upload(event: Event): Promise<void> {
    // The modal hears of it once Slack has the files.
    event.stopPropagation();
    const most = Number(this.element.max_files ?? MOST);
    const uploads = await readUploads(event.currentTarget as HTMLInputElement);
    const uploaded = await Promise.all(uploads.map((upload) => this.place.context.upload(upload)));
    const files = [...this.#files, ...uploaded.filter((file) => file !== undefined)];
    await this.#choose(files.slice(-most));
  }

  async #choose(files: Json[]): Promise<void> {
    this.chosen = files;
    await this.updateComplete;
    this.querySelector('input[type=hidden]')?.dispatchEvent(new Event('change', { bubbles: true }));
    this.querySelector<HTMLInputElement>('input[type=file]')?.focus();
  }
}

customElements.define('file-chooser', FileChooser);

export function renderFileChooser(element: Json, place: ElementPlace): TemplateResult {
  return html`<file-chooser .element=${element} .place=${place}></file-chooser>`;
}

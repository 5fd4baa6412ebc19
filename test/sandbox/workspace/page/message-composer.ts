/** Where people write: mentions and commands are completed, files go along. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Sight } from '../sight.ts';
import type { Upload } from './blocks/context.ts';
import { type Completing, completeTyped } from './completions.ts';
import { renderIcon } from './icons.ts';
import { given, own, PageElement } from './properties.ts';
import { readUploads } from './read-uploads.ts';
import { toSent } from './typed-text.ts';

type Attached = Upload | { name: string; url: string; externalType: string };

const drafts = new Map<string, string>();

class MessageComposer extends PageElement {
  static override properties = {
    ...given('sight', 'channel', 'draft', 'label', 'initial', 'broadcastTo', 'send', 'cancel'),
    ...own('files', 'completing', 'chosen', 'hint'),
  };
  declare sight: Sight;
  declare channel: string;
  /** Where what was typed and not sent is kept, while people look elsewhere. */
  declare draft: string | undefined;
  declare label: string;
  /** The text of a message that is being edited. */
  declare initial: string | undefined;
  /** The channel that a reply may be sent to as well. */
  declare broadcastTo: string | undefined;
  /** Resolves with whether it was taken. */
  declare send: (given: { text: string; files?: Attached[]; broadcast?: boolean }) => Promise<boolean>;
  declare cancel: (() => void) | undefined;
  declare files: Attached[];
  declare completing: Completing | undefined;
  declare chosen: number;
  /** What the command that is typed takes. */
  declare hint: string;
  readonly #id = `composer-${crypto.randomUUID()}`;

  constructor() {
    super();
    this.files = [];
    this.chosen = 0;
    this.hint = '';
  }

  get #field(): HTMLTextAreaElement {
    return this.querySelector('textarea') as HTMLTextAreaElement;
  }

  protected override firstUpdated(): void {
    this.#field.value = this.initial ?? drafts.get(this.draft ?? '') ?? '';
    // On a phone the keyboard would cover what there is to read.
    if (this.cancel || matchMedia('(min-width: 700px)').matches) this.#field.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.draft) drafts.set(this.draft, this.#field.value);
  }

  #clear(): void {
    this.#field.value = '';
    this.files = [];
    this.#look();
  }

  #look(): void {
    const { value, selectionStart } = this.#field;
    this.completing = completeTyped(value, selectionStart, this);
    this.chosen = 0;
    const command = this.sight.commands.find(({ name }) => value === name || value.startsWith(`${name} `));
    this.hint = command ? `${command.name} ${command.hint}` : '';
  }

  #complete(words: string): void {
    const { value, selectionStart } = this.#field;
    const before = `${value.slice(0, this.completing?.from ?? selectionStart)}${words} `;
    this.#field.value = before + value.slice(selectionStart);
    this.#field.setSelectionRange(before.length, before.length);
    this.#field.focus();
    this.#look();
  }

  #press(event: KeyboardEvent): void {
    const offered = this.completing?.offered ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offered.length > 0) this.chosen = (this.chosen + step + offered.length) % offered.length;
    else if ((event.key === 'Enter' || event.key === 'Tab') && offered.length > 0 && !event.shiftKey)
      this.#complete(offered[this.chosen]?.words ?? '');
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void this.#submit();
    else if (event.key === 'Escape' && this.completing) this.completing = undefined;
    else if (event.key === 'Escape' && this.cancel) this.cancel();
    else return;
    event.preventDefault();
  }

  async #submit(): Promise<void> {
    const typed = this.#field.value.trim();
    const { files } = this;
    if (typed === '' && files.length === 0) return;
    const broadcast = this.querySelector<HTMLInputElement>('input[name=broadcast]');
    const text = toSent(typed, this.sight.names);
    const given = { text, ...(files.length > 0 && { files }), ...(broadcast?.checked && { broadcast: true }) };
    if (!this.cancel) this.#clear();
    const isTaken = await this.send(given);
    if (isTaken && broadcast) broadcast.checked = false;
    if (isTaken || !this.isConnected || this.#field.value !== '') return;
    this.#field.value = typed;
    this.files = files;
    this.#look();
  }

  async #upload(event: Event): Promise<void> {
    const added = await readUploads(event.currentTarget as HTMLInputElement);
    this.files = [...this.files, ...added];
    this.#field.focus();
  }

  protected override render(): TemplateResult {
    const isOpen = this.completing !== undefined;
    const submit = (event: Event) => {
      event.preventDefault();
      void this.#submit();
    };
    return html`<form class="composer" @submit=${submit}>
      ${this.#renderCompletions()}
      ${this.#renderFiles()}
      <textarea rows="1" aria-controls=${this.#id} aria-autocomplete="list"
        aria-activedescendant=${isOpen ? `${this.#id}-${this.chosen}` : nothing}
        aria-label=${this.label} placeholder=${this.label} @input=${this.#look} @click=${this.#look} @keydown=${this.#press}></textarea>
      ${this.hint ? html`<p class="hint">${this.hint}</p>` : nothing}
      <div class="composer-foot">${this.cancel ? this.#renderEditButtons() : this.#renderButtons()}</div>
    </form>`;
  }

  #renderCompletions(): TemplateResult {
    const offered = this.completing?.offered ?? [];
    return html`<ul class="completions" id=${this.#id} role="listbox" aria-label="Suggestions" ?hidden=${offered.length === 0}>
      ${offered.map(({ words, hint }, index) => {
        const choose = (event: Event) => {
          event.preventDefault();
          this.#complete(words);
        };
        return html`<li id=${`${this.#id}-${index}`} role="option" aria-selected=${index === this.chosen} @mousedown=${choose}><strong>${words}</strong> <span>${hint}</span></li>`;
      })}</ul>`;
  }

  #renderFiles(): TemplateResult | typeof nothing {
    if (this.files.length === 0) return nothing;
    const remove = (file: Attached) => () => {
      this.files = this.files.filter((one) => one !== file);
    };
    return html`<ul class="attached" aria-label="Attached files">${this.files.map(
      (file) =>
        html`<li>${renderIcon('file')} ${file.name}<button type="button" class="quiet" aria-label=${`Remove ${file.name}`} @click=${remove(file)}>${renderIcon('close')}</button></li>`,
    )}</ul>`;
  }

  #renderEditButtons(): TemplateResult {
    return html`<span class="spring"></span><button type="button" class="button" @click=${this.cancel}>Cancel</button><button class="button primary">Save</button>`;
  }

  #renderButtons(): TemplateResult {
    const attach = (file: { name: string; url: string }) => () => {
      this.files = [...this.files.filter(({ name }) => name !== file.name), { ...file, externalType: 'onedrive' }];
    };
    const startMention = () => {
      const { value } = this.#field;
      this.#field.setRangeText(value === '' || value.endsWith(' ') ? '@' : ' @', value.length, value.length, 'end');
      this.#field.focus();
      this.#look();
    };
    return html`<details class="menu up"><summary class="quiet" aria-label="Attach a file" title="Attach a file">${renderIcon('plus')}</summary><ul>
        <li class="menu-title">From the organisation’s library</li>
        ${this.sight.files.map((file) => html`<li><button type="button" @click=${attach(file)}>${file.name}</button></li>`)}
        <li><label class="upload">Upload from this computer<input type="file" multiple @change=${this.#upload}></label></li>
      </ul></details>
      <button type="button" class="quiet" aria-label="Mention somebody" title="Mention somebody" @click=${startMention}>${renderIcon('at')}</button>
      ${this.broadcastTo ? html`<label class="broadcast"><input type="checkbox" name="broadcast"> Also send to ${this.broadcastTo}</label>` : nothing}
      <span class="spring"></span><button class="button primary" aria-label="Send">Send</button>`;
  }
}

customElements.define('message-composer', MessageComposer);

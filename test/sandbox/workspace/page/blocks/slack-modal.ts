/** The modal in front of somebody: https://docs.slack.dev/surfaces/modals */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Json } from '../../../slack/records.ts';
import type { ShownView } from '../../sight.ts';
import { given, own, PageElement } from '../properties.ts';
import type { BlockContext } from './context.ts';
import { readEntries } from './entries.ts';
import { isObject, toWords } from './parts.ts';
import { renderBlocks } from './render-blocks.ts';

class SlackModal extends PageElement {
  static override properties = { ...given('view', 'context'), ...own('isSending') };
  declare view: ShownView;
  declare context: BlockContext;
  declare isSending: boolean;
  #before: Element | null = null;
  #hadFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.isSending = false;
    this.#before = document.activeElement;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    const before = this.#before instanceof HTMLElement && this.#before.isConnected ? this.#before : undefined;
    // What opened it may have changed meanwhile.
    (before ?? document.querySelector<HTMLElement>('main textarea'))?.focus();
  }

  protected override firstUpdated(): void {
    // Not `showModal`: somebody else can be chosen while it is open, as in another browser.
    this.querySelector('dialog')?.show();
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.contains(document.activeElement);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('view');
    const isNewView = changed.has('view') && before?.id !== this.view.id;
    // An update may take away what has the focus.
    const isFocusLost = this.#hadFocus && !this.contains(document.activeElement);
    if (isNewView || isFocusLost) this.#focus(this.#findFirst());
    const { errors } = this.context;
    const isNew = changed.has('context') && changed.get('context')?.errors !== errors;
    if (isNew && Object.keys(errors).length > 0) this.#focus('[aria-invalid=true]');
  }

  /** The one that asks for it, or the first. */
  #findFirst(): string {
    const wanted = this.view.blocks.find(({ element }) => isObject(element) && element.focus_on_load === true);
    const name = wanted && `${String(wanted.block_id)}/${String((wanted.element as Json).action_id)}`;
    return name === undefined ? 'input:not([type=hidden]), textarea, select' : `[id="${name}"]`;
  }

  /** Once the fields that are components of their own have drawn themselves. */
  #focus(selector: string): void {
    setTimeout(() => {
      const found = this.querySelector<HTMLElement>(`.modal-body :is(${selector})`);
      (found ?? this.querySelector<HTMLElement>('.modal-body'))?.focus();
    });
  }

  protected override render(): TemplateResult {
    const { view, context } = this;
    const title = toWords(view.title) || 'Modal';
    const close = () => context.close();
    const keepFocus = (event: Event) => {
      if (event.target === event.currentTarget) event.preventDefault();
    };
    // Somebody else may be chosen before it is submitted.
    const keepEntries = () => void context.fill(this.#entries());
    // The app sees with each action what is entered so far.
    const inModal: BlockContext = {
      ...context,
      act: async (action) => {
        await context.fill(this.#entries());
        await context.act(action);
      },
    };
    return html`<div class="modal-layer" @pointerdown=${keepFocus}><dialog class="modal" aria-label=${title}>
      <form novalidate @submit=${this.#submit} @change=${keepEntries}>
        <div class="modal-head"><h2>${title}</h2><button type="button" class="quiet" aria-label="Close" @click=${close}>×</button></div>
        <div class="modal-body" tabindex="0" role="group" aria-label=${title}>${keyed(view.id, renderBlocks(view.blocks, inModal, view.entered))}</div>
        <div class="modal-foot">
          <button type="button" class="button" @click=${close}>${toWords(view.close) || 'Cancel'}</button>
          ${view.submit ? html`<button class="button primary" aria-busy=${this.isSending} ?disabled=${view.submitDisabled}>${toWords(view.submit)}</button>` : nothing}
        </div>
      </form>
    </dialog></div>`;
  }

  #entries() {
    const form = this.querySelector('form');
    return form ? readEntries(this.view.blocks, new FormData(form)) : {};
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isSending || !this.view.submit) return;
    this.isSending = true;
    try {
      await this.context.submit(this.#entries());
    } finally {
      this.isSending = false;
    }
  }
}

customElements.define('slack-modal', SlackModal);

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { ShownView } from '../../sight.ts';
import type { BlockContext } from './context.ts';
import { renderButtons } from './render-message-body.ts';

/** The modal in front of somebody. */
class SlackModal extends LitElement {
  static override properties = { view: { attribute: false }, context: { attribute: false } };
  declare view: ShownView;
  declare context: BlockContext;

  protected override createRenderRoot() {
    return this;
  }

  protected override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  protected override render(): TemplateResult {
    const { view, context } = this;
    const words = (holder: Json | undefined, otherwise: string) => String(holder?.text ?? otherwise);
    const inputs = view.blocks.filter(({ type }) => type === 'input');
    const cancel = (event: Event) => {
      event.preventDefault();
      context.close();
    };
    return html`<dialog class="modal" aria-label=${words(view.title, 'Modal')} @cancel=${cancel}>
      <form @submit=${this.#submit}>
        <div class="plain-body">${view.rendered}</div>
        ${renderButtons(view.blocks, context)}
        ${inputs.map((block) => {
          const id = String(block.block_id);
          const error = context.errors[id];
          return html`<label class="plain-field">${words(block.label as Json, id)}<textarea name=${id} rows="3"></textarea>
            ${error ? html`<span role="alert">${error}</span>` : nothing}</label>`;
        })}
        <div class="plain-buttons">
          <button type="button" class="button" @click=${() => context.close()}>${words(view.close, 'Close')}</button>
          ${view.submit ? html`<button class="button primary">${words(view.submit, 'Submit')}</button>` : nothing}
        </div>
      </form>
    </dialog>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    const entered = new FormData(event.currentTarget as HTMLFormElement);
    const filled = [...entered].filter(([, value]) => value !== '').map(([id, value]) => [id, String(value)]);
    void this.context.submit(Object.fromEntries(filled));
  }
}

customElements.define('slack-modal', SlackModal);

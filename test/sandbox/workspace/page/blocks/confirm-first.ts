/** The question before an action: https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
import { html, render } from 'lit';
import type { BlockContext } from './context.ts';
import { isObject, toWords } from './parts.ts';
import { renderText } from './rich-text.ts';

/** Whether the person goes on; at once where there is nothing to confirm. */
export async function confirmFirst(confirm: unknown, context: BlockContext): Promise<boolean> {
  if (!isObject(confirm)) return true;
  const dialog = document.createElement('dialog');
  dialog.className = 'modal small';
  dialog.setAttribute('aria-label', toWords(confirm.title));
  const end = (answer: string) => () => dialog.close(answer);
  render(
    html`<div class="modal-head"><h2>${toWords(confirm.title)}</h2></div>
      <div class="modal-body">${renderText(confirm.text, context)}</div>
      <div class="modal-foot"><button type="button" class="button" @click=${end('no')}>${toWords(confirm.deny) || 'Cancel'}</button>
      <button type="button" class=${`button ${confirm.style === 'danger' ? 'danger' : 'primary'}`} @click=${end('yes')}>${toWords(confirm.confirm) || 'Yes'}</button></div>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  dialog.remove();
  return dialog.returnValue === 'yes';
}

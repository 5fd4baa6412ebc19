/** What is pressed: buttons and feedback buttons. */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { actOn, type ElementPlace } from './element-place.ts';
import { renderSign } from './emoji-signs.ts';
import { renderPlain, toPlain } from './mrkdwn.ts';
import { toObjects, toWords } from './parts.ts';

/** A link as well: the shell opens the address once the app has heard of the click. */
export function renderButton(element: Json, place: ElementPlace): TemplateResult {
  const style = element.style === 'primary' || element.style === 'danger' ? ` ${element.style}` : '';
  const words = toWords(element.text);
  return html`<button type="button" class=${`button${style}`} aria-label=${String(element.accessibility_label ?? toPlain(words))} @click=${() => actOn(element, place)}>${renderPlain(words)}</button>`;
}

export function renderFeedback(element: Json, place: ElementPlace): TemplateResult {
  const side = (button: Json, sign: string) =>
    html`<button type="button" class="quiet" aria-label=${String(button.accessibility_label ?? toWords(button.text))} title=${toWords(button.text)}
      @click=${() => actOn(element, place, String(button.value))}>${renderSign(sign)} ${toWords(button.text)}</button>`;
  return html`${toObjects(element.positive_button).map((one) => side(one, 'thumbsup'))}${toObjects(element.negative_button).map((one) => side(one, 'thumbsdown'))}`;
}

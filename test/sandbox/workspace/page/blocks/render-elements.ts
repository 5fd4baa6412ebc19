/** Each type of element: https://docs.slack.dev/reference/block-kit/block-elements */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { renderButton, renderFeedback } from './buttons.ts';
import { renderChoiceList, renderSelect } from './choices.ts';
import type { ElementPlace } from './element-place.ts';
import { renderField } from './fields.ts';
import { renderFileChooser } from './file-chooser.ts';
import { renderSearch } from './option-search.ts';

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

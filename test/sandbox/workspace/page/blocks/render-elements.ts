/** Each type of element: https://docs.slack.dev/reference/block-kit/block-elements */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { renderButton, renderFeedback, renderIconButton, renderOverflow } from './buttons.ts';
import { renderChoiceList, renderSelect } from './choices.ts';
import type { ElementPlace } from './element-place.ts';
import { renderField } from './fields.ts';
import { renderSearch } from './option-search.ts';
import { renderPicture } from './pictures.ts';

const DRAW: Record<string, (element: Json, place: ElementPlace) => TemplateResult> = {
  button: renderButton,
  workflow_button: renderButton,
  icon_button: renderIconButton,
  feedback_buttons: renderFeedback,
  overflow: renderOverflow,
  static_select: renderSelect,
  users_select: renderSelect,
  conversations_select: renderSelect,
  channels_select: renderSelect,
  multi_static_select: renderChoiceList,
  multi_users_select: renderChoiceList,
  multi_conversations_select: renderChoiceList,
  multi_channels_select: renderChoiceList,
  radio_buttons: renderChoiceList,
  checkboxes: renderChoiceList,
  external_select: renderSearch,
  multi_external_select: renderSearch,
  plain_text_input: renderField,
  number_input: renderField,
  email_text_input: renderField,
  url_text_input: renderField,
  datepicker: renderField,
  timepicker: renderField,
  datetimepicker: renderField,
  rich_text_input: renderField,
  image: renderPicture,
};

export function renderElement(element: Json, place: ElementPlace): TemplateResult {
  const draw = DRAW[String(element.type)];
  if (draw) return draw(element, place);
  return html`<p class="unknown">An element of the type ${String(element.type)}, which this client cannot draw.</p>`;
}

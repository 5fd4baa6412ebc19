/** Interactive elements and their limits: https://docs.slack.dev/reference/block-kit/block-elements */
import type { Json } from '../records.ts';
import { isObject, type Problems } from './problems.ts';

export type Surface = 'message' | 'modal' | 'home';

type ElementCheck = (element: Json, pointer: string, problems: Problems) => void;

const BUTTON_FIELDS = ['type', 'text', 'action_id', 'url', 'value', 'style', 'confirm', 'accessibility_label'];
const SELECT_TYPES = ['users', 'conversations', 'channels', 'external'];

const ELEMENTS: Record<string, ElementCheck> = {
  button: checkButton,
  workflow_button: checkButton,
  static_select: checkSelect,
  multi_static_select: checkSelect,
  overflow: (element, pointer, problems) =>
    checkOptions(element.options, `${pointer}/options`, problems, { min: 1, max: 5 }),
  checkboxes: (element, pointer, problems) =>
    checkOptions(element.options, `${pointer}/options`, problems, { min: 1, max: 10 }),
  radio_buttons: (element, pointer, problems) =>
    checkOptions(element.options, `${pointer}/options`, problems, { min: 1, max: 10 }),
  plain_text_input: checkTextInput,
  email_text_input: () => {},
  url_text_input: () => {},
  number_input: (element, pointer, problems) => {
    if (typeof element.is_decimal_allowed !== 'boolean')
      problems.add(`${pointer}/is_decimal_allowed`, 'missing required field');
  },
  rich_text_input: () => {},
  datepicker: () => {},
  timepicker: () => {},
  datetimepicker: () => {},
  feedback_buttons: checkFeedback,
  icon_button: (element, pointer, problems) => {
    if (element.icon !== 'trash') problems.add(`${pointer}/icon`, 'must be trash');
    problems.textObject(element.text, `${pointer}/text`, { max: 75, plainOnly: true });
  },
  file_input: () => {},
  ...Object.fromEntries(
    SELECT_TYPES.flatMap((type) => [
      [`${type}_select`, () => {}],
      [`multi_${type}_select`, () => {}],
    ]),
  ),
};

/** Where each element may stand besides `input`: https://docs.slack.dev/reference/block-kit/block-elements */
const IN_ACTIONS = new Set([
  'button',
  'workflow_button',
  'static_select',
  'overflow',
  'checkboxes',
  'radio_buttons',
  'datepicker',
  'timepicker',
  'datetimepicker',
  ...SELECT_TYPES.map((type) => `${type}_select`),
]);
const IN_CONTEXT_ACTIONS = new Set(['feedback_buttons', 'icon_button']);
const NOT_IN_INPUT = new Set(['button', 'workflow_button', 'overflow', 'feedback_buttons', 'icon_button']);

export type ElementPlace = 'actions' | 'section' | 'context_actions' | 'input';

export function checkElement(element: Json, pointer: string, place: ElementPlace, problems: Problems): void {
  const type = String(element.type);
  const check = ELEMENTS[type];
  if (!check || !fits(type, place)) {
    problems.add(`${pointer}/type`, `unsupported type: ${type} in ${place}`);
    return;
  }
  problems.optionalText(element.action_id, `${pointer}/action_id`, 255);
  if (element.placeholder !== undefined) {
    problems.textObject(element.placeholder, `${pointer}/placeholder`, { max: 150, plainOnly: true });
  }
  if (element.confirm !== undefined) checkConfirm(element.confirm, `${pointer}/confirm`, problems);
  check(element, pointer, problems);
}

function fits(type: string, place: ElementPlace): boolean {
  if (place === 'context_actions') return IN_CONTEXT_ACTIONS.has(type);
  if (place === 'input') return !NOT_IN_INPUT.has(type);
  return IN_ACTIONS.has(type) || (place === 'section' && type.startsWith('multi_'));
}

function checkButton(element: Json, pointer: string, problems: Problems): void {
  for (const field of Object.keys(element)) {
    if (!BUTTON_FIELDS.includes(field)) problems.add(`${pointer}/${field}`, 'unknown field');
  }
  problems.textObject(element.text, `${pointer}/text`, { max: 75, plainOnly: true });
  problems.optionalText(element.value, `${pointer}/value`, 2000);
  problems.optionalText(element.url, `${pointer}/url`, 3000);
  problems.optionalText(element.accessibility_label, `${pointer}/accessibility_label`, 75);
  if (element.style !== undefined && element.style !== 'primary' && element.style !== 'danger') {
    problems.add(`${pointer}/style`, 'must be primary or danger');
  }
}

function checkSelect(element: Json, pointer: string, problems: Problems): void {
  if (element.options === undefined && element.option_groups === undefined)
    problems.add(pointer, 'options or option_groups required');
  if (element.options !== undefined)
    checkOptions(element.options, `${pointer}/options`, problems, { min: 1, max: 100 });
  if (element.option_groups === undefined) return;
  const groups = problems.list(element.option_groups, `${pointer}/option_groups`, { min: 1, max: 100 });
  for (const [index, group] of groups.entries()) {
    const at = `${pointer}/option_groups/${index}`;
    problems.textObject(group.label, `${at}/label`, { max: 75, plainOnly: true });
    checkOptions(group.options, `${at}/options`, problems, { min: 1, max: 100 });
  }
}

export function checkOptions(
  options: unknown,
  pointer: string,
  problems: Problems,
  range: { min: number; max: number },
): void {
  for (const [index, option] of problems.list(options, pointer, range).entries()) {
    problems.textObject(option.text, `${pointer}/${index}/text`, { max: 75 });
    problems.text(option.value, `${pointer}/${index}/value`, 150);
    if (option.description !== undefined)
      problems.textObject(option.description, `${pointer}/${index}/description`, { max: 75 });
  }
}

function checkTextInput(element: Json, pointer: string, problems: Problems): void {
  for (const field of ['min_length', 'max_length'] as const) {
    const value = element[field];
    if (value !== undefined && (typeof value !== 'number' || value < 0 || value > 3000)) {
      problems.add(`${pointer}/${field}`, 'must be between 0 and 3000');
    }
  }
}

function checkFeedback(element: Json, pointer: string, problems: Problems): void {
  for (const side of ['positive_button', 'negative_button'] as const) {
    const button = element[side];
    if (!isObject(button)) {
      problems.add(`${pointer}/${side}`, 'missing required field');
      continue;
    }
    problems.textObject(button.text, `${pointer}/${side}/text`, { max: 75, plainOnly: true });
    problems.text(button.value, `${pointer}/${side}/value`, 2000);
    problems.optionalText(button.accessibility_label, `${pointer}/${side}/accessibility_label`, 75);
  }
}

function checkConfirm(value: unknown, pointer: string, problems: Problems): void {
  if (!isObject(value)) return problems.add(pointer, 'must be an object');
  problems.textObject(value.title, `${pointer}/title`, { max: 100, plainOnly: true });
  problems.textObject(value.text, `${pointer}/text`, { max: 300 });
  problems.textObject(value.confirm, `${pointer}/confirm`, { max: 30, plainOnly: true });
  problems.textObject(value.deny, `${pointer}/deny`, { max: 30, plainOnly: true });
}

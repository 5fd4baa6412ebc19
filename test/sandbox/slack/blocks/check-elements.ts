/** Interactive elements and their limits: https://docs.slack.dev/reference/block-kit/block-elements */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isObject, parseObject, toObjects } from '../json.ts';
import type { Json } from '../records.ts';
import { anyText, anything, byType, findProblems, list, object, optionalText, plainText, text } from './problems.ts';

const OPTION = object({ text: anyText(75), value: text(150), description: anyText(75).optional() });
/** Those of a menu; also what an app answers that Slack asks for options. */
const optionsOf = (min: number, max: number) => list(min, max, OPTION);
const GROUPS = list(1, 100, object({ label: plainText(75), options: optionsOf(1, 100) }));

const BUTTON = z.strictObject({
  type: anything,
  text: plainText(75),
  action_id: anything,
  url: optionalText(3000),
  value: optionalText(2000),
  style: z.enum(['primary', 'danger'], 'must be primary or danger').optional(),
  confirm: anything,
  accessibility_label: optionalText(75),
});

const SELECT = object({ options: optionsOf(1, 100).optional(), option_groups: GROUPS.optional() }).refine(
  ({ options, option_groups }) => options !== undefined || option_groups !== undefined,
  'options or option_groups required',
);

const LENGTH = z.number('must be between 0 and 3000').min(0).max(3000, 'must be between 0 and 3000').optional();
const SIDE = object({ text: plainText(75), value: text(2000), accessibility_label: optionalText(75) });
const CONFIRM = object({ title: plainText(100), text: anyText(300), confirm: plainText(30), deny: plainText(30) });

export type ElementPlace = 'actions' | 'section' | 'context_actions' | 'input';

/** Where each may stand: https://docs.slack.dev/reference/block-kit/block-elements */
const BUTTONS: ElementPlace[] = ['actions', 'section'];
const MENUS: ElementPlace[] = ['actions', 'section', 'input'];
const MULTI: ElementPlace[] = ['section', 'input'];

const ELEMENTS: Readonly<Record<string, readonly [ElementPlace[], z.ZodType]>> = {
  image: [['section'], anything],
  button: [BUTTONS, BUTTON],
  workflow_button: [BUTTONS, BUTTON],
  overflow: [BUTTONS, object({ options: optionsOf(1, 5) })],
  static_select: [MENUS, SELECT],
  users_select: [MENUS, anything],
  conversations_select: [MENUS, anything],
  channels_select: [MENUS, anything],
  external_select: [MENUS, anything],
  multi_static_select: [MULTI, SELECT],
  multi_users_select: [MULTI, anything],
  multi_conversations_select: [MULTI, anything],
  multi_channels_select: [MULTI, anything],
  multi_external_select: [MULTI, anything],
  checkboxes: [MENUS, object({ options: optionsOf(1, 10) })],
  radio_buttons: [MENUS, object({ options: optionsOf(1, 10) })],
  datepicker: [MENUS, anything],
  timepicker: [MENUS, anything],
  datetimepicker: [MENUS, anything],
  plain_text_input: [['input'], object({ min_length: LENGTH, max_length: LENGTH })],
  email_text_input: [['input'], anything],
  url_text_input: [['input'], anything],
  rich_text_input: [['input'], anything],
  file_input: [['input'], anything],
  number_input: [['input'], object({ is_decimal_allowed: z.boolean('missing required field') })],
  feedback_buttons: [['context_actions'], object({ positive_button: SIDE, negative_button: SIDE })],
  icon_button: [['context_actions'], object({ icon: z.literal('trash', 'must be trash'), text: plainText(75) })],
};

const EVERY = object({
  action_id: optionalText(255),
  placeholder: plainText(150).optional(),
  confirm: CONFIRM.optional(),
  initial_options: list(1, 100, OPTION).optional(),
}).superRefine((element, context) => {
  const offered = [
    ...toObjects(element.options),
    ...toObjects(element.option_groups).flatMap(({ options }) => options),
  ];
  const chosen = [element.initial_option, element.initial_options].flat().filter(isObject);
  if (offered.length > 0 && !chosen.every((one) => offered.some((option) => isDeepStrictEqual(option, one))))
    context.addIssue({ code: 'custom', path: ['initial_option'], message: 'must be one of the options' });
});

export function elementIn(place: ElementPlace): z.ZodType {
  return byType((type) => {
    const [places, schema] = ELEMENTS[type] ?? [];
    return schema && places?.includes(place) ? [EVERY, schema] : `unsupported type: ${type} in ${place}`;
  });
}

// None at all is what Slack calls no results; a group, though, has something in it.
const ANSWER = object({ options: optionsOf(0, 100).optional(), option_groups: GROUPS.optional() });

export function checkOptionsAnswer(body: string): { answer: Json } | { problems: string[] } {
  const answer = parseObject(body);
  if (answer === undefined) return { problems: ['The answer is not JSON.'] };
  if ((answer.options === undefined) === (answer.option_groups === undefined))
    return { problems: ['The answer has to hold either options or option_groups.'] };
  const problems = findProblems(answer, '', ANSWER);
  return problems.length > 0 ? { problems } : { answer };
}

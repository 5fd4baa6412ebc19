// The window that schedules a question, and the list of a person's scheduled questions.
import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import { DateTime, Info } from 'luxon';
import type { ScheduledQuestion, ScheduleTimes } from '../../conversation/schedules.ts';
import type { Texts } from '../../languages/english.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { CALLBACKS } from './callbacks.ts';
import {
  ACTIONS,
  buildButton,
  buildPlainText,
  buildSection,
  buildTitle,
  type Content,
  toLocale,
  toMrkdwnName,
} from './content.ts';
import type { ModalTopic } from './modal.ts';

export const SCHEDULE_BLOCKS = { question: 'schedule_question', days: 'schedule_days', time: 'schedule_time' } as const;

const WORK_DAYS = [1, 2, 3, 4, 5];
const ALL_DAYS = [...WORK_DAYS, 6, 7];
const MORNING = '08:00';

/** The length of a question in the list: enough to recognise it. */
const SHOWN_LENGTH = 200;

export function toScheduleTopic({ schedules, controls }: Texts): ModalTopic {
  return { id: CALLBACKS.schedule, title: schedules.title, loading: controls.loading };
}

/** `question`: the text that the window starts with. `zone`: of the person (IANA). */
export function buildScheduleWindow({ question, zone }: { question: string; zone: string }, texts: Texts): ModalView {
  const { schedules, controls } = texts;
  const options = ALL_DAYS.map((day) => ({ text: buildPlainText(nameDays(texts)[day - 1] ?? ''), value: String(day) }));
  return {
    type: 'modal',
    callback_id: CALLBACKS.schedule,
    private_metadata: zone,
    title: buildTitle(schedules.title),
    submit: buildTitle(schedules.submit),
    close: buildTitle(controls.cancel),
    blocks: [
      buildSection(schedules.intro),
      buildInput(SCHEDULE_BLOCKS.question, schedules.question, {
        ...{ type: 'plain_text_input', action_id: SCHEDULE_BLOCKS.question, multiline: true },
        max_length: MAX_INPUT_LENGTH,
        ...(question && { initial_value: question.slice(0, MAX_INPUT_LENGTH) }),
      }),
      buildInput(SCHEDULE_BLOCKS.days, schedules.days, {
        ...{ type: 'checkboxes', action_id: SCHEDULE_BLOCKS.days, options },
        initial_options: options.slice(0, WORK_DAYS.length),
      }),
      {
        ...buildInput(SCHEDULE_BLOCKS.time, schedules.time, {
          ...{ type: 'timepicker', action_id: SCHEDULE_BLOCKS.time, initial_time: MORNING },
        }),
        hint: buildPlainText(schedules.timeHint(zone)),
      },
    ],
  };
}

type Entered = {
  value?: string | null | undefined;
  selected_time?: string | null | undefined;
  selected_options?: { value?: string }[] | null | undefined;
};

type Submitted = { private_metadata: string; state: { values: Record<string, Record<string, Entered>> } };

/** What was entered in that window. Slack sends it only with a question, a day and a time. */
export function readScheduleWindow({ private_metadata: zone, state }: Submitted) {
  const read = (id: string) => state.values[id]?.[id];
  return {
    zone,
    question: read(SCHEDULE_BLOCKS.question)?.value?.trim() ?? '',
    days: (read(SCHEDULE_BLOCKS.days)?.selected_options ?? []).map(({ value }) => Number(value)),
    time: read(SCHEDULE_BLOCKS.time)?.selected_time ?? MORNING,
  };
}

/** `first`: when it is asked first (epoch ms). */
export function buildScheduleSaved(first: number, zone: string, texts: Texts): ModalView {
  const { schedules, controls } = texts;
  const at = DateTime.fromMillis(first, { zone, locale: toLocale(texts) }).toFormat(schedules.timeFormat);
  return {
    type: 'modal',
    callback_id: `${CALLBACKS.schedule}_saved`,
    title: buildTitle(schedules.title),
    close: buildTitle(controls.close),
    blocks: [buildSection(schedules.saved(at))],
  };
}

/** For `/assistant schedule`; the home tab shows its blocks below a heading. */
export function buildScheduleList(
  questions: readonly ScheduledQuestion[],
  { isHeld }: { isHeld: boolean },
  texts: Texts,
): Content {
  const { schedules } = texts;
  const notes = [...(questions.length === 0 ? [schedules.none] : []), ...(isHeld ? [schedules.held] : [])];
  return {
    text: schedules.listTitle,
    blocks: [
      ...questions.map((one) => buildItem(one, texts)),
      ...notes.map(buildSection),
      { type: 'actions', elements: [buildButton(ACTIONS.schedule, schedules.button, 'new')] },
    ],
  };
}

function buildItem(question: ScheduledQuestion, texts: Texts): AnyBlock {
  const { schedules, controls } = texts;
  const asked = toMrkdwnName(question.content.text, SHOWN_LENGTH) || `_${schedules.unreadable}_`;
  return {
    ...buildSection(`*${describeDays(question, texts)}, ${question.time}*\n${asked}`),
    accessory: {
      ...buildButton(ACTIONS.endSchedule, schedules.end, question.id),
      confirm: {
        title: buildPlainText(schedules.endTitle),
        text: buildPlainText(schedules.endText),
        confirm: buildPlainText(schedules.end),
        deny: buildPlainText(controls.cancel),
      },
    },
  };
}

function describeDays({ days }: Pick<ScheduleTimes, 'days'>, texts: Texts): string {
  const { schedules } = texts;
  const isThese = (some: number[]) => days.length === some.length && some.every((day) => days.includes(day));
  if (isThese(ALL_DAYS)) return schedules.everyDay;
  if (isThese(WORK_DAYS)) return schedules.weekdays;
  return nameDays(texts)
    .filter((_, index) => days.includes(index + 1))
    .join(', ');
}

function nameDays(texts: Texts): string[] {
  return Info.weekdays('long', { locale: toLocale(texts) });
}

function buildInput(blockId: string, label: string, element: InputBlock['element']): InputBlock {
  return { type: 'input', block_id: blockId, label: buildPlainText(label), element };
}

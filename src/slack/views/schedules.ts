// The window that schedules a question, and the list of a person's scheduled questions.
import type { AnyBlock, ModalView } from '@slack/types';
import { DateTime, Info } from 'luxon';
import type { ScheduledQuestion, ScheduleTimes } from '../../conversation/schedules.ts';
import type { Texts } from '../../languages/english.ts';
import { CALLBACKS } from './callbacks.ts';
import {
  ACTIONS,
  buildButton,
  buildConfirm,
  buildSection,
  type Content,
  toContent,
  toLocale,
  toMrkdwnName,
} from './content.ts';
import { buildCheckboxes, buildField, buildTextField, readFields, type Submitted } from './fields.ts';
import { buildModal, type ModalTopic } from './modal.ts';

const FIELDS = { question: 'schedule_question', days: 'schedule_days', time: 'schedule_time' } as const;

/** The field below which the window shows what is wrong. */
export const SCHEDULED_QUESTION = FIELDS.question;

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
  const { schedules: words } = texts;
  const names = nameDays(texts);
  const days = ALL_DAYS.map((day): [string, string] => [String(day), names[day - 1] ?? '']);
  const time = { name: FIELDS.time, label: words.time, hint: words.timeHint(zone) };
  return buildModal(
    { id: CALLBACKS.schedule, title: words.title, submit: words.submit, metadata: zone },
    [
      buildSection(words.intro),
      buildTextField({ name: FIELDS.question, label: words.question }, { initial: question }),
      buildCheckboxes({ name: FIELDS.days, label: words.days }, days, WORK_DAYS.length),
      buildField(time, { type: 'timepicker', initial_time: MORNING }),
    ],
    texts,
  );
}

/** What was entered in that window. Slack sends it only with a question, a day and a time. */
export function readScheduleWindow(view: Submitted) {
  const { text, time, ticked } = readFields(view);
  return {
    zone: view.private_metadata,
    question: text(FIELDS.question),
    days: ticked(FIELDS.days).map(Number),
    time: time(FIELDS.time) ?? MORNING,
  };
}

/** `first`: when the question is asked first (epoch ms). */
export function buildScheduleSaved(first: number, zone: string, texts: Texts): ModalView {
  const { title, saved, timeFormat } = texts.schedules;
  const at = DateTime.fromMillis(first, { zone, locale: toLocale(texts) }).toFormat(timeFormat);
  return buildModal({ id: `${CALLBACKS.schedule}_saved`, title }, [buildSection(saved(at))], texts);
}

/** For `/assistant schedule`; the home tab shows its blocks below a heading. */
export function buildScheduleList(
  questions: readonly ScheduledQuestion[],
  { isHeld }: { isHeld: boolean },
  texts: Texts,
): Content {
  const { schedules } = texts;
  const notes = [...(questions.length === 0 ? [schedules.none] : []), ...(isHeld ? [schedules.held] : [])];
  return toContent([
    ...questions.map((one) => buildItem(one, texts)),
    ...notes.map(buildSection),
    { type: 'actions', elements: [buildButton(ACTIONS.schedule, schedules.button, 'new')] },
  ]);
}

function buildItem(question: ScheduledQuestion, texts: Texts): AnyBlock {
  const { end, endTitle: title, endText: text, unreadable } = texts.schedules;
  const asked = toMrkdwnName(question.content.text, SHOWN_LENGTH) || `_${unreadable}_`;
  const confirm = buildConfirm({ title, text, confirm: end, deny: texts.controls.cancel });
  return {
    ...buildSection(`*${describeDays(question, texts)}, ${question.time}*\n${asked}`),
    accessory: { ...buildButton(ACTIONS.endSchedule, end, question.id), confirm },
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

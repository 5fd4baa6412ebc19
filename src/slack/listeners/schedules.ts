import type { App, SlashCommand } from '@slack/bolt';
import type { Person } from '../../conversation/question.ts';
import { MOST_SCHEDULED } from '../../conversation/schedules.ts';
import type { QuestionContent } from '../../conversation/stores.ts';
import type { Texts } from '../../languages/english.ts';
import { nameMentioned } from '../quotes/name-people.ts';
import { toAskedTs } from '../read-thread.ts';
import { readMessage, readTyped } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS, buildSection, toContent } from '../views/content.ts';
import { fitsRoot } from '../views/notice-message.ts';
import {
  buildScheduleList,
  buildScheduleSaved,
  buildScheduleWindow,
  readScheduleWindow,
  SCHEDULED_QUESTION,
  toScheduleTopic,
} from '../views/schedules.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { toCallCode } from '../web/slack-errors.ts';
import {
  answerWithWindow,
  type Click,
  type Clicker,
  onButton,
  onSubmit,
  onWindowButton,
  readClicker,
  readOwnTurn,
} from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/** The window that schedules a question. If the question of the answer cannot be read, people can type it there. */
const WINDOW = { topic: toScheduleTopic, failed: ({ controls }: Texts) => controls.windowNotFilled };

/** *Ask regularly…* under an answer and in the home tab, the window that it opens, and *End* in the list. */
export function registerSchedules(app: App, ports: ListenerPorts): void {
  onWindowButton(app, ACTIONS.schedule, ports, {
    ...WINDOW,
    fill: async (click, texts) => fill(await readAsked(click, ports), click.by, texts, ports),
  });

  onSubmit(app, { id: CALLBACKS.schedule, field: SCHEDULED_QUESTION }, ports, async ({ by, view, ...given }) => {
    const { question, zone, ...times } = readScheduleWindow(view);
    const { text, webSearch, links, unusable } = readTyped(question, by);
    const content = { text, webSearch, links, unusable };
    const texts = await given.texts;
    if (text === '') return { refused: texts.schedules.empty };
    if (!fitsRoot(content)) return { refused: texts.controls.questionTooLong };
    const { person, workspace } = by;
    const first = await ports.scheduling.add({ id: view.id, person, workspace, zone, content, ...times });
    if (first === undefined) return { refused: texts.schedules.full(MOST_SCHEDULED) };
    return { view: buildScheduleSaved(first, zone, texts), after: () => ports.homeTab.refresh(person) };
  });

  onButton(app, ACTIONS.endSchedule, ports, async ({ by: { person }, value, body }) => {
    await ports.scheduling.end(person, value);
    ports.inBackground(() => ports.homeTab.refresh(person));
    // The home tab shows the result.
    if (body.view) return undefined;
    const list = await listSchedules(person, ports);
    return (texts) => ({ replacement: list(texts) });
  });
}

/** `/assistant schedule <question>` opens the window with the question. */
export function openScheduleFor(
  { command, ack }: { command: SlashCommand; ack(): Promise<void> },
  question: string,
  ports: ListenerPorts,
): Promise<void> {
  return answerWithWindow({ ack, body: command }, ports, {
    ...WINDOW,
    async fill(texts) {
      const by = await readClicker(command, ports);
      return fill(toTyped(readMessage({ text: question }, by)), by, texts, ports);
    },
  });
}

export async function listSchedules(
  person: Person,
  { scheduling, links }: Pick<ListenerPorts, 'scheduling' | 'links'>,
) {
  const [questions, link] = await Promise.all([
    scheduling.list(person),
    links.get({ ...person, purpose: 'assistant' }),
  ]);
  const isHeld = questions.length > 0 && !link?.sealedTokens;
  return (texts: Texts) => {
    const title = buildSection(`*${texts.schedules.listTitle}*`);
    return toContent([title, ...buildScheduleList(questions, { isHeld }, texts).blocks]);
  };
}

async function fill(said: string, by: Clicker, texts: Texts, ports: ListenerPorts) {
  const asked = await nameMentioned(said, { workspace: by.workspace, asker: by.person }, ports);
  const known = await ports.people.timeZoneSoon(by.workspace, by.person.user);
  const isOff = (text: string) => !readMessage({ text }, by).webSearch;
  // The field cuts a long question: a word at its end that turns web search off goes to the front.
  const question = isOff(asked) && !isOff(asked.slice(0, MAX_INPUT_LENGTH)) ? `!web-off ${asked}` : asked;
  return buildScheduleWindow({ question, zone: known ?? ports.defaultTimeZone }, texts);
}

/** The question of the clicked answer, read from Slack. Empty: it cannot be read, or there is none. */
async function readAsked({ by, value }: Click, ports: ListenerPorts): Promise<string> {
  try {
    const turn = await readOwnTurn(value, by, ports);
    if (typeof turn === 'string') return '';
    const read = await ports.readQuestion({ ...turn.question, messageTs: toAskedTs(turn) });
    if (!read) return '';
    return toTyped({ text: read.text, webSearch: read.webSearch && turn.question.webSearch });
  } catch (error) {
    ports.log.info({ code: toCallCode(error) }, 'question of an answer not read');
    return '';
  }
}

/** As somebody would type it. The word comes first: the field cuts off the end of a long question. */
function toTyped({ text, webSearch }: Pick<QuestionContent, 'text' | 'webSearch'>): string {
  return webSearch ? text : `!web-off ${text}`;
}

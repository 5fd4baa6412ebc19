import type { App, BlockButtonAction, SlashCommand } from '@slack/bolt';
import { type Person, toPersonKey } from '../../conversation/question.ts';
import { MOST_SCHEDULED } from '../../conversation/schedules.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import type { ThreadReader } from '../read-thread.ts';
import { readUser, textsFor } from '../texts-for.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS, buildSection } from '../views/content.ts';
import { buildLoadingModal } from '../views/modal.ts';
import { fitsRoot } from '../views/notice-message.ts';
import {
  buildScheduleList,
  buildScheduleSaved,
  buildScheduleWindow,
  readScheduleWindow,
  SCHEDULE_BLOCKS,
  toScheduleTopic,
} from '../views/schedules.ts';
import { toCallCode } from '../web/slack-errors.ts';
import { answerClick, answerWithWindow, orSayNothingWasDone, toAskedTs } from './answer-buttons.ts';
import { toWords } from './ask-about.ts';
import type { HomePorts } from './home.ts';
import type { ListenerPorts } from './message.ts';

type Ports = ListenerPorts & HomePorts & Pick<ThreadReader, 'readQuestion'>;

/** *Ask regularly…* under an answer and in the home tab, the window that it opens, and *End* in the list. */
export function registerSchedules(app: App, ports: Ports): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.schedule }, (click) =>
    openSchedule(click, ports, () => readAsked(click.body, ports)),
  );

  app.view({ callback_id: CALLBACKS.schedule, type: 'view_submission' }, async ({ view, body, ack }) => {
    const { question, zone, ...times } = readScheduleWindow(view);
    const texts = textsFor(body, ports);
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { [SCHEDULE_BLOCKS.question]: why } });
    await orSayNothingWasDone(
      async () => {
        const { team, workspace, botUserId } = await installationOf(body, ports);
        const content = toWords(question, botUserId);
        const { schedules, webOff } = await texts;
        if (content.text === '') return refuse(schedules.empty);
        if (!fitsRoot(content)) return refuse(webOff.tooLong);
        const person = { team, user: body.user.id };
        const first = await ports.scheduling.add({ id: view.id, person, workspace, zone, content, ...times });
        if (first === undefined) return refuse(schedules.full(MOST_SCHEDULED));
        await ack({ response_action: 'update', view: buildScheduleSaved(first, zone, await texts) });
        ports.inBackground(() => ports.homeTab.refresh(person));
      },
      async () => refuse((await texts).controls.nothingWasDone),
    );
  });

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.endSchedule }, (click) =>
    answerClick(click, ports, async () => {
      const { body } = click;
      const { team } = await installationOf(body, ports);
      const person = { team, user: body.user.id };
      await ports.scheduling.end(person, body.actions[0]?.value ?? '');
      ports.inBackground(() => ports.homeTab.refresh(person));
      // The home tab shows it.
      if (body.view) return undefined;
      const list = await listSchedules(person, ports);
      return (texts) => ({ replacement: list(texts) });
    }),
  );
}

/** `/assistant schedule` and a question opens the window with it; without one it says what is scheduled. */
export function openScheduleFor(
  { command, ack }: { command: SlashCommand; ack(): Promise<void> },
  question: string,
  ports: ListenerPorts,
): Promise<void> {
  return openSchedule({ body: command, ack }, ports, async () => question);
}

export async function listSchedules(person: Person, { scheduling, links }: Pick<Ports, 'scheduling' | 'links'>) {
  const [questions, link] = await Promise.all([
    scheduling.list(person),
    links.get({ ...person, purpose: 'assistant' }),
  ]);
  const isHeld = questions.length > 0 && !link?.sealedTokens;
  return (texts: Texts) => {
    const list = buildScheduleList(questions, { isHeld }, texts);
    return { ...list, blocks: [buildSection(`*${list.text}*`), ...list.blocks] };
  };
}

function openSchedule(
  click: { ack(): Promise<void>; body: object },
  ports: ListenerPorts,
  read: () => Promise<string>,
): Promise<void> {
  return answerWithWindow(
    click,
    ports,
    (texts) => buildLoadingModal(toScheduleTopic(texts), texts),
    async (texts) => {
      const { workspace } = await installationOf(click.body, ports);
      const [question, known] = await Promise.all([read(), ports.people.timeZoneSoon(workspace, readUser(click.body))]);
      return buildScheduleWindow({ question, zone: known ?? ports.defaultTimeZone }, texts);
    },
  );
}

/** The question of the clicked answer, read from Slack. Empty: it cannot be read, or there is none. */
async function readAsked(body: BlockButtonAction, ports: Ports): Promise<string> {
  try {
    const { team } = await installationOf(body, ports);
    const turn = await ports.turns.get(body.actions[0]?.value ?? '');
    const isTheirs = turn && toPersonKey(turn.question.asker) === toPersonKey({ team, user: body.user.id });
    const read = isTheirs ? await ports.readQuestion(toAsked(turn)) : undefined;
    if (!read) return '';
    return read.webSearch && turn?.question.webSearch ? read.text : `${read.text} !web-off`;
  } catch (error) {
    ports.log.info({ code: toCallCode(error) }, 'question of an answer not read');
    return '';
  }
}

function toAsked(turn: Turn): Turn['question'] {
  return { ...turn.question, messageTs: toAskedTs(turn) };
}

import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { toFingerprint } from '../../conversation/fingerprint.ts';
import type { Question } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { isHelpWord } from '../../languages/language.ts';
import type { Installation } from '../installation.ts';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { textsFor } from '../texts-for.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { buildPlainText, buildTitle } from '../views/content.ts';
import { buildTyped, fitsRoot } from '../views/notice-message.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { answerClick, answerWithWindow, orSayNothingWasDone } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

const WEB_OFF_QUESTION_BLOCK = 'web_off_question';

/** Two ways to ask with web search off: a command and a shortcut in the menu of a message. */
export function registerWebOff(app: App, ports: ListenerPorts): void {
  registerCommand(app, ports);
  registerWindow(app, ports);
  registerShortcut(app, ports);
}

/** `/assistant-web-off <question>` shows the question as the root of a thread and answers there. */
function registerCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant-web-off', async ({ command, ack }) => {
    const text = command.text.trim();
    const texts = textsFor(command, ports);
    if (isHelpWord(text)) return ack({ response_type: 'ephemeral', text: (await texts).webOff.usage });
    if (!text) {
      const build = (ready: Texts) => buildWebOffModal(command.channel_id, ready);
      return answerWithWindow({ ack, body: command }, ports, build);
    }
    const asked = { channel: command.channel_id, message: { text } };
    await orSayNothingWasDone(
      async () => {
        const refused = await accept(command, { ...asked, id: command.trigger_id, user: command.user_id }, ports);
        if (!refused) return ack();
        const ready = await texts;
        await ack({ response_type: 'ephemeral', text: ready.webOff.tooLong });
        ports.inBackground(async () => {
          for (const content of buildTyped(refused, ready)) await ports.clicks.say(command, content);
        });
      },
      async () => ack({ response_type: 'ephemeral', text: (await texts).controls.nothingWasDone }),
    );
  });
}

/** The modal that the command without text opens. */
function registerWindow(app: App, ports: ListenerPorts): void {
  app.view({ callback_id: CALLBACKS.webOffQuestion, type: 'view_submission' }, async ({ view, body, ack }) => {
    const text = view.state.values[WEB_OFF_QUESTION_BLOCK]?.[WEB_OFF_QUESTION_BLOCK]?.value?.trim() ?? '';
    const asked = { channel: view.private_metadata, message: { text } };
    const texts = textsFor(body, ports);
    const sayBelow = (sentence: string) =>
      ack({ response_action: 'errors', errors: { [WEB_OFF_QUESTION_BLOCK]: sentence } });
    await orSayNothingWasDone(
      async () => {
        const refused = await accept(body, { ...asked, id: view.id, user: body.user.id }, ports);
        await (refused ? sayBelow((await texts).webOff.tooLong) : ack());
      },
      async () => sayBelow((await texts).controls.nothingWasDone),
    );
  });
}

/** `id`: unique for this command or modal. `user`: the Slack user id of the asker. */
type Typed = Pick<Asked, 'channel' | 'message'> & { id: string; user: string };

/** Returns the question if it is too long to show. Then nothing was done. */
async function accept(body: object, { id, user, ...asked }: Typed, ports: ListenerPorts) {
  const installation = await installationOf(body, ports);
  const question = toQuestion({ ...asked, origin: 'command', startsThread: true }, user, installation);
  if (!fitsRoot(question)) return question;
  await ports.accept(`command:${installation.team}:${id}`, question);
  return undefined;
}

/** *Ask without web search* in the menu of any message: asks the text of that message, as the person who chose it. */
function registerShortcut(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askWithoutWeb }, (click) =>
    answerClick(click, ports, async () => {
      const { message, channel, user, trigger_id: triggerId } = click.shortcut;
      const installation = await installationOf(click.shortcut, ports);
      const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
      const place = { channel: channel.id, threadTs, messageTs: message.ts, startsThread: threadTs === message.ts };
      const asked = toQuestion({ ...place, message, origin: 'shortcut' }, user.id, installation);
      // The message as it was shown to this person: its author may change it later.
      const question = { ...asked, fingerprint: toFingerprint(asked) };
      await ports.accept(`shortcut:${installation.team}:${triggerId}`, question);
      return undefined;
    }),
  );
}

type Asked = Pick<Question, 'channel' | 'origin' | 'threadTs' | 'messageTs' | 'startsThread'> & { message: object };

function toQuestion({ message, ...asked }: Asked, user: string, installation: Installation): Question {
  const { team, workspace, botUserId } = installation;
  const { text, links, unusable, uploads } = readMessage(message, { botUserId });
  return {
    ...asked,
    asker: { team, user },
    workspace,
    audience: asked.channel.startsWith('D') ? 'person' : 'channel',
    text,
    webSearch: false,
    links,
    unusable,
    ...(uploads.length > 0 && { uploads }),
  };
}

/** For the command without text. The modal carries the channel. */
export function buildWebOffModal(channel: string, { webOff, controls }: Texts): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.webOffQuestion,
    private_metadata: channel,
    title: buildTitle(webOff.title),
    submit: buildTitle(webOff.ask),
    close: buildTitle(controls.cancel),
    blocks: [
      {
        type: 'input',
        block_id: WEB_OFF_QUESTION_BLOCK,
        label: buildPlainText(webOff.label),
        hint: buildPlainText(webOff.hint),
        element: {
          type: 'plain_text_input',
          action_id: WEB_OFF_QUESTION_BLOCK,
          multiline: true,
          max_length: MAX_INPUT_LENGTH,
        },
      },
    ],
  };
}

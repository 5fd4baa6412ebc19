import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Question } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { buildPlainText } from '../views/content.ts';
import { WEB_OFF_USAGE } from '../views/notice-message.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { answerClick, answerWithWindow } from './answer-buttons.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './assistant-command.ts';
import type { ListenerPorts } from './message.ts';

const WEB_OFF_QUESTION_BLOCK = 'web_off_question';

/** Two ways to ask with web search off: a command and a shortcut in the menu of a message. */
export function registerWebOff(app: App, ports: ListenerPorts): void {
  registerCommand(app, ports);
  registerShortcut(app, ports);
}

/** `/assistant-web-off <question>` shows the question as the root of a thread and answers there. */
function registerCommand(app: App, ports: ListenerPorts): void {
  /** `id`: unique for this command or modal. `user`: the Slack user id of the asker. */
  async function accept(body: object, id: string, user: string, asked: Pick<Asked, 'channel' | 'message'>) {
    const installation = await installationOf(body, ports);
    const question = toQuestion({ ...asked, origin: 'command', startsThread: true }, user, installation);
    await ports.accept(`command:${installation.team}:${id}`, question);
  }

  app.command('/assistant-web-off', async ({ command, ack }) => {
    const text = command.text.trim();
    if (text.toLowerCase() === 'help') return ack({ response_type: 'ephemeral', text: WEB_OFF_USAGE });
    if (!text) return answerWithWindow({ ack, body: command }, ports, buildWebOffModal(command.channel_id));
    const asked = { channel: command.channel_id, message: { text } };
    await orSayNothingWasDone(
      async () => {
        await accept(command, command.trigger_id, command.user_id, asked);
        await ack();
      },
      (sentence) => ack({ response_type: 'ephemeral', text: sentence }),
    );
  });

  app.view({ callback_id: CALLBACKS.webOffQuestion, type: 'view_submission' }, async ({ view, body, ack }) => {
    const text = view.state.values[WEB_OFF_QUESTION_BLOCK]?.[WEB_OFF_QUESTION_BLOCK]?.value?.trim() ?? '';
    const asked = { channel: view.private_metadata, message: { text } };
    await orSayNothingWasDone(
      async () => {
        await accept(body, view.id, body.user.id, asked);
        await ack();
      },
      () => ack({ response_action: 'errors', errors: { [WEB_OFF_QUESTION_BLOCK]: NOTHING_WAS_DONE } }),
    );
  });
}

/** *Ask without web search* in the menu of any message: asks the text of that message, as the person who chose it. */
function registerShortcut(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askWithoutWeb }, (click) =>
    answerClick(click, ports, async () => {
      const { message, channel, user, trigger_id: triggerId } = click.shortcut;
      const installation = await installationOf(click.shortcut, ports);
      const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
      const place = { channel: channel.id, threadTs, messageTs: message.ts, startsThread: threadTs === message.ts };
      const question = toQuestion({ ...place, message, origin: 'shortcut' }, user.id, installation);
      await ports.accept(`shortcut:${installation.team}:${triggerId}`, question);
      return undefined;
    }),
  );
}

type Asked = Pick<Question, 'channel' | 'origin' | 'threadTs' | 'messageTs' | 'startsThread'> & { message: object };

function toQuestion({ message, ...asked }: Asked, user: string, installation: Installation): Question {
  const { team, workspace, botUserId } = installation;
  const { text, links, unusable } = readMessage(message, { botUserId });
  return {
    ...asked,
    asker: { team, user },
    workspace,
    audience: asked.channel.startsWith('D') ? 'person' : 'channel',
    text,
    webSearch: false,
    links,
    unusable,
  };
}

/** For the command without text. The modal carries the channel. */
function buildWebOffModal(channel: string): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.webOffQuestion,
    private_metadata: channel,
    title: buildPlainText('Ask without web'),
    submit: buildPlainText('Ask'),
    close: buildPlainText('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: WEB_OFF_QUESTION_BLOCK,
        label: buildPlainText('Your question'),
        hint: buildPlainText('It is shown in the channel. Web search is off for this answer only.'),
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

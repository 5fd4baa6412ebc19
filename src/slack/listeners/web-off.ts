import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Question } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { WEB_OFF_USAGE } from '../views/notice-message.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { answerClick, answerWithWindow } from './answer-buttons.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './assistant-command.ts';
import type { ListenerPorts } from './message.ts';

type Asked = { channel: string; user: string; text: string };

/** `/assistant-web-off <question>` shows the question as the root of a thread and answers there. */
export function registerWebOffCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant-web-off', async ({ command, ack }) => {
    const text = command.text.trim();
    if (text.toLowerCase() === 'help') return ack({ response_type: 'ephemeral', text: WEB_OFF_USAGE });
    if (!text) return answerWithWindow({ ack, body: command }, ports, buildWebOffModal(command.channel_id));
    const asked = { channel: command.channel_id, user: command.user_id, text };
    await orSayNothingWasDone(
      async () => {
        const installation = await installationOf(command, ports);
        await ports.accept(`command:${installation.team}:${command.trigger_id}`, toQuestion(asked, installation));
        await ack();
      },
      (sentence) => ack({ response_type: 'ephemeral', text: sentence }),
    );
  });

  app.view({ callback_id: CALLBACKS.webOffQuestion, type: 'view_submission' }, async ({ view, body, ack }) => {
    const text = view.state.values[WEB_OFF_QUESTION_BLOCK]?.[WEB_OFF_QUESTION_BLOCK]?.value?.trim() ?? '';
    const asked = { channel: view.private_metadata, user: body.user.id, text };
    await orSayNothingWasDone(
      async () => {
        const installation = await installationOf(body, ports);
        await ports.accept(`command:${installation.team}:${view.id}`, toQuestion(asked, installation));
        await ack();
      },
      () => ack({ response_action: 'errors', errors: { [WEB_OFF_QUESTION_BLOCK]: NOTHING_WAS_DONE } }),
    );
  });
}

function toQuestion({ channel, user, text }: Asked, { team, workspace, botUserId }: Installation): Question {
  const read = readMessage({ text }, { botUserId });
  return {
    asker: { team, user },
    workspace,
    channel,
    origin: 'command',
    audience: channel.startsWith('D') ? 'person' : 'channel',
    startsThread: true,
    text: read.text,
    webSearch: false,
    links: read.links,
    unusable: read.unusable,
  };
}

/** *Ask without web search* in the menu of any message: asks that message's text, as the person who chose it. */
export function registerWebOffShortcut(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askWithoutWeb }, (click) =>
    answerClick(click, ports, async () => {
      const { message, channel, user, trigger_id: triggerId } = click.shortcut;
      const { team, workspace, botUserId } = await installationOf(click.shortcut, ports);
      const { text, links, unusable } = readMessage(message, { botUserId });
      const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
      await ports.accept(`shortcut:${team}:${triggerId}`, {
        asker: { team, user: user.id },
        workspace,
        channel: channel.id,
        origin: 'shortcut',
        audience: channel.id.startsWith('D') ? 'person' : 'channel',
        threadTs,
        messageTs: message.ts,
        startsThread: threadTs === message.ts,
        text,
        webSearch: false,
        links,
        unusable,
      });
      return undefined;
    }),
  );
}

const WEB_OFF_QUESTION_BLOCK = 'web_off_question';

/** For the command without text. The channel comes back with the modal. */
function buildWebOffModal(channel: string): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.webOffQuestion,
    private_metadata: channel,
    title: { type: 'plain_text', text: 'Ask without web' },
    submit: { type: 'plain_text', text: 'Ask' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: [
      {
        type: 'input',
        block_id: WEB_OFF_QUESTION_BLOCK,
        label: { type: 'plain_text', text: 'Your question' },
        hint: { type: 'plain_text', text: 'It is shown in the channel. Web search is off for this answer only.' },
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

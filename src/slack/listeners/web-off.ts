import type { App } from '@slack/bolt';
import type { Question } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/content.ts';
import { WEB_OFF_USAGE } from '../views/help.ts';
import { buildWebOffModal, WEB_OFF_QUESTION_BLOCK } from '../views/web-off-modal.ts';
import { answerWithWindow } from './answer-with-window.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './nothing-was-done.ts';

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

import type { App } from '@slack/bolt';
import type { Question } from '../../conversation/question.ts';
import { readMessage } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/content.ts';
import { WEB_OFF_USAGE } from '../views/help.ts';
import { buildWebOffModal, WEB_OFF_QUESTION_BLOCK } from '../views/web-off-modal.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './nothing-was-done.ts';

type Asked = { workspace: string; channel: string; user: string; text: string };

/** `/assistant-web-off <question>` shows the question as the root of a thread and answers there. */
export function registerWebOffCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant-web-off', async ({ command, ack, client }) => {
    const text = command.text.trim();
    if (text.toLowerCase() === 'help') return ack({ response_type: 'ephemeral', text: WEB_OFF_USAGE });
    if (!text) {
      await client.views.open({ trigger_id: command.trigger_id, view: buildWebOffModal(command.channel_id) });
      return ack();
    }
    const asked = { workspace: command.team_id, channel: command.channel_id, user: command.user_id, text };
    await orSayNothingWasDone(
      async () => {
        await ports.accept(`command:${command.trigger_id}`, await toQuestion(asked, ports));
        await ack();
      },
      (sentence) => ack({ response_type: 'ephemeral', text: sentence }),
    );
  });

  app.view({ callback_id: CALLBACKS.webOffQuestion, type: 'view_submission' }, async ({ view, body, ack }) => {
    const text = view.state.values[WEB_OFF_QUESTION_BLOCK]?.[WEB_OFF_QUESTION_BLOCK]?.value?.trim() ?? '';
    const asked = { workspace: body.team?.id ?? '', channel: view.private_metadata, user: body.user.id, text };
    await orSayNothingWasDone(
      async () => {
        await ports.accept(`command:${view.id}`, await toQuestion(asked, ports));
        await ack();
      },
      () => ack({ response_action: 'errors', errors: { [WEB_OFF_QUESTION_BLOCK]: NOTHING_WAS_DONE } }),
    );
  });
}

async function toQuestion({ workspace, channel, user, text }: Asked, ports: ListenerPorts): Promise<Question> {
  const { team, botUserId } = await ports.findInstallation(workspace);
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

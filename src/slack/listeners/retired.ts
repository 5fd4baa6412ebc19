// Buttons, modals, shortcuts and commands without a listener: messages live for years, and releases remove features.
import type { Log } from '../../log.ts';
import { toTextContent } from '../views/content.ts';
import { buildProblemModal, type ModalTopic } from '../views/modal.ts';
import { windowOf } from '../window.ts';
import type { ListenerPorts } from './message.ts';

const WHY = 'belongs to an older version of this app, or to a part of it that is turned off. Nothing was done.';
const CLICK = `What you clicked ${WHY} Write to me again, or see \`/assistant help\`.`;
const SHORTCUT = `This shortcut ${WHY} \`/assistant help\` tells what I can do.`;
const COMMAND = `This command ${WHY} \`/assistant help\` tells what I can do.`;
const WINDOW = `This window ${WHY} Close it, and see /assistant help.`;

const TOPIC: ModalTopic = { id: 'retired', title: 'Out of date', loading: '' };

/** The fields that are read; all of them may be missing. */
type Body = {
  type?: string;
  command?: string;
  callback_id?: string;
  actions?: { action_id?: string }[];
  view?: { id: string; type?: string; callback_id?: string };
};

/** Tells the person, and returns the acknowledgement; without one, Slack warns that the app did not respond. */
export function answerRetired(
  body: Body,
  ports: Pick<ListenerPorts, 'call' | 'clicks' | 'findInstallation' | 'inBackground'> & { log: Log },
): object | undefined {
  const { type, command, view } = body;
  const id = command ?? body.actions?.[0]?.action_id ?? view?.callback_id ?? body.callback_id;
  ports.log.info({ type, id }, 'no listener for this action');
  const say = (text: string) =>
    ports.inBackground(async () => void (await ports.clicks.say(body, toTextContent(text))));
  if (command !== undefined) return { response_type: 'ephemeral', text: COMMAND };
  switch (type) {
    case 'block_suggestion':
      return { options: [] };
    case 'view_submission':
      return { response_action: 'update', view: buildProblemModal(WINDOW, TOPIC) };
    case 'view_closed':
      return undefined;
    case 'block_actions':
      if (view?.type !== 'modal') return void say(CLICK);
      return void ports.inBackground(() =>
        windowOf({ body, viewId: view.id }, ports).show(buildProblemModal(WINDOW, TOPIC)),
      );
    default:
      return void say(SHORTCUT);
  }
}

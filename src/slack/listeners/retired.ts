// Buttons, modals, shortcuts and commands without a listener: messages live for years, and releases remove features.
import type { ModalView } from '@slack/types';
import type { Texts } from '../../languages/english.ts';
import { type TextsPorts, textsFor } from '../request-source.ts';
import { toTextContent } from '../views/content.ts';
import { buildProblemModal } from '../views/modal.ts';
import { windowOf } from '../window.ts';
import type { ListenerPorts } from './ports.ts';

/** The fields that are read; all of them may be missing. */
type Body = {
  type?: string;
  command?: string;
  callback_id?: string;
  actions?: { action_id?: string }[];
  view?: { id: string; type?: string; callback_id?: string };
};

/** Tells the person, and returns the acknowledgement; without one, Slack warns that the app did not respond. */
export async function answerRetired(
  body: Body,
  ports: Pick<ListenerPorts, 'call' | 'clicks' | 'inBackground' | 'log'> & TextsPorts,
): Promise<object | undefined> {
  const { type, command, view } = body;
  const id = command ?? body.actions?.[0]?.action_id ?? view?.callback_id ?? body.callback_id;
  ports.log.info({ type, id }, 'no listener for this action');
  const readTexts = () => textsFor(body, ports);
  const say = (kind: 'click' | 'shortcut') =>
    ports.inBackground(async () => {
      await ports.clicks.say(body, toTextContent((await readTexts()).controls.retired[kind]));
    });
  if (command !== undefined) return { response_type: 'ephemeral', text: (await readTexts()).controls.retired.command };
  switch (type) {
    case 'block_suggestion':
      return { options: [] };
    case 'view_submission':
      return { response_action: 'update', view: buildRetiredModal(await readTexts()) };
    case 'view_closed':
      return undefined;
    case 'block_actions':
      if (view?.type !== 'modal') return void say('click');
      return void ports.inBackground(async () => {
        const texts = await readTexts();
        await windowOf({ body, viewId: view.id, texts }, ports).show(buildRetiredModal(texts));
      });
    default:
      return void say('shortcut');
  }
}

export function buildRetiredModal(texts: Texts): ModalView {
  const { title, window } = texts.controls.retired;
  return buildProblemModal(window, { id: 'retired', title, loading: '' }, texts);
}

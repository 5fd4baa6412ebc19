import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Question } from '../../conversation/question.ts';
import { toFingerprint } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { isHelpWord } from '../../languages/language.ts';
import { readWritten } from '../read-thread.ts';
import { textsFor } from '../request-source.ts';
import { readMessage, readTyped, toQuestion } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { buildTextField, readFields } from '../views/fields.ts';
import { buildModal } from '../views/modal.ts';
import { buildTyped, fitsRoot } from '../views/notice-message.ts';
import {
  answerClick,
  answerWithWindow,
  type Clicker,
  onSubmit,
  orSayNothingWasDone,
  readClicker,
} from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

const FIELD = 'web_off_question';

/** Two ways to ask with web search off: a command and a shortcut in the menu of a message. */
export function registerWebOff(app: App, ports: ListenerPorts): void {
  registerCommand(app, ports);
  registerShortcut(app, ports);

  /** The window that the command without text opens. */
  onSubmit(app, { id: CALLBACKS.webOffQuestion, field: FIELD }, ports, async ({ by, view, texts }) => {
    const reading = readTyped(readFields(view).text(FIELD), by);
    const asked = { id: view.id, channel: view.private_metadata, reading };
    return (await accept(asked, by, ports)) && { refused: (await texts).webOff.tooLong };
  });
}

/** `/assistant-web-off <question>` shows the question as the root of a thread and answers there. */
function registerCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant-web-off', async ({ command, ack }) => {
    const { trigger_id: id, channel_id: channel } = command;
    const text = command.text.trim();
    const texts = textsFor(command, ports);
    const say = (sentence: string) => ack({ response_type: 'ephemeral', text: sentence });
    if (isHelpWord(text)) return say((await texts).webOff.usage);
    if (!text) {
      return answerWithWindow({ ack, body: command }, ports, (ready) => buildWebOffModal(channel, ready));
    }
    await orSayNothingWasDone(
      async () => {
        const by = await readClicker(command, ports);
        const refused = await accept({ id, channel, reading: readMessage({ text }, by) }, by, ports);
        if (!refused) return ack();
        const ready = await texts;
        await say(ready.webOff.tooLong);
        ports.inBackground(async () => {
          for (const content of buildTyped(refused)) await ports.clicks.say(command, content);
        });
      },
      async () => say((await texts).controls.nothingWasDone),
    );
  });
}

/** `id`: unique for this command or window. Returns the question if it is too long to show. Then nothing was done. */
async function accept(
  { id, channel, reading }: { id: string; channel: string; reading: ReturnType<typeof readMessage> },
  by: Clicker,
  ports: ListenerPorts,
): Promise<Question | undefined> {
  const place = { channel, origin: 'command' as const, startsThread: true, webSearch: false };
  const question = toQuestion(reading, place, by);
  if (!fitsRoot(question)) return question;
  await ports.accept(`command:${by.person.team}:${id}`, question);
  return undefined;
}

/** *Ask without web search* in the menu of any message: asks the text of that message, as the person who chose it. */
function registerShortcut(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askWithoutWeb }, ({ shortcut, ack }) =>
    answerClick({ ack, body: shortcut }, ports, async () => {
      const { message, channel, trigger_id: triggerId } = shortcut;
      const by = await readClicker(shortcut, ports);
      const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
      const place = { channel: channel.id, threadTs, messageTs: message.ts, startsThread: threadTs === message.ts };
      const asked = toQuestion(readWritten(message, by), { ...place, origin: 'shortcut', webSearch: false }, by);
      // The message as it was shown to this person: its author may change it later.
      await ports.accept(`shortcut:${by.person.team}:${triggerId}`, { ...asked, fingerprint: toFingerprint(asked) });
      return undefined;
    }),
  );
}

/** For the command without text. The window carries the channel. */
export function buildWebOffModal(channel: string, texts: Texts): ModalView {
  const { title, ask: submit, label, hint } = texts.webOff;
  const frame = { id: CALLBACKS.webOffQuestion, title, submit, metadata: channel };
  return buildModal(frame, [buildTextField({ name: FIELD, label, hint })], texts);
}

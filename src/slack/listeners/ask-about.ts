import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Texts } from '../../languages/english.ts';
import { readWritten } from '../read-thread.ts';
import { readTyped, toQuestion } from '../text-in/read-message.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { cutGraphemes } from '../text-out/plain-text.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { buildSection } from '../views/content.ts';
import { buildTextField, readFields } from '../views/fields.ts';
import { buildModal } from '../views/modal.ts';
import { fitsRoot } from '../views/notice-message.ts';
import { answerWithWindow, onSubmit, readClicker } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

const FIELD = 'about_question';

/** The length of the quoted message in the window: enough to recognise it. */
const SHOWN_LENGTH = 500;

/** The message that a window is about, in its private_metadata. */
const placeSchema = z.object({ channel: z.string(), ts: z.string(), threadTs: z.string() });

/**
 * *Ask about this message* in the menu of any message: a window asks for the question. It is shown and answered in the
 * message's thread, and the message is sent along as a quote.
 */
export function registerAskAbout(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askAbout }, async ({ shortcut, ack }) => {
    const { message, channel } = shortcut;
    const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
    const place = { channel: channel.id, ts: message.ts, threadTs };
    const { text } = readWritten(message, await readClicker(shortcut, ports));
    await answerWithWindow({ ack, body: shortcut }, ports, (texts) => buildAskAboutModal(place, text, texts));
  });

  onSubmit(app, { id: CALLBACKS.aboutQuestion, field: FIELD }, ports, async ({ by, view, texts }) => {
    const { channel, ts: about, threadTs } = placeSchema.parse(JSON.parse(view.private_metadata));
    const place = { channel, origin: 'shortcut' as const, threadTs, about, startsThread: threadTs === about };
    const reading = readTyped(readFields(view).text(FIELD), by);
    if (reading.text === '') return { refused: (await texts).schedules.empty };
    const question = toQuestion(reading, place, by);
    if (!fitsRoot(question)) return { refused: (await texts).controls.questionTooLong };
    await ports.accept(`about:${by.person.team}:${view.id}`, question);
    return undefined;
  });
}

export function buildAskAboutModal(place: z.infer<typeof placeSchema>, quoted: string, texts: Texts): ModalView {
  const { title, submit, empty, label, hint } = texts.threadContext.ask;
  const shown = cutGraphemes(quoted, SHOWN_LENGTH);
  const quote = escapeMrkdwn(shown.length < quoted.length ? `${shown}…` : shown);
  return buildModal(
    { id: CALLBACKS.aboutQuestion, title, submit, metadata: JSON.stringify(place) },
    [buildSection(quote === '' ? empty : quote.replace(/^/gm, '> ')), buildTextField({ name: FIELD, label, hint })],
    texts,
  );
}

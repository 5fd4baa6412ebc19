import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Question } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { cutGraphemes } from '../text-out/plain-text.ts';
import { textsFor } from '../texts-for.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { buildPlainText, buildSection, buildTitle } from '../views/content.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { answerWithWindow, orSayNothingWasDone } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

const QUESTION_BLOCK = 'about_question';

/** The length of the quoted message in the window: enough to recognise it. */
const SHOWN_LENGTH = 500;

/** The message that a window is about, in its private_metadata. */
const placeSchema = z.object({ channel: z.string(), ts: z.string(), threadTs: z.string() });

type Place = z.infer<typeof placeSchema>;

/**
 * *Ask about this message* in the menu of any message: a window asks for the question. It is shown and answered in the
 * message's thread, and the message goes along as a quote.
 */
export function registerAskAbout(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askAbout }, async ({ shortcut, ack }) => {
    const { message, channel } = shortcut;
    const { botUserId } = await installationOf(shortcut, ports);
    const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
    const place = { channel: channel.id, ts: message.ts, threadTs };
    const { text } = readMessage(message, { botUserId });
    await answerWithWindow({ ack, body: shortcut }, ports, (texts) => buildAskAboutModal(place, text, texts));
  });

  app.view({ callback_id: CALLBACKS.aboutQuestion, type: 'view_submission' }, async ({ view, body, ack }) => {
    const typed = view.state.values[QUESTION_BLOCK]?.[QUESTION_BLOCK]?.value?.trim() ?? '';
    const place = placeSchema.parse(JSON.parse(view.private_metadata));
    const texts = textsFor(body, ports);
    await orSayNothingWasDone(
      async () => {
        const { team, workspace, botUserId } = await installationOf(body, ports);
        const asker = { team, user: body.user.id };
        const question = { asker, workspace, ...toAsked(place), ...toWords(typed, botUserId) };
        await ports.accept(`about:${team}:${view.id}`, question);
        await ack();
      },
      async () => {
        const { nothingWasDone } = (await texts).controls;
        await ack({ response_action: 'errors', errors: { [QUESTION_BLOCK]: nothingWasDone } });
      },
    );
  });
}

function toAsked({ channel, ts, threadTs }: Place) {
  return {
    channel,
    origin: 'shortcut' as const,
    audience: channel.startsWith('D') ? ('person' as const) : ('channel' as const),
    threadTs,
    about: ts,
    startsThread: threadTs === ts,
  };
}

/** What was typed into a window. */
export function toWords(typed: string, botUserId: string): Pick<Question, 'text' | 'webSearch' | 'links' | 'unusable'> {
  const { text, webSearch, links, unusable } = readMessage({ text: typed }, { botUserId });
  return { text, webSearch, links, unusable };
}

export function buildAskAboutModal(place: Place, quoted: string, { threadContext, controls }: Texts): ModalView {
  const texts = threadContext.ask;
  const shown = cutGraphemes(quoted, SHOWN_LENGTH);
  const quote = escapeMrkdwn(shown.length < quoted.length ? `${shown}…` : shown);
  return {
    type: 'modal',
    callback_id: CALLBACKS.aboutQuestion,
    private_metadata: JSON.stringify(place),
    title: buildTitle(texts.title),
    submit: buildTitle(texts.submit),
    close: buildTitle(controls.cancel),
    blocks: [
      buildSection(quote === '' ? texts.empty : quote.replace(/^/gm, '> ')),
      {
        type: 'input',
        block_id: QUESTION_BLOCK,
        label: buildPlainText(texts.label),
        hint: buildPlainText(texts.hint),
        element: {
          type: 'plain_text_input',
          action_id: QUESTION_BLOCK,
          multiline: true,
          max_length: MAX_INPUT_LENGTH,
        },
      },
    ],
  };
}

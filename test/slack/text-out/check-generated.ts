import { parseWholeAnswer } from '../../../src/assistant/read-answer.ts';
import type { Answer } from '../../../src/conversation/outcome.ts';
import type { ReplyForm } from '../../../src/conversation/turn.ts';
import { RenderTimeoutError } from '../../../src/slack/text-out/markdown-tree.ts';
import { toPlainText } from '../../../src/slack/text-out/plain-text.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { buildAnswerMessages } from '../../../src/slack/views/answer-message.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { createRandom } from '../../faults/random.ts';
import { generateAnswer } from './generated-answer.ts';
import { findDangers } from './hostile-markdown.ts';
import { findLiveInMarkdown, findLiveInMrkdwn } from './read-live.ts';

/** `live`: what must not be; `shown`: in which text it is. */
export type Breach = { number: number; live: string; source: string; shown: string };

export type Checked = { answers: number; texts: number; breaches: Breach[] };

/** One in so many is read by a Markdown parser as well, which takes as long as all the rest. */
const PARSED_SHARE = 100;

const MOST_BREACHES = 20;

/** Takes answers of a generator through all that the app does with them, and looks for what is live in the end. */
export async function checkGenerated(range: { from: number; to: number }, seed: number): Promise<Checked> {
  const checked: Checked = { answers: 0, texts: 0, breaches: [] };
  for (let number = range.from; number < range.to && checked.breaches.length < MOST_BREACHES; number += 1) {
    const { text, sources, line } = generateAnswer(number, seed);
    const answer = readAnswer(text, sources, line);
    const form = FORMS[number % FORMS.length];
    const contents = await buildMessages(answer, form);
    const note = (shown: string, found: string[]) => {
      checked.texts += 1;
      for (const live of found) checked.breaches.push({ number, live, source: text, shown });
    };
    for (const { text: notification, blocks } of contents) {
      note(notification, findLiveInMrkdwn(notification));
      for (const block of blocks) readBlock(block, note, number);
    }
    readCut(answer.text, note, number);
    checked.answers += 1;
  }
  return checked;
}

const FORMS = [...Array.from({ length: 14 }, () => undefined), 'small', 'plain'] as const;

/** What takes too long to render, as on a busy machine, is shown plain: as the app does. */
async function buildMessages(answer: Answer, form: ReplyForm | undefined): Promise<Content[]> {
  const turn = { id: 'message:T1:C1:1.2', question: { channel: 'C1' } };
  try {
    return await buildAnswerMessages({ ...turn, form }, answer);
  } catch (error) {
    if (!(error instanceof RenderTimeoutError)) throw error;
    return buildAnswerMessages({ ...turn, form: 'plain' }, answer);
  }
}

type Note = (shown: string, found: string[]) => void;

function readBlock(block: object, note: Note, number: number): void {
  const { type, text, elements } = block as { type: string; text?: unknown; elements?: unknown };
  if (type === 'markdown' && typeof text === 'string') return readMarkdown(text, note, number);
  for (const part of [text, ...(Array.isArray(elements) ? elements : [])]) {
    const { type: kind, text: said, verbatim } = (part ?? {}) as { type?: unknown; text?: unknown; verbatim?: unknown };
    if (kind === 'mrkdwn' && typeof said === 'string') {
      note(said, findLiveInMrkdwn(said, { isVerbatim: verbatim === true }));
    }
  }
}

function readMarkdown(markdown: string, note: Note, number: number): void {
  note(markdown, number % PARSED_SHARE === 0 ? findDangers(markdown) : findLiveInMarkdown(markdown));
}

/** The same cut into pieces that are much shorter than any message, but no shorter than a link. */
function readCut(text: string, note: Note, number: number): void {
  const parts = toSlackMarkdown(text, { blocks: 4, characters: LONGEST_SPAN + createRandom(number).below(200) });
  for (const part of parts ?? []) {
    note(part.text, findLiveInMarkdown(part.text));
    const notification = toPlainText(part.text);
    note(notification, findLiveInMrkdwn(notification));
  }
}

/** With a host, as Slack counts it, and what a block costs. */
const LONGEST_SPAN = 500;

/** As the assistant client reads it from the service's body. */
function readAnswer(text: string, sources: { title: string; url: string }[], line: string): Answer {
  const attributions = sources.map(({ title, url }) => ({
    attributionType: 'citation',
    attributionSource: 'grounding',
    providerDisplayName: title,
    seeMoreWebUrl: url,
  }));
  const body = JSON.stringify({ messages: [{ text: 'q' }, { text, attributions }] });
  const read = parseWholeAnswer(body, 'q', { clientRequestId: '' });
  return {
    kind: 'answer',
    text: read.text,
    sources: read.sources,
    webSearch: true,
    partial: false,
    contextLost: false,
    files: { used: [], unusable: line === '' ? [] : [{ name: line, reason: 'upload' }] },
    sensitivity: line,
  };
}

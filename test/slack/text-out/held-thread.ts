import { parseWholeAnswer } from '../../../src/assistant/read-answer.ts';
import { readMessage } from '../../../src/slack/text-in/read-message.ts';
import { createGrowingMarkdown } from '../../../src/slack/text-out/growing-markdown.ts';
import { RenderTimeoutError } from '../../../src/slack/text-out/markdown-tree.ts';
import { type Budget, MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { toPlainText } from '../../../src/slack/text-out/plain-text.ts';
import { LONGEST_AT_ONCE, toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';

/** As many characters as Slack takes of a person. */
const LONGEST_MESSAGE = 40_000;

/** A stream looks about twice a second. */
const GROWTH = 500;

/** What is done with a text in the thread that serves everybody: each holds it from its beginning to its end. */
export const STAGES: Record<string, (text: string) => unknown> = {
  'a message is read': (text) => readMessage({ text: text.slice(0, LONGEST_MESSAGE) }, { botUserId: 'U0APP' }),
  'an answer is read': (text) => {
    const body = JSON.stringify({ messages: [{ text: 'a question' }, { text }] });
    return parseWholeAnswer(body, text.slice(0, LONGEST_MESSAGE), { clientRequestId: '' });
  },
  'an answer is rendered at once': (text) =>
    renderOrRefuse(text.slice(0, LONGEST_AT_ONCE), MESSAGE_BUDGET).map(toPlainText),
  'an answer grows': (text) => {
    const growing = createGrowingMarkdown();
    for (let end = 0; end < text.length; end += GROWTH) {
      growing.next(text.slice(0, end), GROWTH);
      growing.shown();
    }
  },
};

/** Nothing of a text that is shown plain. */
function renderOrRefuse(text: string, budget: Budget): string[] {
  try {
    return (toSlackMarkdown(text, budget) ?? []).map((part) => part.text);
  } catch (error) {
    if (!(error instanceof RenderTimeoutError)) throw error;
    return [];
  }
}

/** In ms, of this thread alone: what other processes and threads do meanwhile does not count. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function cpuOf(work: () => unknown): number {
  const before = cpuMs();
  work();
  return cpuMs() - before;
}

import type { Question } from '../../conversation/question.ts';
import { escapeMrkdwn } from '../text-out/escape-mrkdwn.ts';
import { SECTION_LIMIT } from '../text-out/message-budget.ts';
import { toPlainText } from '../text-out/plain-text.ts';
import type { Content } from './content.ts';

/** The block that a question which is asked again is read from. */
export const QUESTION_BLOCK = 'question';

/** A slash command leaves no message: this one shows its question to the channel and opens the thread. */
export function buildRoot({ asker, text, webSearch }: Question): Content {
  const how = webSearch ? 'asked' : 'asked, with web search off';
  const sections = splitEvery(escapeMrkdwn(text), SECTION_LIMIT).map((part, index) => ({
    type: 'section' as const,
    block_id: `${QUESTION_BLOCK}${index}`,
    text: { type: 'mrkdwn' as const, text: part, verbatim: true },
  }));
  return {
    text: toPlainText(text),
    blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<@${asker.user}> ${how}:` }] }, ...sections],
  };
}

/** Splits without cutting an entity in two. */
function splitEvery(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const entity = rest.lastIndexOf('&', limit);
    const end = entity > limit - 6 ? entity : limit;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

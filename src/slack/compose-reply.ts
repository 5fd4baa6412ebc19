import type { Answer } from '../conversation/outcome.ts';
import type { ReplyMessage } from '../conversation/reply.ts';
import type { Turn } from '../conversation/turn.ts';
import { textsOf } from '../languages/texts.ts';
import { toReason } from './views/answer-end.ts';
import { buildAnswerMessages, buildPrivateStub, buildSharedMessages, toPlainContent } from './views/answer-message.ts';
import type { Content } from './views/content.ts';
import { buildNotice, buildRoot, buildRuleStub, buildWaiting } from './views/notice-message.ts';

/**
 * The messages of a turn's reply, as far as they are decided. Deterministic: the same turn gives the same messages. Throws
 * RenderTimeoutError, unless the form is plain.
 */
export async function composeReply(turn: Turn): Promise<ReplyMessage[]> {
  const root = turn.question.messageTs ? [] : [toRoot(turn)];
  return [...root, ...(await composeOutcome(turn))];
}

/** A separate message: if it became the answer by an edit, nobody would be notified. */
export function composeWaiting(turn: Turn): ReplyMessage {
  return inThread(turn, buildWaiting(turn));
}

async function composeOutcome(turn: Turn): Promise<ReplyMessage[]> {
  const { id, outcome, stage, form, language } = turn;
  if (outcome?.kind === 'answer') return composeAnswer(turn, outcome);
  if (outcome?.kind === 'shared') {
    const contents = buildSharedMessages(turn, outcome.messages);
    return contents.map((content) => inThread(turn, content));
  }
  const notice = outcome ?? (stage === 'stopped' ? { kind: 'notice' as const, code: 'stopped' as const } : undefined);
  if (!notice) return [];
  const content = buildNotice(id, notice, textsOf(language));
  return [inThread(turn, form === 'plain' ? toPlainContent(content) : content)];
}

async function composeAnswer(turn: Turn, answer: Answer): Promise<ReplyMessage[]> {
  const contents = await buildAnswerMessages(turn, answer);
  const { privateChannel, isPrescribed } = answer;
  if (!privateChannel) return contents.map((content) => inThread(turn, content));
  const { user } = turn.question.asker;
  const texts = textsOf(turn.language);
  const stub = inThread(
    turn,
    isPrescribed ? buildRuleStub(user, texts) : buildPrivateStub(user, toReason(answer), texts),
  );
  return [...contents.map((content) => ({ channel: privateChannel, content })), stub];
}

/** Shows what was typed into a command or a window: as the root of a thread, or in the thread that it is about. */
function toRoot(turn: Turn): ReplyMessage {
  const content = buildRoot(turn.question, textsOf(turn.language));
  if (turn.question.about) return { ...inThread(turn, content), isFixed: true };
  return { channel: turn.question.channel, content, isFixed: true };
}

function inThread({ question }: Turn, content: Content): ReplyMessage {
  return { channel: question.channel, threadTs: question.threadTs, content };
}

import type { Answer } from '../conversation/outcome.ts';
import type { ReplyMessage } from '../conversation/reply.ts';
import type { Turn } from '../conversation/turn.ts';
import { buildAnswerMessages, buildPrivateStub } from './views/answer-message.ts';
import type { Content } from './views/content.ts';
import { buildNotice } from './views/notice-message.ts';
import { toPlainContent } from './views/plain-message.ts';
import { buildRoot } from './views/root-message.ts';
import { buildSharedMessages } from './views/shared-message.ts';
import { buildWaiting } from './views/waiting-message.ts';

/**
 * The messages that a turn's reply consists of, as far as is decided by now: the same turn, the same messages. Throws
 * RenderTimeoutError, unless the form is plain.
 */
export async function composeReply(turn: Turn): Promise<ReplyMessage[]> {
  const root = turn.question.messageTs ? [] : [toRoot(turn)];
  return [...root, ...(await composeOutcome(turn))];
}

/** One line of its own: an edit of it into the answer would tell nobody that the answer is there. */
export function composeWaiting(turn: Turn): ReplyMessage {
  return inThread(turn, buildWaiting(turn));
}

async function composeOutcome(turn: Turn): Promise<ReplyMessage[]> {
  const { id, outcome, question, stage, form } = turn;
  if (outcome?.kind === 'answer') return composeAnswer(turn, outcome);
  if (outcome?.kind === 'shared') {
    const contents = buildSharedMessages(question.asker.user, outcome.messages, form);
    return contents.map((content) => inThread(turn, content));
  }
  const notice = outcome ?? (stage === 'stopped' ? { kind: 'notice' as const, code: 'stopped' as const } : undefined);
  if (!notice) return [];
  const content = buildNotice(id, notice);
  return [inThread(turn, form === 'plain' ? toPlainContent(content) : content)];
}

async function composeAnswer(turn: Turn, answer: Answer): Promise<ReplyMessage[]> {
  const contents = await buildAnswerMessages(turn.id, answer, turn.form);
  const { privateChannel } = answer;
  if (!privateChannel) return contents.map((content) => inThread(turn, content));
  const stub = inThread(turn, buildPrivateStub(turn.question.asker.user));
  return [...contents.map((content) => ({ channel: privateChannel, content })), stub];
}

function toRoot(turn: Turn): ReplyMessage {
  return { channel: turn.question.channel, content: buildRoot(turn.question), isFixed: true };
}

function inThread({ question }: Turn, content: Content): ReplyMessage {
  return { channel: question.channel, threadTs: question.threadTs, content };
}

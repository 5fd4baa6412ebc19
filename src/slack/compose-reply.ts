import type { Answer } from '../conversation/outcome.ts';
import type { ReplyMessage } from '../conversation/reply.ts';
import type { Turn } from '../conversation/turn.ts';
import { buildAnswerMessages, buildPrivateStub } from './views/answer-message.ts';
import type { Content } from './views/content.ts';
import { buildNotice } from './views/notice-message.ts';
import { buildRoot } from './views/root-message.ts';
import { buildSharedMessages } from './views/shared-message.ts';
import { buildWaiting } from './views/waiting-message.ts';

/** The messages that a turn's reply consists of, as far as is decided by now. Pure: the same turn, the same messages. */
export function composeReply(turn: Turn): ReplyMessage[] {
  const root = turn.question.messageTs ? [] : [toRoot(turn)];
  return [...root, ...composeOutcome(turn)];
}

/** One line of its own: an edit of it into the answer would tell nobody that the answer is there. */
export function composeWaiting(turn: Turn): ReplyMessage {
  return inThread(turn, buildWaiting(turn));
}

function composeOutcome(turn: Turn): ReplyMessage[] {
  const { id, outcome, question, stage } = turn;
  if (outcome?.kind === 'answer') return composeAnswer(turn, outcome);
  if (outcome?.kind === 'shared') {
    return buildSharedMessages(question.asker.user, outcome.messages).map((content) => inThread(turn, content));
  }
  if (outcome) return [inThread(turn, buildNotice(id, outcome))];
  if (stage === 'stopped') return [inThread(turn, buildNotice(id, { kind: 'notice', code: 'stopped' }))];
  return [];
}

function composeAnswer(turn: Turn, answer: Answer): ReplyMessage[] {
  const contents = buildAnswerMessages(turn.id, answer);
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

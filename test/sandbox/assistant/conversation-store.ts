import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type ConversationMessage,
  NO_LABEL,
  type Question,
  type Turn,
  toServiceTime,
} from './conversation.ts';

export type Conversation = {
  readonly id: string;
  readonly owner: string;
  readonly createdDateTime: string;
  displayName: string;
  state: string;
  turnCount: number;
  readonly questions: string[];
  /** Set: every further chat is refused with this status (the service no longer knows it). */
  goneWith?: number;
  /** True while a chat of this conversation is being answered. */
  isBusy: boolean;
};

export type ConversationStore = ReadonlyMap<string, Conversation>;

export function createConversation(owner: string, nowMs: number): Conversation {
  return {
    id: randomUUID(),
    owner,
    createdDateTime: toServiceTime(nowMs),
    displayName: '',
    state: 'active',
    turnCount: 0,
    questions: [],
    isBusy: false,
  };
}

/** Counts the turn and writes it into the conversation: from here on the service has processed the question. */
export function addTurn(conversation: Conversation, question: Question, answer: Answer): Turn {
  conversation.turnCount += 1;
  conversation.questions.push(question.text);
  if (conversation.displayName === '') conversation.displayName = question.text.slice(0, 80);
  conversation.state = answer.state ?? conversation.state;
  const now = Date.now();
  return {
    conversation: conversation.id,
    createdDateTime: conversation.createdDateTime,
    displayName: conversation.displayName,
    state: conversation.state,
    turnCount: conversation.turnCount,
    echo: buildMessage(question.text, now, {}),
    replies: [buildMessage(answer.text, now, answer)],
  };
}

export function buildMessage(text: string, nowMs: number, parts: Partial<Answer>): ConversationMessage {
  return {
    id: randomUUID(),
    text,
    createdDateTime: toServiceTime(nowMs),
    adaptiveCards: parts.adaptiveCards ?? [{}],
    attributions: parts.attributions ?? [],
    references: parts.references ?? {},
    sensitivityLabel: parts.sensitivityLabel ?? NO_LABEL,
  };
}

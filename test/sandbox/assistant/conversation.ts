// What the assistant service says and remembers: the shapes of the conversation interface.
import { randomUUID } from 'node:crypto';

export type Attribution = {
  readonly attributionType: 'citation' | 'annotation';
  readonly attributionSource: 'grounding' | 'model';
  readonly providerDisplayName: string;
  readonly seeMoreWebUrl: string;
};

// Unlabelled content carries the label object with nothing in it.
const NO_LABEL = {
  sensitivityLabelId: null,
  displayName: null,
  tooltip: null,
  priority: null,
  color: null,
  isEncrypted: null,
} as const;

export type ConversationMessage = {
  readonly id: string;
  readonly text: string;
  readonly createdDateTime: string;
  readonly adaptiveCards: readonly object[];
  readonly attributions: readonly Attribution[];
  readonly references: Readonly<Record<string, object>>;
  readonly sensitivityLabel: { readonly [field in keyof typeof NO_LABEL]: string | number | boolean | null };
};

type Head = {
  readonly id: string;
  readonly createdDateTime: string;
  readonly displayName: string;
  readonly state: string;
  readonly turnCount: number;
};

/** The body of a chat answer, and of every event of a stream. */
export type ConversationBody = Head & { readonly messages: readonly ConversationMessage[] };

/** One processed turn, before it is written to the wire: with one reply, unless an oddity says otherwise. */
export type Turn = Head & { readonly echo: ConversationMessage; readonly replies: readonly ConversationMessage[] };

/** A question as the answer function gets it; `isWebEnabled` is what counts after the default. */
export type Question = {
  readonly subject: string;
  readonly name: string;
  readonly conversation: string;
  readonly text: string;
  readonly timeZone: string | undefined;
  readonly isWebEnabled: boolean;
  readonly files: readonly string[];
  /** 1 for the first question of the conversation. */
  readonly turn: number;
  readonly earlier: readonly string[];
};

export type Answer = { readonly text: string; readonly state?: string } & Partial<
  Pick<ConversationMessage, 'attributions' | 'references' | 'sensitivityLabel' | 'adaptiveCards'>
>;

export type AnswerFunction = (question: Question) => Answer | string | Promise<Answer | string>;

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

export function createConversation(owner: string): Conversation {
  return {
    id: randomUUID(),
    owner,
    createdDateTime: toServiceTime(Date.now()),
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
  const { id, createdDateTime, displayName, state, turnCount } = conversation;
  return {
    ...{ id, createdDateTime, displayName, state, turnCount },
    echo: buildMessage({ text: question.text }),
    replies: [buildMessage(answer)],
  };
}

export function buildMessage({ state: _, ...answer }: Answer): ConversationMessage {
  return {
    id: randomUUID(),
    createdDateTime: toServiceTime(Date.now()),
    adaptiveCards: [{}],
    attributions: [],
    references: {},
    sensitivityLabel: NO_LABEL,
    ...answer,
  };
}

export function toConversationBody({ echo, replies, ...head }: Turn): ConversationBody {
  return { ...head, messages: [echo, ...replies] };
}

/** ISO 8601 UTC with seven fractional digits, as the service writes it. */
function toServiceTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}4062Z`;
}

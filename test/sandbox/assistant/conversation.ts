// What the assistant service says and remembers: the shapes of the conversation interface.
export type Attribution = {
  readonly attributionType: 'citation' | 'annotation';
  readonly attributionSource: 'grounding' | 'model';
  readonly providerDisplayName: string;
  readonly seeMoreWebUrl: string;
};

export type SensitivityLabel = {
  readonly sensitivityLabelId: string | null;
  readonly displayName: string | null;
  readonly tooltip: string | null;
  readonly priority: number | null;
  readonly color: string | null;
  readonly isEncrypted: boolean | null;
};

export type ConversationMessage = {
  readonly id: string;
  readonly text: string;
  readonly createdDateTime: string;
  readonly adaptiveCards: readonly object[];
  readonly attributions: readonly Attribution[];
  readonly references: Readonly<Record<string, object>>;
  readonly sensitivityLabel: SensitivityLabel;
};

/** The body of a chat answer, and of every event of a stream. */
export type ConversationBody = {
  readonly id: string;
  readonly createdDateTime: string;
  readonly displayName: string;
  readonly state: string;
  readonly turnCount: number;
  readonly messages: readonly ConversationMessage[];
};

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

export type Answer = {
  readonly text: string;
  readonly attributions?: readonly Attribution[];
  readonly references?: Readonly<Record<string, object>>;
  readonly sensitivityLabel?: SensitivityLabel;
  readonly adaptiveCards?: readonly object[];
  readonly state?: string;
};

export type AnswerFunction = (question: Question) => Answer | string | Promise<Answer | string>;

/** One processed turn, before it is written to the wire. */
export type Turn = {
  readonly conversation: string;
  readonly createdDateTime: string;
  readonly displayName: string;
  readonly state: string;
  readonly turnCount: number;
  readonly echo: ConversationMessage;
  /** One message, unless an oddity says otherwise. */
  readonly replies: readonly ConversationMessage[];
};

// Unlabelled content carries the label object with nothing in it.
export const NO_LABEL: SensitivityLabel = {
  sensitivityLabelId: null,
  displayName: null,
  tooltip: null,
  priority: null,
  color: null,
  isEncrypted: null,
};

export function toConversationBody(turn: Turn): ConversationBody {
  return {
    id: turn.conversation,
    createdDateTime: turn.createdDateTime,
    displayName: turn.displayName,
    state: turn.state,
    turnCount: turn.turnCount,
    messages: [turn.echo, ...turn.replies],
  };
}

/** ISO 8601 UTC with seven fractional digits, as the service writes it. */
export function toServiceTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}4062Z`;
}

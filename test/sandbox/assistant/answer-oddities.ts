// Oddities of the answer itself: they change a processed turn, for chat and stream alike.

import type { Answer, Attribution, ConversationMessage, Turn } from './conversation.ts';
import { buildMessage } from './conversation-store.ts';

export type AnswerOddity =
  | 'echo-only'
  | 'rewritten-echo'
  | 'two-replies'
  | 'all-null-label'
  | 'labelled'
  | 'references'
  | 'attributions'
  | 'external-marker'
  | 'person-tags'
  | 'empty-text'
  | 'huge-body'
  | 'disengaged';

export const ANSWER_ODDITIES: Readonly<Record<AnswerOddity, (turn: Turn) => Turn>> = {
  'echo-only': (turn) => ({ ...turn, replies: [] }),
  'rewritten-echo': (turn) => ({ ...turn, echo: { ...turn.echo, text: rewrite(turn.echo.text) } }),
  'two-replies': (turn) => ({ ...turn, replies: [buildReply('Let me look that up.'), ...turn.replies] }),
  'all-null-label': (turn) => turn,
  labelled: (turn) => change(turn, { sensitivityLabel: CONFIDENTIAL }),
  references: (turn) => change(turn, REFERENCED),
  attributions: (turn) => change(turn, { text: 'Two sources agree.[^1^][^2^]', attributions: ATTRIBUTIONS }),
  'external-marker': (turn) => change(turn, { text: `${textOf(turn)} A public page says the same.[^external^]` }),
  'person-tags': (turn) =>
    change(turn, {
      text: 'Ask <Person>Ben Brandt</Person>; the plan is in <File>Plan.docx</File>.',
      attributions: PEOPLE,
    }),
  'empty-text': (turn) => change(turn, { text: '' }),
  'huge-body': (turn) => change(turn, { text: 'A very long answer. '.repeat(225_000) }),
  disengaged: (turn) => ({
    ...change(turn, { text: 'I cannot talk about this. Please start over with another topic.', attributions: [] }),
    state: 'disengagedForRai',
  }),
};

const CONFIDENTIAL = {
  sensitivityLabelId: '6f2b0c1e-0000-4000-8000-000000000001',
  displayName: 'Confidential',
  tooltip: 'Content for employees only',
  priority: 5,
  color: '#FF8C00',
  isEncrypted: false,
};

// The newer shape: attributions stay empty, and the text links to keys of the map.
const REFERENCED: Answer = {
  text: 'The budget is approved [1](https://files.example.com/sites/team/budget.xlsx#ref-b) [2](https://files.example.com/sites/team/notes.docx#ref-a).',
  attributions: [],
  references: {
    'ref-a': { targetLink: 'https://files.example.com/sites/team/notes.docx', isCitedInResponse: true },
    'ref-b': { targetLink: 'https://files.example.com/sites/team/budget.xlsx', isCitedInResponse: true },
    'ref-c': { targetLink: 'https://files.example.com/sites/team/unused.docx', isCitedInResponse: false },
  },
};

const cite = (providerDisplayName: string, seeMoreWebUrl: string, isCitation = true): Attribution => ({
  attributionType: isCitation ? 'citation' : 'annotation',
  attributionSource: isCitation ? 'grounding' : 'model',
  providerDisplayName,
  seeMoreWebUrl,
});

// An annotation stands between the citations: markers count citations only.
const ATTRIBUTIONS = [
  cite('Minutes', 'https://files.example.com/sites/team/minutes.docx'),
  cite('', 'https://people.example.com/ben', false),
  cite('Plan', 'https://files.example.com/sites/team/plan.docx'),
];

const PEOPLE = [
  cite('', 'https://people.example.com/ben', false),
  cite('', 'https://files.example.com/Plan.docx', false),
];

function rewrite(text: string): string {
  return ` ${text.replace(/\s+/g, '  ').toUpperCase()} `;
}

function buildReply(text: string): ConversationMessage {
  return buildMessage(text, Date.now(), {});
}

function change(turn: Turn, parts: Partial<ConversationMessage>): Turn {
  return { ...turn, replies: turn.replies.map((reply) => ({ ...reply, ...parts })) };
}

function textOf(turn: Turn): string {
  return turn.replies.map((reply) => reply.text).join('\n');
}

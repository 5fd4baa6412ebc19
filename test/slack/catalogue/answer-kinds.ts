// Answers: as usual, and with as much of everything as there may be.
import { expandMarkdown } from '@assistant-bridge/sandbox/slack/blocks/expand-markdown.ts';
import type { Answer } from '../../../src/conversation/outcome.ts';
import type { UnusableReason } from '../../../src/conversation/question.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { english, type Texts } from '../../../src/languages/english.ts';
import { composeReply, composeWaiting } from '../../../src/slack/compose-reply.ts';
import { buildAnswerMessages, buildPrivateStub, buildSharedMessages } from '../../../src/slack/views/answer-message.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { buildRuleStub } from '../../../src/slack/views/notice-message.ts';
import { BAD, type Kind, type Shown, TURN, toKinds } from './kind.ts';

const REASONS = Object.keys(english.answer.unusable) as UnusableReason[];

const ANSWER: Answer = {
  kind: 'answer',
  text: '## The plan\n\nIt has **three** parts [1]:\n\n- one\n- two, see [the page](https://x.example/a)\n\n> quoted\n\n```js\nlet a = 1;\n```',
  sources: [{ number: 1, title: 'Plan.docx', url: 'https://acme.sharepoint.example/Plan.docx' }],
  webSearch: true,
  partial: false,
  contextLost: false,
  files: { used: [], unusable: [] },
};

const ALL_NOTES: Partial<Answer> = {
  again: { question: BAD, isFollowed: true },
  askerName: BAD,
  quoted: {
    cut: 3,
    isUnread: true,
    isOff: true,
    isTooLong: true,
    isToldAgain: true,
    refused: ['app', 'asker', 'direct', 'gone', 'rule'],
  },
  partial: true,
  contextLost: true,
  webSearch: false,
  sensitivity: BAD,
  files: {
    used: Array.from({ length: 10 }, (_, index) => `https://acme.sharepoint.example/${'a'.repeat(200)}${index}.docx`),
    unusable: REASONS.flatMap((reason) => [
      { name: BAD, reason },
      { name: `${reason} ${BAD}`, reason },
    ]),
  },
};

const SOURCES = Array.from({ length: 25 }, (_, index) => ({
  number: index + 1,
  title: `${index} ${BAD}`,
  url: `https://acme.sharepoint.example/${'a'.repeat(index * 80)}`,
}));

const LONG_TEXTS: Record<string, string> = {
  'of 20,000 characters': 'A sentence about the plan. '.repeat(750),
  'of entities': BAD.repeat(40),
  'of Chinese': '会議の議事録と次の手順を確認して、明日までに返信してください。'.repeat(500),
  'of headings': Array.from({ length: 90 }, (_, index) => `# Section ${index}\n\nShort.`).join('\n\n'),
  'of fences': '```ts\nconst a = b < c && d;\n```\n\n'.repeat(60),
  'with a large table': [
    '| a | b |',
    '|---|---|',
    ...Array.from({ length: 150 }, (_, row) => `| ${row} | ${'x'.repeat(60)} |`),
  ].join('\n'),
  'with a wide table': [0, 1, 2]
    .map((row) => `|${Array.from({ length: 25 }, (_, column) => (row === 1 ? '---' : `${row}.${column}`)).join('|')}|`)
    .join('\n'),
  'with one word': 'x'.repeat(15_000),
};

const PRIVATE: Record<string, Partial<Answer>> = {
  'because of guests': { privateBecause: 'guests' },
  'because it is not known who reads': { privateBecause: 'unknown' },
  'by choice': {},
  'by a rule': { isPrescribed: true },
  'because of a linked message': { isFromPrivate: true },
};

const ANSWERS: [string, Partial<Answer>, Turn['form']?][] = [
  ['an answer', {}],
  ['an answer without text', { text: '', sources: [] }],
  ['an answer with every note', ALL_NOTES],
  ['an answer with the most sources', { sources: SOURCES, ...ALL_NOTES }],
  ['an answer in small messages', { text: LONG_TEXTS['of headings'] ?? '', sources: SOURCES }, 'small'],
  ['an answer in plain text', { text: LONG_TEXTS['of fences'] ?? '', sources: SOURCES, ...ALL_NOTES }, 'plain'],
  ...Object.entries(PRIVATE).map(([why, answer]): [string, Partial<Answer>] => [
    `a private answer, ${why}`,
    { privateChannel: 'D0ANA', ...answer },
  ]),
  ...Object.entries(LONG_TEXTS).map(([kind, text]): [string, Partial<Answer>] => [`an answer ${kind}`, { text }]),
];

export async function listAnswerKinds(texts: Texts): Promise<Kind[]> {
  const answers = ANSWERS.map(async ([kind, answer, form]) => [
    kind,
    await buildAnswerMessages({ ...TURN, form }, { ...ANSWER, ...answer }, texts),
  ]);
  return toKinds({
    ...Object.fromEntries(await Promise.all(answers)),
    'a reply with its root and its stub, and while it waits': await listReply(texts),
    'the stub of a private answer (guests)': buildPrivateStub('U0ANA', 'guests', texts),
    'the stub of a private answer (unknown)': buildPrivateStub('U0ANA', 'unknown', texts),
    'the stub of a private answer (chosen)': buildPrivateStub('U0ANA', undefined, texts),
    'the stub of a private answer (by a rule)': buildRuleStub('U0ANA', texts),
    ...listShared(texts),
  });
}

/** In the turn's own language, so not in one that is made up. */
async function listReply({ language }: Texts): Promise<Content[]> {
  const replies = await composeReply({ ...TURN, language, outcome: { ...ANSWER, privateChannel: 'D0ANA' } });
  return [...replies, composeWaiting({ ...TURN, language })].map(({ content }) => content as Content);
}

/** Slack gives it back as more blocks than one message takes. */
function listShared(texts: Texts): Shown {
  const messages = [{ text: ANSWER.text, blocks: expandMarkdown(LONG_TEXTS['of headings'] ?? '') }];
  const share = (form?: Turn['form']) => buildSharedMessages({ ...TURN, form }, messages, texts);
  return { 'a shared answer': share(), 'a shared answer in plain text': share('plain') };
}

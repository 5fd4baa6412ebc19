// Nothing on the way of a turn may grow with the history of a workspace. So each loop there says what bounds it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));

/** What a turn goes through, from the event to the reply. */
const ON_THE_WAY = [
  'conversation/*.ts',
  'assistant/*.ts',
  'delivery/lane.ts',
  'delivery/shares.ts',
  'delivery/{in-process-dispatcher,lane-runs,leases}.ts',
  'slack/quotes/*.ts',
  'slack/text-in/*.ts',
  'slack/text-out/*.ts',
  'slack/{answer-stream,channel-audience,files,guests,messenger,read-pages,read-thread,reply-streams,slack-reply}.ts',
  'slack/web/*.ts',
  'usage/usage-counter.ts',
];

/** Why a loop ends soon, whatever a workspace, a channel or a thread holds. */
const BOUNDS = {
  text: 'the characters, lines or marks of one text, each seen a few times: growing-cost.test.ts counts them',
  event:
    'one event of a stream, or one refusal: MAX_EVENT_CHARACTERS of event-reader.ts, MAX_REFUSAL_CHARACTERS of refusal.ts',
  sources: 'sources and citations of one answer: MAX_SOURCES of citations.ts',
  fields: 'the fields of one object or one call',
  parts: 'the messages of one reply: MORE_MESSAGES of render-markdown.ts',
  tries: 'a fixed number of tries, as it says itself',
  files: 'files and links of one question: Slack takes ten files, and a message has 40,000 characters',
  quotes: 'messages that go along: MAX_MESSAGES and MAX_PAGES of read-quoted-thread.ts, MAX_LINKS of permalinks.ts',
  thread: 'pages of a thread, after a crash or a press alone: MAX_MESSAGES and MAX_PAGES of read-pages.ts',
  people:
    'people of a channel or a workspace, only where nothing is known of them: verdicts are kept, and kept current',
  appends: 'what Slack takes of a stream: one append after the other until the answer is there',
  buckets: 'the limits of one call of Slack: web/limits.ts',
  lanes: 'lanes of this process: those that can be begun, that a person has waiting, or that were just given up',
  waiting: 'what was counted since the last write, at most MAX_WAITING of usage-counter.ts',
} as const;

type Bound = keyof typeof BOUNDS;

/** The loops of each file, in their order. */
const LOOPS: Record<string, Bound[]> = {
  'assistant/assistant-client.ts': ['tries'],
  'assistant/citation-markers.ts': ['text', 'text', 'tries', 'text'],
  'assistant/citations.ts': ['sources', 'sources', 'sources', 'text', 'sources', 'text'],
  'assistant/event-reader.ts': ['event', 'event'],
  'assistant/find-code.ts': ['text', 'text', 'text'],
  'assistant/read-answer.ts': ['event', 'event', 'event'],
  'assistant/refusal.ts': ['event'],
  'conversation/file-uses.ts': ['files'],
  'conversation/finish-reply.ts': ['parts', 'parts', 'parts'],
  'conversation/reply-parts.ts': ['parts', 'parts', 'parts', 'tries'],
  'delivery/in-process-dispatcher.ts': ['lanes'],
  'delivery/lane-runs.ts': ['lanes'],
  'delivery/lane.ts': ['tries'],
  'delivery/leases.ts': ['lanes'],
  'delivery/shares.ts': ['lanes', 'lanes'],
  'slack/answer-stream.ts': ['appends', 'tries'],
  'slack/channel-audience.ts': ['people', 'people', 'people'],
  'slack/files.ts': ['files'],
  'slack/guests.ts': ['people', 'people', 'people', 'people'],
  'slack/quotes/compose-quotes.ts': ['quotes', 'text', 'quotes', 'quotes'],
  'slack/quotes/name-people.ts': ['quotes', 'quotes'],
  'slack/quotes/permalinks.ts': ['text', 'quotes', 'quotes'],
  'slack/quotes/read-quoted-thread.ts': ['quotes', 'quotes'],
  'slack/read-pages.ts': ['thread'],
  'slack/read-thread.ts': ['parts'],
  'slack/text-in/mrkdwn.ts': ['text', 'text'],
  'slack/text-in/read-message.ts': ['text'],
  'slack/text-in/rich-text.ts': ['text', 'text', 'text'],
  'slack/text-in/shared-files.ts': ['files'],
  'slack/text-out/growing-markdown.ts': ['text'],
  'slack/text-out/markdown-tree.ts': ['text'],
  'slack/text-out/message-budget.ts': ['text', 'parts', 'text', 'text', 'fields'],
  'slack/text-out/pack-leaves.ts': ['text', 'text', 'parts', 'text', 'text', 'text', 'text'],
  'slack/text-out/plain-text.ts': ['text'],
  'slack/text-out/settled-markdown.ts': ['text', 'text'],
  'slack/text-out/write-blocks.ts': ['text', 'text', 'text', 'text'],
  'slack/text-out/write-inline.ts': ['text', 'text'],
  'slack/text-out/write-table.ts': ['text', 'text', 'text', 'text'],
  'slack/web/buckets.ts': ['buckets', 'buckets'],
  'slack/web/budgets.ts': ['buckets', 'tries'],
  'slack/web/client.ts': ['fields'],
  'usage/usage-counter.ts': ['fields', 'waiting', 'waiting'],
};

/** Its first line; the `while` of a `do` stands at its end. */
const LOOP = /^\s*(?:for (?:await )?\(|while \(|do \{)/;

function listLoops(): Record<string, string[]> {
  const files = globSync(ON_THE_WAY, { cwd: root }).toSorted();
  const loops = files.map((file): [string, string[]] => [
    file,
    readFileSync(root + file, 'utf8')
      .split('\n')
      .filter((line) => LOOP.test(line)),
  ]);
  return Object.fromEntries(loops.filter(([, found]) => found.length > 0));
}

it('has no loop on the way of a turn that nobody says the bound of', () => {
  const found = Object.entries(listLoops()).map(([file, loops]) => ({ file, loops: loops.length }));

  expect(found).toEqual(Object.entries(LOOPS).map(([file, bounds]) => ({ file, loops: bounds.length })));
  expect(new Set(Object.values(LOOPS).flat())).toEqual(new Set(Object.keys(BOUNDS)));
});

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Upload } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { type ListPosition, type ReadMessage, readPage } from '../read-pages.ts';
import { readMessage } from '../text-in/read-message.ts';
import { ACTIONS } from '../views/content.ts';
import { readShownQuestion } from '../views/notice-message.ts';
import type { CallSlack, Importance } from '../web/methods.ts';

/** What a message says; people are named by their ids. */
export type ThreadMessage = {
  ts: string;
  /** `ours`: written by this app. `app`: by another app. */
  author: 'ours' | 'app' | 'person';
  /** The id of a person, or the name of an app. */
  by: string;
  text: string;
  /** For our answers: the turn id in its buttons. */
  turn?: string;
  links: string[];
  uploads: Upload[];
};

export type ThreadWindow = {
  channel: string;
  threadTs: string;
  /** Read messages after this one; it is excluded. */
  after?: string | undefined;
  /** Read messages before this one; it is excluded. */
  before?: string | undefined;
  /** Read these wherever they are in the thread. */
  pinned?: readonly string[];
};

/** `isWhole`: Slack returned everything in the window. `skipped`: how many older messages were left out. */
export type ReadThread = {
  messages: ThreadMessage[];
  root: string;
  isWhole: boolean;
  skipped: number;
  readUpTo: string | undefined;
};

/** Slack returns the oldest first, and up to 1,000 in a call: https://docs.slack.dev/reference/methods/conversations.replies */
const PAGE = 999;
const MAX_MESSAGES = 4 * PAGE;
const MAX_PAGES = 8;

/** Reading a long message takes tens of milliseconds, and only this many fit into the budget for quotes. */
const MAX_LATEST = 100;

const SUBTYPES = new Set<unknown>([undefined, 'file_share', 'thread_broadcast', 'bot_message', 'me_message']);

type Raw = ReadMessage & {
  username?: string;
  bot_profile?: { name?: string };
};

/**
 * Reads a thread in one call if Slack lets us: the root, what is pinned, and the latest messages. Throws what the first
 * call throws; if a later page is refused, the thread is not whole.
 */
export async function readQuotedThread(
  call: CallSlack,
  installation: Installation,
  window: ThreadWindow,
  importance: Importance,
): Promise<ReadThread> {
  const { raw, isWhole } = await readRaw(call, installation.workspace, window, importance);
  const known = raw.filter(({ ts }) => ts !== undefined && ts !== window.before);
  const root = String(known[0]?.ts ?? '');
  const isPinned = ({ ts = '' }: Raw) => window.pinned?.includes(ts) === true;
  const isNew = ({ ts }: Raw) => window.after === undefined || Number(ts) > Number(window.after);
  const wanted = known.filter((message) => isNew(message) || isPinned(message));
  const first = wanted.length - MAX_LATEST;
  let skipped = 0;
  const messages: ThreadMessage[] = [];
  for (const [index, message] of wanted.entries()) {
    if (index < first && message.ts !== root && !isPinned(message)) {
      skipped++;
      continue;
    }
    if (SUBTYPES.has(message.subtype)) messages.push(toThreadMessage(message, installation));
    // Let other work run in between.
    await setImmediate();
  }
  const last = known.at(-1)?.ts;
  return { messages, root, isWhole, skipped, readUpTo: isWhole ? (window.before ?? last) : last };
}

async function readRaw(
  call: CallSlack,
  workspace: string,
  { channel, threadTs, after, before, pinned = [] }: ThreadWindow,
  importance: Importance,
): Promise<{ raw: Raw[]; isWhole: boolean }> {
  const oldest = after && [after, ...pinned].reduce((one, other) => (Number(one) < Number(other) ? one : other));
  const range = {
    channel,
    ts: threadTs,
    inclusive: true,
    ...(oldest && { oldest }),
    ...(before && { latest: before }),
  };
  const raw: Raw[] = [];
  const position: ListPosition = { limit: PAGE, pages: 0 };
  do {
    const isFirst = position.pages === 0;
    const reading = readPage(position, (page) =>
      call('conversations.replies', workspace, { ...range, ...page }, isFirst ? importance : 'extra'),
    );
    const answer = await (isFirst ? reading : reading.catch(() => undefined));
    if (!answer) return { raw, isWhole: false };
    raw.push(...((answer.messages ?? []) as Raw[]));
  } while (position.cursor && position.pages < MAX_PAGES && raw.length < MAX_MESSAGES);
  return { raw, isWhole: position.cursor === undefined };
}

function toThreadMessage(message: Raw, { botUserId, botId }: Installation): ThreadMessage {
  const { ts = '', user = '', bot_id: bot } = message;
  const { text, links, uploads } = readMessage(message, { botUserId });
  const said = { ts, text, links, uploads };
  if (user === botUserId || (bot && bot === botId))
    return { ...said, author: 'ours', by: '', ...readOurs(message, text, botUserId) };
  if (bot) return { ...said, author: 'app', by: message.bot_profile?.name ?? message.username ?? '' };
  return { ...said, author: 'person', by: user };
}

/** Blocks that Slack makes from the Markdown of an answer. Our notices have none of them. */
const ANSWER_BLOCKS = new Set<unknown>(['rich_text', 'markdown', 'table', 'header']);

const buttonsSchema = z.array(
  z.object({
    elements: z.array(z.object({ action_id: z.string().optional(), value: z.string().optional() })).optional(),
  }),
);

/** A message of ours: an answer, the question of a person that we show, or a notice, whose text is left out. */
function readOurs({ blocks }: Raw, text: string, botUserId: string): Partial<ThreadMessage> {
  const question = readShownQuestion(blocks);
  if (question) {
    const { text: asked, links } = readMessage({ text: question.text }, { botUserId });
    return { author: 'person', by: question.asker, text: asked, links };
  }
  const isAnswer = Array.isArray(blocks) && blocks.some((block) => ANSWER_BLOCKS.has(block?.type));
  return { text: isAnswer ? text : '', ...readTurn(blocks) };
}

function readTurn(blocks: unknown): { turn?: string } {
  const { data = [] } = buttonsSchema.safeParse(blocks);
  const button = data.flatMap(({ elements = [] }) => elements).find(({ action_id: id }) => id === ACTIONS.details);
  return button?.value ? { turn: button.value } : {};
}

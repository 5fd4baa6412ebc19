import type { AskedPlace } from '../../conversation/channel-settings.ts';
import type { LinkRefusal } from '../../conversation/outcome.ts';
import type { Question } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { type ListPosition, readPage } from '../read-pages.ts';
import type { Uses } from '../services.ts';
import { MAX_PEOPLE_PAGE } from '../web/limits.ts';
import { SlackRefusedError } from '../web/slack-errors.ts';
import { type ReadThread, readQuotedThread } from './read-quoted-thread.ts';

export type Permalink = { channel: string; ts: string; threadTs: string };

/** `isPrivate`: not everybody in the workspace may read it, or Slack does not say so. */
export type LinkedThread = ReadThread & { link: Permalink; isPrivate: boolean };

export type LinkedThreads = { threads: LinkedThread[]; refused: LinkRefusal[] };

type Needs = Uses<'call' | 'channels'> & {
  /** Whether messages of a channel may be quoted. */
  passesOn(place: AskedPlace): Promise<boolean>;
};

/** Each costs two calls or more. */
const MAX_LINKS = 3;

/** With at most a thousand people each. We do not list the members of larger channels, and read nothing there. */
const MAX_PAGES = 10;

// `/archives/C0123/p1700000000000100?thread_ts=1699999999.000100&cid=C0123`. Any host of Slack will do: no request goes to it.
const PERMALINK =
  /https:\/\/[\w-]+(?:\.[\w-]+)*\.slack(?:-gov)?\.com\/archives\/([CDG][A-Z0-9]{2,})\/p(\d{6,})(\d{6})(?:\?([^\s<>"'`|)]*))?/g;

/** The links to messages in a text, each once. */
export function findPermalinks(text: string): Permalink[] {
  const found = new Map<string, Permalink>();
  for (const [, channel = '', seconds = '', fraction = '', query = ''] of text.matchAll(PERMALINK)) {
    const ts = `${seconds}.${fraction}`;
    const thread = new URLSearchParams(query.replaceAll('&amp;', '&')).get('thread_ts') ?? '';
    const threadTs = /^\d+\.\d{6}$/.test(thread) ? thread : ts;
    found.set(`${channel} ${ts}`, { channel, ts, threadTs });
  }
  return [...found.values()];
}

/**
 * Reads the messages that a question links to, and their threads. Only from channels where Slack confirms now that
 * the app and the asker are members, and where the rules allow it. If in doubt, does not read. Never throws.
 */
export async function readLinked(
  links: readonly Permalink[],
  question: Question,
  installation: Installation,
  ports: Needs,
): Promise<LinkedThreads> {
  // A question asked from a message's menu may be somebody else's text. With a link in it, its
  // author could make the asker read out what the author may not read.
  if (question.fingerprint !== undefined) return { threads: [], refused: links.map(() => 'other_author') };
  const read = await Promise.all(
    links.slice(0, MAX_LINKS).map((link) => readOne(link, question, installation, ports).catch(() => 'gone' as const)),
  );
  const threads = read.filter((one) => typeof one !== 'string');
  const refused = read.filter((one) => typeof one === 'string');
  return { threads, refused: [...refused, ...links.slice(MAX_LINKS).map(() => 'number' as const)] };
}

async function readOne(
  link: Permalink,
  question: Question,
  installation: Installation,
  ports: Needs,
): Promise<LinkedThread | LinkRefusal> {
  const refusal = await findRefusal(link, question, installation, ports);
  if (refusal) return refusal;
  const { channel, ts, threadTs } = link;
  const audience = channel.startsWith('D') ? 'person' : 'channel';
  if (!(await ports.passesOn({ workspace: question.workspace, channel, audience }))) return 'rule';
  const [thread, isPrivate] = await Promise.all([
    readQuotedThread(ports.call, installation, { channel, threadTs, pinned: [ts] }, 'notice'),
    isPrivateChannel(channel, question, ports),
  ]);
  return thread.messages.some((message) => message.ts === ts) ? { ...thread, link, isPrivate } : 'gone';
}

async function isPrivateChannel(channel: string, { workspace }: Question, { channels }: Needs): Promise<boolean> {
  if (channel.startsWith('D')) return true;
  const look = await channels.look(workspace, channel, 'notice').catch(() => undefined);
  return look?.isPublic !== true;
}

async function findRefusal(
  { channel }: Permalink,
  { asker }: Question,
  installation: Installation,
  { call, channels }: Needs,
): Promise<LinkRefusal | undefined> {
  if (channel.startsWith('D')) {
    const own = await channels.directMessage(installation.workspace, asker.user, 'notice').catch(() => '');
    return own === channel ? undefined : 'direct';
  }
  const { workspace, botUserId } = installation;
  const missing = new Set([asker.user, botUserId]);
  const position: ListPosition = { limit: MAX_PEOPLE_PAGE, pages: 0 };
  do {
    const answer = await readPage(position, (page) =>
      call('conversations.members', workspace, { channel, ...page }, 'notice'),
    ).catch((error: unknown) => {
      // Slack does not show us the private channels that we are not in.
      if (error instanceof SlackRefusedError) return undefined;
      throw error;
    });
    if (!answer) return 'app';
    for (const member of answer.members ?? []) missing.delete(member);
  } while (position.cursor && position.pages < MAX_PAGES && missing.size > 0);
  if (missing.has(botUserId)) return position.cursor ? 'gone' : 'app';
  return missing.has(asker.user) ? 'asker' : undefined;
}

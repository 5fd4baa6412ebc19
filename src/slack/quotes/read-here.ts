import { LRUCache } from 'lru-cache';
import type { Question } from '../../conversation/question.ts';
import type { ThreadConversation, Turn } from '../../conversation/turn.ts';
import type { Installation } from '../installation.ts';
import type { Uses } from '../services.ts';
import { toCallCode } from '../web/slack-errors.ts';
import { type ReadThread, readQuotedThread, type ThreadMessage } from './read-quoted-thread.ts';

export type HereJob = {
  question: Question;
  installation: Installation;
  recent: Recent;
  ports: Uses<'call' | 'turns' | 'log'>;
};

/** Threads that were read, by question and requested part. */
type Recent = LRUCache<string, ReadThread>;

/** As long as a question can wait before it runs again: Slack may not let us read a second time. */
const RECENT_MS = 10 * 60_000;
const MAX_RECENT = 50;

export function createRecent(): Recent {
  return new LRUCache({ max: MAX_RECENT, ttl: RECENT_MS });
}

/** The part of the thread that is sent with a question. */
export type Here = {
  messages: ThreadMessage[];
  /** Undefined: use the links of `messages`. */
  links?: string[];
  kept: ReadonlySet<string>;
  skipped: number;
  readUpTo?: string | undefined;
  isUnread?: boolean;
};

const NONE: Here = { messages: [], kept: new Set(), skipped: 0 };

/** Without quotes, the first question in a thread still gets the links that were shared earlier in it. */
export async function readLinksHere(job: HereJob, known: ThreadConversation | undefined): Promise<Here> {
  if (known || job.question.startsThread) return NONE;
  const thread = await readThread(job, {}, 'extra').catch((error: unknown) => {
    job.ports.log.debug({ code: toCallCode(error) }, 'earlier links not read');
    return undefined;
  });
  return { ...NONE, links: thread?.messages.flatMap(toLinks) ?? [] };
}

/** The part of the thread to read. `after`: undefined for all of it. `kept`: messages that must not be left out. */
type Wanted = { after: string | undefined; kept: string[] };

/** The messages in the question's thread that the service does not know yet. */
export async function readHere(job: HereJob, pinned: string[], known: ThreadConversation | undefined): Promise<Here> {
  const wanted = toWanted(job.question, pinned, known);
  if ('readUpTo' in wanted) return { ...NONE, ...wanted };
  const { after, kept } = wanted;
  const isAwaited = after === undefined || kept.length > 0;
  try {
    const thread = await readThread(job, { after, pinned: kept }, isAwaited ? 'notice' : 'extra');
    const { root, skipped, readUpTo, isWhole } = thread;
    const isNew = !known || after === undefined;
    const messages = isNew ? thread.messages : await withoutKnown(job, thread.messages, kept, known);
    return { messages, kept: new Set(isNew ? [...kept, root] : kept), skipped, readUpTo, isUnread: !isWhole };
  } catch (error) {
    job.ports.log.debug({ code: toCallCode(error) }, 'thread not read');
    return { ...NONE, isUnread: isAwaited };
  }
}

/** `readUpTo`: nothing has to be read; the service knows the thread up to here. */
function toWanted(
  question: Question,
  pinned: string[],
  known: ThreadConversation | undefined,
): Wanted | { readUpTo: string | undefined } {
  const { about, audience, startsThread, isAskedAgain, messageTs, threadTs } = question;
  // Until the conversation has an answer, we cannot be sure that the service got the quotes.
  const isNew = !known || known.turnCount === 0;
  const kept = [...pinned, ...(about && (isNew || !isAskedAgain) ? [about] : [])];
  const after = isNew ? undefined : (known.readUpTo ?? '0');
  if (kept.length > 0) return { after, kept };
  const asked = messageTs ?? threadTs;
  // In a direct message only the asker and the app write.
  const isAlone = (startsThread && !about) || (!isNew && audience === 'person');
  const isRead = after !== undefined && Number(asked) <= Number(after);
  return isAlone || isRead ? { readUpTo: asked } : { after, kept };
}

async function readThread(
  { question, installation, recent, ports }: HereJob,
  wanted: { after?: string | undefined; pinned?: string[] },
  importance: 'notice' | 'extra',
): Promise<ReadThread> {
  const { workspace, asker, channel, threadTs = '', messageTs: before } = question;
  const window = { channel, threadTs, before, ...wanted };
  const key = JSON.stringify([workspace, asker.user, window]);
  try {
    const thread = await readQuotedThread(ports.call, installation, window, importance);
    recent.set(key, thread);
    return thread;
  } catch (error) {
    const known = recent.get(key);
    if (known) return known;
    throw error;
  }
}

/** The service knows the questions and answers of this conversation only. A thread can have several conversations. */
async function withoutKnown(
  { question, ports }: HereJob,
  messages: ThreadMessage[],
  kept: string[],
  known: ThreadConversation,
): Promise<ThreadMessage[]> {
  const { asker, channel } = question;
  const ids = messages.map(({ turn, ts }) => turn ?? `message:${asker.team}:${channel}:${ts}`);
  const turns = (await Promise.all([...new Set(ids)].map((id) => ports.turns.get(id)))).filter(
    (turn) => turn !== undefined,
  );
  const isKnown = (message: ThreadMessage): boolean => {
    const its = turns.filter((turn) => isOf(turn, message.ts, channel));
    return its.some(({ conversation }) => conversation === known.id);
  };
  return messages.filter((message) => kept.includes(message.ts) || !isKnown(message));
}

function isOf({ question, parts }: Turn, ts: string, channel: string): boolean {
  return question.messageTs === ts || parts.some((part) => part.ts === ts && part.channel === channel);
}

/** Nobody shared the links in our own answers. */
export function toLinks({ author, links }: ThreadMessage): string[] {
  return author === 'person' ? links : [];
}

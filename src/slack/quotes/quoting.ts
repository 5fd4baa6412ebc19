import type { AskedPlace } from '../../conversation/channel-settings.ts';
import type { LinkRefusal, QuotedNotes } from '../../conversation/outcome.ts';
import type { Question, UnusableFile } from '../../conversation/question.ts';
import type { Quote, Quoted, Quoting } from '../../conversation/quoting.ts';
import { SECRECY } from '../../conversation/secrecy.ts';
import type { ThreadConversation } from '../../conversation/turn.ts';
import { textsOf } from '../../languages/texts.ts';
import { withinTime } from '../../time-limit.ts';
import { readTextFiles, type TextFiles } from '../files.ts';
import type { Uses } from '../services.ts';
import { toCallCode } from '../web/slack-errors.ts';
import { composeText, type Frame, NO_QUOTES, type Quotes, quote, type Said } from './compose-quotes.ts';
import { findMentioned, type Names, namePeople, withNames } from './name-people.ts';
import { findPermalinks, type LinkedThread, type LinkedThreads, type Permalink, readLinked } from './permalinks.ts';
import { createRecent, type Here, type HereJob, readHere, readLinksHere, toLinks } from './read-here.ts';
import type { ThreadMessage } from './read-quoted-thread.ts';

type Needs = Uses<
  'call' | 'findInstallation' | 'people' | 'channels' | 'groups' | 'http' | 'apiUrl' | 'turns' | 'log'
> & {
  /** Whether messages of a channel may be quoted. */
  passesOn(place: AskedPlace): Promise<boolean>;
};

/**
 * All quoted messages together, in characters. The service names no limit, and programs that use it send it 16,000 at
 * once; this leaves room for a question as long as Slack lets people write.
 */
const MAX_QUOTES = 12_000;

/** How many of these characters linked messages may use. */
const MAX_LINKED = 6_000;

/** How many of these characters the message that a question is about may use. */
const MAX_ABOUT = 4_000;

/** Messages of the same thread that a question links to. */
const MAX_PINNED = 3;

/** All text files together. If this is too much for the service, the question is asked without quotes and files. */
const MAX_FILES = 20_000;

/** The longest time that a question waits for linked messages, and then for the other quotes. */
const WAIT_MS = 8_000;

type Elsewhere = { linked: LinkedThreads; pinned: string[] } & Pick<Quoting, 'secrecy'>;

export function createQuote(ports: Needs): Quote {
  const recent = createRecent();
  return async (question, language) => {
    const alone: Quoting = { secrecy: SECRECY.none, compose: async () => toAlone(question) };
    try {
      const isOff = !(await ports.passesOn(question));
      const installation = await ports.findInstallation(question.workspace);
      const job = { question, installation, frame: textsOf(language).threadContext.frame, isOff, recent, ports };
      const links = findPermalinks(question.text);
      const elsewhere =
        links.length === 0
          ? nothingElsewhere()
          : await withinTime(WAIT_MS, readElsewhere(job, links), () => nothingElsewhere('gone'));
      return { secrecy: elsewhere.secrecy, compose: (known) => orAlone(compose(job, elsewhere, known), job) };
    } catch (error) {
      ports.log.warn({ code: toCallCode(error) }, 'nothing quoted');
      return alone;
    }
  };
}

/** `isOff`: quotes are turned off. */
type Job = HereJob & { frame: Frame; isOff: boolean; ports: Needs };

function toAlone({ text, unusable }: Question): Quoted {
  return { text, own: text, links: [], unusable, details: {} };
}

/** Problems with quotes must never keep a question from being asked. */
async function orAlone(composing: Promise<Quoted>, { question, ports }: Job): Promise<Quoted> {
  const failed = () => ({ ...toAlone(question), notes: { isUnread: true } });
  return withinTime(WAIT_MS, composing, failed).catch((error: unknown) => {
    ports.log.warn({ code: toCallCode(error) }, 'nothing quoted');
    return failed();
  });
}

async function readElsewhere(job: Job, links: readonly Permalink[]): Promise<Elsewhere> {
  const { question, installation, isOff, ports } = job;
  if (isOff) return nothingElsewhere(...links.map(() => 'off' as const));
  const isHere = ({ channel, threadTs, ts }: Permalink) =>
    channel === question.channel && (threadTs === question.threadTs || ts === question.threadTs);
  const linked = await readLinked(
    links.filter((link) => !isHere(link)),
    question,
    installation,
    ports,
  );
  const pinned = links
    .filter(isHere)
    .slice(0, MAX_PINNED)
    .map(({ ts }) => ts);
  const others = linked.threads.filter(({ link }) => link.channel !== question.channel);
  const ofOthers = others.length > 0 ? SECRECY.others : SECRECY.none;
  return { linked, pinned, secrecy: others.some(({ isPrivate }) => isPrivate) ? SECRECY.thread : ofOthers };
}

function nothingElsewhere(...refused: LinkRefusal[]): Elsewhere {
  return { linked: { threads: [], refused }, pinned: [], secrecy: SECRECY.none };
}

async function compose(job: Job, elsewhere: Elsewhere, known: ThreadConversation | undefined): Promise<Quoted> {
  const { question, installation, frame, ports } = job;
  const here = await (job.isOff ? readLinksHere(job, known) : readHere(job, elsewhere.pinned, known));
  const threads = [...elsewhere.linked.threads.map(({ messages }) => messages), here.messages];
  const uploads = [
    ...(question.uploads ?? []),
    ...threads
      .flat()
      .toReversed()
      .flatMap(({ uploads }) => uploads),
  ];
  const [names, files] = await Promise.all([
    namePeople(toIds(question, threads), question, ports),
    readTextFiles(uploads, installation, ports),
  ]);
  const { linked, thread, about, texts } = quoteAll(job, { elsewhere, here, files, names });
  const lines = [
    ...under(frame.linked, linked.lines),
    ...under(frame.thread, thread.lines),
    ...under(frame.files, texts.lines),
    ...under(frame.about, about.lines),
  ];
  const { refused } = elsewhere.linked;
  const quotes = [linked, thread, about].reduce(addQuotes, { ...NO_QUOTES, cut: here.skipped });
  const isOff = job.isOff && question.about !== undefined;
  const own = withNames(question.text, names);
  return {
    text: composeText(lines, own, frame),
    own,
    links: here.links ?? here.messages.flatMap(toLinks),
    unusable: withoutRead(question, files),
    readUpTo: here.readUpTo,
    details: toDetails(quotes, files, elsewhere),
    notes: toNotes({ cut: quotes.cut + texts.cut, isUnread: here.isUnread, isOff, refused }),
  };
}

type Found = { elsewhere: Elsewhere; here: Here; files: TextFiles; names: Names };

/** Each kind of quote has its own share of the space, so that none can displace the others. */
function quoteAll(job: Job, { elsewhere, here, files, names }: Found) {
  const { frame, question } = job;
  const { true: asked = [], false: others = [] } = Object.groupBy(here.messages, ({ ts }) =>
    ts === question.about ? 'true' : 'false',
  );
  const about = quote(toSaid(job, asked, new Set(), names), MAX_ABOUT, frame, MAX_ABOUT);
  const linked = quoteLinked(job, elsewhere.linked.threads, names);
  const thread = quote(toSaid(job, others, here.kept, names), MAX_QUOTES - linked.size - about.size, frame);
  const said = files.read.map(({ name, text }): Said => ({ speaker: { kind: 'file', name }, text }));
  const texts = quote(said, MAX_FILES, frame, Math.floor(MAX_FILES / Math.max(1, said.length)) - 1);
  return { about, linked, thread, texts };
}

function quoteLinked(job: Job, threads: readonly LinkedThread[], names: Names): Quotes {
  const room = Math.floor(MAX_LINKED / Math.max(1, threads.length));
  return threads
    .map((thread) => {
      const kept = new Set([thread.root, thread.link.ts]);
      const quotes = quote(toSaid(job, thread.messages, kept, names), room, job.frame);
      return { ...quotes, cut: quotes.cut + thread.skipped };
    })
    .reduce(addQuotes, NO_QUOTES);
}

function addQuotes(one: Quotes, other: Quotes): Quotes {
  return {
    lines: [...one.lines, ...other.lines],
    messages: one.messages + other.messages,
    cut: one.cut + other.cut,
    size: one.size + other.size,
  };
}

function toSaid(
  { question }: Job,
  messages: readonly ThreadMessage[],
  kept: ReadonlySet<string>,
  names: Names,
): Said[] {
  return messages
    .filter(({ text }) => text !== '')
    .map(({ ts, author, by, text }) => ({
      speaker: toSpeaker(author, by, question, names),
      text: withNames(text, names),
      isKept: kept.has(ts),
    }));
}

function toSpeaker(author: ThreadMessage['author'], by: string, { asker }: Question, names: Names): Said['speaker'] {
  if (author === 'ours') return { kind: 'assistant' };
  if (author === 'app') return { kind: 'app', name: by };
  return { kind: by === asker.user ? 'asker' : 'person', name: names.get(by) ?? by };
}

/** Whom the asker mentions, then the newest first, because there may be too many people to name all. */
function toIds({ asker, text }: Question, threads: readonly ThreadMessage[][]): string[] {
  const messages = threads.flat().toReversed();
  const authors = messages.filter(({ author }) => author === 'person').map(({ by }) => by);
  const isAsking = authors.includes(asker.user) ? [asker.user] : [];
  return [...findMentioned(text), ...isAsking, ...authors, ...messages.flatMap((one) => findMentioned(one.text))];
}

function under(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

/** Removes the uploads that were read. The others get a reason why they were not. Files of others may have the same name. */
function withoutRead({ unusable, uploads = [] }: Question, { read, refused }: TextFiles): UnusableFile[] {
  return unusable.flatMap((file) => {
    const isOf = ({ id }: { id: string }) => uploads.some((upload) => upload.id === id && upload.name === file.name);
    const why = file.reason === 'upload' ? refused.find(isOf)?.why : undefined;
    if (why) return [{ ...file, why }];
    return file.reason === 'upload' && read.some(isOf) ? [] : [file];
  });
}

function toDetails({ messages, cut }: Quotes, files: TextFiles, { linked }: Elsewhere): Quoted['details'] {
  const { threads, refused } = linked;
  return {
    ...(messages + cut > 0 && { quotes: { messages, cut } }),
    ...(threads.length + refused.length > 0 && { permalinks: { used: threads.length, refused: refused.length } }),
    ...(files.read.length > 0 && { textFiles: files.read.length }),
  };
}

function toNotes({ cut = 0, isUnread, isOff, refused = [] }: QuotedNotes): QuotedNotes | undefined {
  if (cut === 0 && !isUnread && !isOff && refused.length === 0) return undefined;
  return {
    ...(cut > 0 && { cut }),
    ...(isUnread && { isUnread }),
    ...(isOff && { isOff }),
    ...(refused.length > 0 && { refused: [...new Set(refused)] }),
  };
}

import type { Person, Question, UnusableFile, Upload } from '../../conversation/question.ts';
import { type JsonObject, toObject } from '../../json.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { joinBlocks, type Run, readMrkdwn, toLinkRun } from './mrkdwn.ts';
import { assemble, type Range, readBlock, readObjects, readString } from './rich-text.ts';
import { readUploads, sortShared } from './shared-files.ts';

type MessageReading = {
  /** Readable plain text, without the mention of the bot and the web-off words; '' if nothing else was said. */
  text: string;
  /** False if the message says `/assistant-web-off`, `!assistant-web-off`, `!web-off` or `!ohne-web` outside code. */
  webSearch: boolean;
  mentionsBot: boolean;
  /** Ids of other people mentioned, each once. */
  mentionedUsers: string[];
  /** Absolute https addresses without fragment, each once, from the text and from files kept elsewhere. */
  links: string[];
  unusable: UnusableFile[];
  /** Those of the unusable that are text files kept by Slack. */
  uploads: Upload[];
};

/**
 * Reads a message event, the message of a shortcut, or `{ text }` of a command. Never throws, whatever `message` is.
 */
export function readMessage(message: unknown, { botUserId }: { botUserId: string }): MessageReading {
  const { said, alsoShared } = readRuns(toObject(message));
  const spoken = assemble(said, botUserId);
  const shown = assemble(alsoShared, botUserId);
  const webOff = findWebOff(spoken.searchable);
  const files = readObjects(toObject(message), 'files');
  const { links, unusable } = sortShared([...spoken.addresses, ...shown.addresses], files);
  const itemIds = findItemIds(spoken.searchable).map((id) => ({ name: id, reason: 'item_id' as const }));
  return {
    text: toQuestionText(spoken.text, [...spoken.mentions, ...webOff]),
    webSearch: webOff.length === 0,
    mentionsBot: spoken.mentions.length > 0,
    mentionedUsers: spoken.mentionedUsers,
    links,
    unusable: [...unusable, ...itemIds],
    uploads: readUploads(files),
  };
}

/** What somebody typed into a window: it has no markup, so `<!x>` and `&lt;` stay as they are. */
export function readTyped(text: string, bot: { botUserId: string }): MessageReading {
  return readMessage({ text: escapeMrkdwn(text) }, bot);
}

/** Where a question was asked and how: all that its message does not say. */
type QuestionSource = Pick<Question, 'channel' | 'origin' | 'startsThread'> &
  Partial<Pick<Question, 'audience' | 'threadTs' | 'messageTs' | 'about' | 'webSearch'>>;

/** What somebody wrote as a question. `workspace`: of the installation. */
export function toQuestion(
  { text, webSearch, links, unusable, uploads }: MessageReading,
  source: QuestionSource,
  { person, workspace }: { person: Person; workspace: string },
): Question {
  return {
    asker: person,
    workspace,
    audience: source.channel.startsWith('D') ? 'person' : 'channel',
    ...{ text, links, unusable, ...(uploads.length > 0 && { uploads }) },
    ...source,
    webSearch: webSearch && source.webSearch !== false,
  };
}

/**
 * Slack sends what a person wrote twice, as rich text, which is exact, and as mrkdwn. Tables pasted into a message come in
 * an attachment, and so do forwarded messages. Other blocks are those of an app that posted the message; their text is in
 * `text` too.
 */
function readRuns(message: JsonObject): { said: Run[]; alsoShared: Run[] } {
  const blocks = readObjects(message, 'blocks');
  const attachments = readObjects(message, 'attachments');
  const tables = attachments
    .filter((attachment) => !isOthersContent(attachment))
    .flatMap((attachment) => readObjects(attachment, 'blocks'))
    .filter((block) => block.type === 'table');
  const text = readString(message, 'text');
  const below = [...tables.map(readBlock), ...attachments.map((attachment) => readForwarded(attachment, text))];
  const written = blocks.filter(({ type }) => type === 'rich_text' || type === 'table');
  const others = blocks.filter((block) => !written.includes(block));
  const isRich = written.some(({ type }) => type === 'rich_text');
  if (!isRich && text === '') return { said: joinBlocks([...blocks.map(readBlock), ...below]), alsoShared: [] };
  const first = isRich ? [] : [readMrkdwn(text)];
  return { said: joinBlocks([...first, ...written.map(readBlock), ...below]), alsoShared: others.flatMap(readBlock) };
}

/** The link to a forwarded message, which is quoted like any other if the asker and the app may read it. */
function readForwarded(attachment: JsonObject, text: string): Run[] {
  const url = attachment.is_share === true ? readString(attachment, 'from_url') : '';
  const isSaid = text.includes(url.split('?', 1)[0] ?? '');
  return isSaid ? [] : [toLinkRun(url, '')];
}

// A shared or unfurled message was written by somebody else, and is not part of the question.
function isOthersContent(attachment: JsonObject): boolean {
  return attachment.is_msg_unfurl === true || attachment.is_share === true || readString(attachment, 'from_url') !== '';
}

// The `()?` that is left of `(!web-off)?` is no question, but a message of just `?` is one.
function toQuestionText(text: string, removed: Range[]): string {
  const left = removeRanges(text, removed);
  return removed.length > 0 && /^[\s.,;:…()[\]{}"'“”‘’*_~>!?-]*$/.test(left) ? '' : left;
}

// Slack refuses slash commands in threads, so these words may stand anywhere in a message: as a word of their own, in
// brackets or quotes, or followed by punctuation.
const WEB_OFF =
  /(?<![^\s([{"'“‘*_~>])(?:\/assistant-web-off|!assistant-web-off|!web-off|!ohne-web)(?=[.,;:!?…)\]}"'”’*_~]*(?:\s|$))/gi;

// The unambiguous way to name a file by id: `file:` and an id of the document library.
const ITEM_ID = /(?<![^\s([{"'“‘])file:([A-Za-z0-9][A-Za-z0-9!_-]{9,99})(?=[.,;:!?…)\]}"'”’]*(?:\s|$))/gi;

/** Where a text, with code and links blanked out, turns web search off. */
function findWebOff(searchable: string): Range[] {
  return [...searchable.matchAll(WEB_OFF)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
}

/** Ids of files named as `file:<id>`. */
function findItemIds(searchable: string): string[] {
  const ids = [...searchable.matchAll(ITEM_ID)].map(([, id = '']) => id);
  return [...new Set(ids.filter((id) => /\d/.test(id)))];
}

/** Removes ranges of a text, with the comma or colon after them and the gap they would leave. */
function removeRanges(text: string, ranges: Range[]): string {
  let marked = '';
  let from = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start >= from) marked += text.slice(from, start) + REMOVED;
    from = Math.max(from, end);
  }
  return (marked + text.slice(from))
    .replace(SEPARATORS, REMOVED)
    .replace(BLANKS_AFTER, REMOVED)
    .replace(BLANKS_BEFORE, '')
    .replaceAll(REMOVED, '')
    .trim();
}

/** Stands where something is removed. Slack sends no such character. */
const REMOVED = '\u0000';

// A colon is a separator only if a space follows; otherwise it begins an emoji.
const SEPARATORS = /\0[,;:]+(?=[\s\0]|$)/g;

const BLANKS_AFTER = /(?<=^|\s)\0+[ \t]*/g;

// Only from the first of several blanks: linear time.
const BLANKS_BEFORE = /(?<![ \t\0])[ \t]*\0+(?=$|[.!?)\n])/g;

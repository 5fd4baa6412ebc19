import type { UnusableFile } from '../../conversation/question.ts';
import { assemble, type NameOf, type Range } from './assemble.ts';
import { readBlock } from './blocks.ts';
import { findItemIds, findWebOff, removeRanges } from './directives.ts';
import { type JsonObject, readObjects, readString, toObject } from './json-fields.ts';
import { readMrkdwn } from './mrkdwn.ts';
import { joinBlocks, type Run } from './run.ts';
import { sortShared } from './shared-files.ts';

export type MessageReading = {
  /** Readable plain text, without the mention of the bot and the web-off words; '' if nothing else was said. */
  text: string;
  /** False where the message says `/assistant-web-off`, `!assistant-web-off` or `!web-off` outside code. */
  webSearch: boolean;
  mentionsBot: boolean;
  /** Ids of other people mentioned, each once. */
  mentionedUsers: string[];
  /** Absolute https addresses without fragment, each once, from the text and from files kept elsewhere. */
  links: string[];
  unusable: UnusableFile[];
};

/**
 * Reads a message event, the message of a shortcut, or `{ text }` of a command. Nothing about its shape is taken for
 * granted, and no shape is an error. `nameOf` names the people mentioned; by default they keep their ids.
 */
export function readMessage(message: unknown, options: { botUserId: string; nameOf?: NameOf }): MessageReading {
  const { said, alsoShared } = readRuns(toObject(message));
  const { botUserId, nameOf = () => undefined } = options;
  const spoken = assemble(said, botUserId, nameOf);
  const shown = assemble(alsoShared, botUserId, nameOf);
  const webOff = findWebOff(spoken.searchable);
  const { links, unusable } = sortShared(
    [...spoken.addresses, ...shown.addresses],
    readObjects(toObject(message), 'files'),
  );
  const itemIds = findItemIds(spoken.searchable).map((id) => ({ name: id, reason: 'item_id' as const }));
  return {
    text: toQuestionText(spoken.text, [...spoken.mentions, ...webOff]),
    webSearch: webOff.length === 0,
    mentionsBot: spoken.mentions.length > 0,
    mentionedUsers: spoken.mentionedUsers,
    links,
    unusable: [...unusable, ...itemIds],
  };
}

/**
 * Slack sends what a person wrote twice, as rich text and as mrkdwn: the first is exact. Tables pasted into a message
 * come in an attachment. Other blocks are the app's that posted the message, and their text is in `text` as well.
 */
function readRuns(message: JsonObject): { said: Run[]; alsoShared: Run[] } {
  const blocks = readObjects(message, 'blocks');
  const tables = readObjects(message, 'attachments')
    .filter((attachment) => !isOthersContent(attachment))
    .flatMap((attachment) => readObjects(attachment, 'blocks'))
    .filter((block) => block.type === 'table');
  const written = blocks.filter(({ type }) => type === 'rich_text' || type === 'table');
  const others = blocks.filter((block) => !written.includes(block));
  const text = readString(message, 'text');
  if (written.some(({ type }) => type === 'rich_text')) {
    return { said: joinBlocks([...written, ...tables].map(readBlock)), alsoShared: others.flatMap(readBlock) };
  }
  if (text !== '') {
    const rows = [...written, ...tables].map(readBlock);
    return { said: joinBlocks([readMrkdwn(text), ...rows]), alsoShared: others.flatMap(readBlock) };
  }
  return { said: joinBlocks([...blocks, ...tables].map(readBlock)), alsoShared: [] };
}

// A message that was shared or unfurled is what somebody else said, and not part of the question.
function isOthersContent(attachment: JsonObject): boolean {
  return attachment.is_msg_unfurl === true || attachment.is_share === true || readString(attachment, 'from_url') !== '';
}

// What is left of `(!web-off)?` asks nothing; somebody who wrote `?` and nothing else does.
function toQuestionText(text: string, removed: Range[]): string {
  const left = removeRanges(text, removed);
  return removed.length > 0 && /^[\s.,;:…()[\]{}"'“”‘’*_~>!?-]*$/.test(left) ? '' : left;
}

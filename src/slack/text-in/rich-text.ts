import { type JsonObject, toObject } from '../../json.ts';
import {
  joinBlocks,
  type Run,
  readMrkdwn,
  splitAddresses,
  splitCode,
  startLines,
  toDate,
  toLinkRun,
  toPlain,
  toTextRuns,
} from './mrkdwn.ts';

export type Range = { start: number; end: number };

/**
 * The runs of a message as one text. `searchable` has the same length, with everything blanked out that must not be
 * searched for words to act on. `mentions` are the places where the bot was mentioned, one space each.
 */
export type Assembled = {
  text: string;
  searchable: string;
  mentions: Range[];
  mentionedUsers: string[];
  addresses: string[];
};

export function assemble(runs: Run[], botUserId: string): Assembled {
  const assembled: Assembled = { text: '', searchable: '', mentions: [], mentionedUsers: [], addresses: [] };
  const users = new Set<string>();
  const append = (text: string, searchable: string) => {
    assembled.text += text;
    assembled.searchable += searchable;
  };
  for (const run of splitLiterals(runs)) {
    if (run.kind === 'text') {
      append(run.text, run.text);
    } else if (run.kind !== 'user') {
      append(run.text, 'x'.repeat(run.text.length));
      assembled.addresses.push(...(run.kind === 'link' ? [run.url] : []));
    } else if (run.id === botUserId) {
      const start = assembled.text.length;
      append(' ', ' ');
      assembled.mentions.push({ start, end: start + 1 });
    } else {
      const name = `@${run.id}`;
      append(name, ' '.repeat(name.length));
      users.add(run.id);
    }
  }
  assembled.mentionedUsers = [...users];
  return assembled;
}

/** The text of one block, whatever its type. A block without text has no runs. */
export function readBlock(block: JsonObject): Run[] {
  switch (readString(block, 'type')) {
    case 'rich_text':
      return readRichText(block);
    case 'table':
      return readTable(block);
    case 'markdown':
      return toTextRuns(readString(block, 'text'));
    case 'section':
      return joinBlocks([block.text, ...readObjects(block, 'fields')].map((text) => readTextObject(toObject(text))));
    case 'context':
      return joinBlocks(readObjects(block, 'elements').map(readTextObject));
    case 'header':
      return readTextObject(toObject(block.text));
    default:
      return [];
  }
}

/** Slack's objects are read field by field: a field that is missing or of another type counts as empty. */
export function readObjects(object: JsonObject, field: string): JsonObject[] {
  const value = object[field];
  return Array.isArray(value) ? value.map(toObject) : [];
}

export function readString(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}

// Code in backticks, or an address, may be spread over several runs of text, for example if part of it is bold.
function splitLiterals(runs: Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (run.kind === 'text' && last?.kind === 'text') {
      merged[merged.length - 1] = { kind: 'text', text: last.text + run.text };
    } else {
      merged.push(run);
    }
  }
  return merged
    .flatMap((run) => (run.kind === 'text' ? splitCode(run.text) : [run]))
    .flatMap((run) => (run.kind === 'text' ? splitAddresses(run.text) : [run]));
}

/** What people write in Slack: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function readRichText(block: JsonObject): Run[] {
  const numbers = new Map<number, number>();
  return joinBlocks(readObjects(block, 'elements').map((element) => readBlockElement(element, numbers)));
}

function readBlockElement(element: JsonObject, numbers: Map<number, number>): Run[] {
  const type = readString(element, 'type');
  if (type !== 'rich_text_list') {
    numbers.clear();
  }
  switch (type) {
    case 'rich_text_section':
      return readElements(element);
    case 'rich_text_list':
      return readListItems(element, numbers);
    case 'rich_text_quote':
      return startLines(readElements(element), '> ');
    case 'rich_text_preformatted':
      return [
        { kind: 'code', text: `\`\`\`\n${readElements(element).map(toPlain).join('').replace(/\n$/, '')}\n\`\`\`` },
      ];
    default:
      return [];
  }
}

// Slack sends a new list whenever the indentation changes. `offset` continues the numbering of an interrupted one.
function readListItems(list: JsonObject, numbers: Map<number, number>): Run[] {
  const indent = Math.min(Math.max(readNumber(list, 'indent'), 0), 8);
  const isOrdered = readString(list, 'style') === 'ordered';
  for (const deeper of [...numbers.keys()].filter((known) => known > indent)) {
    numbers.delete(deeper);
  }
  const first = Math.max(readNumber(list, 'offset'), numbers.get(indent) ?? 0);
  const items = readObjects(list, 'elements');
  numbers.set(indent, isOrdered ? first + items.length : 0);
  const space = '   '.repeat(indent);
  return joinBlocks(
    items.map((item, index) => {
      const marker = isOrdered ? `${first + index + 1}. ` : '- ';
      const [, ...runs] = startLines(readElements(item), space + ' '.repeat(marker.length));
      return [{ kind: 'text', text: space + marker }, ...runs];
    }),
  );
}

function readElements(parent: JsonObject): Run[] {
  return readObjects(parent, 'elements').map(readElement);
}

function readElement(element: JsonObject): Run {
  const type = readString(element, 'type');
  const text = readString(element, 'text');
  const isCode = toObject(element.style).code === true;
  switch (type) {
    case 'text':
      return isCode ? { kind: 'code', text: `\`${text}\`` } : { kind: 'text', text };
    case 'link': {
      const run = toLinkRun(readString(element, 'url'), text);
      return isCode && run.kind !== 'user' ? { kind: 'code', text: `\`${run.text}\`` } : run;
    }
    case 'user':
      return { kind: 'user', id: readString(element, 'user_id') };
    default:
      return { kind: 'text', text: readWord(type, element) };
  }
}

function readWord(type: string, element: JsonObject): string {
  switch (type) {
    case 'emoji':
      return `:${readString(element, 'name')}:`;
    case 'channel':
      return `#${readString(element, 'channel_id')}`;
    case 'usergroup':
      return `@${readString(element, 'usergroup_id')}`;
    case 'broadcast':
      return `@${readString(element, 'range')}`;
    case 'color':
      return readString(element, 'value');
    case 'date':
      return readString(element, 'fallback') || toDate(readNumber(element, 'timestamp'));
    default:
      return readString(element, 'text');
  }
}

// Cells are rich text or plain: https://docs.slack.dev/reference/block-kit/blocks/table-block
function readTable(block: JsonObject): Run[] {
  const rows = Array.isArray(block.rows) ? block.rows.filter(Array.isArray) : [];
  return joinBlocks(rows.map((cells) => cells.flatMap((cell, index) => readCell(toObject(cell), index))));
}

function readCell(cell: JsonObject, index: number): Run[] {
  const runs = readString(cell, 'type') === 'rich_text' ? readRichText(cell) : toTextRuns(readString(cell, 'text'));
  return index === 0 ? runs : [{ kind: 'text', text: ' | ' }, ...runs];
}

function readTextObject(text: JsonObject): Run[] {
  const content = readString(text, 'text');
  return readString(text, 'type') === 'mrkdwn' ? readMrkdwn(content) : toTextRuns(content);
}

function readNumber(object: JsonObject, field: string): number {
  const value = object[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

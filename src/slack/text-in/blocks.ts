import { type JsonObject, readObjects, readString, toObject } from './json-fields.ts';
import { readMrkdwn } from './mrkdwn.ts';
import { readRichText } from './rich-text.ts';
import { joinBlocks, type Run } from './run.ts';

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

function toTextRuns(text: string): Run[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

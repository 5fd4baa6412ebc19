import { type JsonObject, readNumber, readObjects, readString, toObject } from './json-fields.ts';
import { toDate } from './mrkdwn.ts';
import { joinBlocks, type Run, startLines, toLinkRun } from './run.ts';

/** What people write in Slack: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function readRichText(block: JsonObject): Run[] {
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
        { kind: 'code', text: `\`\`\`\n${readElements(element).map(toCode).join('').replace(/\n$/, '')}\n\`\`\`` },
      ];
    default:
      return [];
  }
}

// Slack sends each change of indentation as a list of its own. `offset` continues the numbering of one that was broken.
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

function toCode(run: Run): string {
  return run.kind === 'user' ? `@${run.id}` : run.text;
}

import { describe, expect, it } from 'vitest';
import { measureMessage } from './blocks/check-message.ts';
import { expandMarkdown } from './blocks/expand-markdown.ts';
import { openSlackForEach } from './open-test-app.ts';
import type { Block, Json } from './records.ts';

const slack = openSlackForEach();

const markdown = (text: string): Block => ({ type: 'markdown', text });
const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });
const table = (rows: number, columns: number) =>
  [
    `|${' h |'.repeat(columns)}`,
    `|${'---|'.repeat(columns)}`,
    ...Array.from({ length: rows - 1 }, () => `|${' 1 |'.repeat(columns)}`),
  ].join('\n');

const call = (method: string, args: Json) => slack.call(method, { channel: 'C0GENERAL', text: 'x', ...args });

describe('a message as a whole', () => {
  it.each<[string, Block[], string | undefined]>([
    ['12,000 characters', [markdown('x'.repeat(12_000))], undefined],
    ['13,201 characters in all', [markdown('x'.repeat(12_000)), section('x'.repeat(1_201))], 'msg_blocks_too_long'],
    ['12,000 characters that are not Latin', [markdown('漢'.repeat(12_000))], undefined],
    ['characters that become entities', [markdown('<'.repeat(3_400))], 'msg_blocks_too_long'],
    ['50 headings', [markdown('# a\n'.repeat(50))], undefined],
    ['51 headings', [markdown('# a\n'.repeat(51))], 'msg_blocks_too_long'],
    ['30 fences with words between them', [markdown('```\na\n```\nb\n'.repeat(30))], 'msg_blocks_too_long'],
    ['a table of 100 rows', [markdown(table(100, 3))], undefined],
    ['a table of 101 rows', [markdown(table(101, 3))], 'invalid_blocks'],
    ['a table of 21 columns', [markdown(table(3, 21))], 'invalid_blocks'],
    ['two tables', [markdown(`${table(3, 3)}\n\nand\n\n${table(3, 3)}`)], 'only_one_table_allowed'],
    ['one table in Markdown and one beside it', [markdown(table(3, 3)), toTable()], 'only_one_table_allowed'],
  ])('of %s is taken or refused as Slack does', async (_, blocks, error) => {
    const answer = await call('chat.postMessage', { blocks });

    expect(answer.error).toBe(error);
  });

  it('is checked wherever a message is written', async () => {
    const blocks = [markdown('# a\n'.repeat(51))];
    const own = await call('chat.postMessage', {});

    const update = await call('chat.update', { ts: own.ts, blocks });
    const ephemeral = await call('chat.postEphemeral', { user: 'U0ANA', blocks });

    expect([update.error, ephemeral.error]).toEqual(['msg_blocks_too_long', 'msg_blocks_too_long']);
  });

  it('comes back with the blocks that Slack has made of its Markdown', async () => {
    const { ts } = await call('chat.postMessage', { blocks: [markdown('# Title\n\nsee [this](https://a.example/b)')] });

    const { messages } = await call('conversations.history', { text: undefined, oldest: ts, inclusive: true });

    const [message] = messages as { blocks: Block[] }[];
    expect(message?.blocks).toMatchObject([
      { type: 'header', text: { type: 'plain_text', text: 'Title' } },
      {
        type: 'rich_text',
        elements: [{ elements: [{ text: 'see ' }, { type: 'link', text: 'this', url: 'https://a.example/b' }] }],
      },
    ]);
  });
});

describe('a markdown block', () => {
  it('becomes a block for each heading, fence, table and divider, and one for each run of the rest', () => {
    const blocks = expandMarkdown(
      `intro\n\n- a\n- b\n\n> quoted\n\n## One\ntext\n\nTwo\n---\n\`\`\`js\n# no heading\n\`\`\`\n***\n${table(3, 2)}\n\nend`,
    );

    expect(blocks.map(({ type }) => type)).toEqual([
      'rich_text',
      'header',
      'rich_text',
      'header',
      'rich_text',
      'divider',
      'table',
      'rich_text',
    ]);
  });

  it('shows lists, nested and numbered, and quotes as what they are', () => {
    const run = 'to do:\n- **a**\n  goes on\n  - b\n\n- c\n3) d\n\nin\n2024. It was\n> he said\n> so\n*x* y';

    const [block] = expandMarkdown(run) as [Block];

    expect((block.elements as Block[]).map((part) => [part.type, part.style, part.indent, part.offset])).toEqual([
      ['rich_text_section', undefined, undefined, undefined],
      ['rich_text_list', 'bullet', 0, undefined],
      ['rich_text_list', 'bullet', 1, undefined],
      ['rich_text_list', 'bullet', 0, undefined],
      ['rich_text_list', 'ordered', 0, 2],
      ['rich_text_section', undefined, undefined, undefined],
      ['rich_text_quote', undefined, undefined, undefined],
      ['rich_text_section', undefined, undefined, undefined],
    ]);
    expect(JSON.stringify(block)).toContain('"text":"in\\n2024. It was"');
    expect(JSON.stringify(block)).toContain('"text":"he said\\nso"');
  });

  it('costs more for each header and divider', () => {
    expect(measureMessage([markdown('# a\n\n---\n')])).toEqual({ blocks: 2, characters: 9 + 225, tables: 0 });
  });
});

function toTable(): Block {
  return { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
}

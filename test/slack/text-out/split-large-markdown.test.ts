import { checkMessage, measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { narrowTables } from '../../../src/slack/text-out/narrow-tables.ts';
import { splitMarkdown } from '../../../src/slack/text-out/split-markdown.ts';
import { readWords, writtenMarkdown } from './written-markdown.ts';

const repeat = (count: number, write: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => write(number)).join('');

const toBlocks = (text: string) => [{ type: 'markdown', text }];

/** What Slack would say to each part that it does not take. */
const findRefusals = (parts: readonly string[]) => parts.flatMap((part) => checkMessage(toBlocks(part))?.error ?? []);

const findTooLarge = (parts: readonly string[], budget: Budget) =>
  parts
    .map((part) => measureMessage(toBlocks(part)))
    .filter(({ blocks, characters, tables }) => blocks > budget.blocks || characters > budget.characters || tables > 1);

/** Columns beyond the 20th come after the rows of those before. */
const isSame = (parts: readonly string[], text: string) => {
  const words = readWords(parts.join('\n'));
  const isInOrder = words.join() === readWords(narrowTables(text)).join();
  return isInOrder && words.sort().join() === readWords(text).sort().join();
};

describe('splitMarkdown of what Slack takes no more of in one message', () => {
  it('keeps each part within what a message holds, and all of the text', () => {
    fc.assert(
      fc.property(writtenMarkdown(40), (text) => {
        const parts = splitMarkdown(text, MESSAGE_BUDGET);

        expect(findRefusals(parts)).toEqual([]);
        expect(findTooLarge(parts, MESSAGE_BUDGET)).toEqual([]);
        expect(isSame(parts, text)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('does so with any budget', () => {
    const anyBudget = fc.record({
      blocks: fc.integer({ min: 2, max: 12 }),
      characters: fc.integer({ min: 500, max: 4_000 }),
    });

    fc.assert(
      fc.property(writtenMarkdown(12), anyBudget, (text, budget) => {
        const parts = splitMarkdown(text, budget);

        expect(findTooLarge(parts, budget)).toEqual([]);
        expect(isSame(parts, text)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('takes 60 sections, 40 code blocks and 3 tables apart', () => {
    const sections = repeat(60, (number) => `## Section ${number}\n\nShort text w${number}.\n\n`);
    const code = repeat(40, (number) => `About w${number}:\n\`\`\`js\nreturn ${number};\n\`\`\`\n`);
    const tables = repeat(3, (number) => `w${number}\n\n| a | b |\n|---|---|\n| c | d |\n\n`);

    for (const [text, count] of [
      [sections, 3],
      [code, 2],
      [tables, 3],
    ] as const) {
      const parts = splitMarkdown(text, MESSAGE_BUDGET);

      expect(checkMessage(toBlocks(text))).toBeDefined();
      expect(findRefusals(parts)).toEqual([]);
      expect(parts).toHaveLength(count);
      expect(parts.join('')).toBe(text);
    }
  });

  it('leaves no heading at the end of a part', () => {
    const parts = splitMarkdown(
      repeat(60, (number) => `## Section ${number}\n\nShort text.\n\n`),
      MESSAGE_BUDGET,
    );

    expect(parts.filter((part) => !part.startsWith('## ') || !part.endsWith('text.\n\n'))).toHaveLength(0);
  });

  it('repeats the heading of a table of 150 rows, and shows each row once', () => {
    const heading = '| Name | Note |\n|---|:-:|\n';
    const text = heading + repeat(150, (number) => `| w${number} | a note |\n`);

    const parts = splitMarkdown(text, MESSAGE_BUDGET);

    expect(checkMessage(toBlocks(text))?.error).toBe('invalid_blocks');
    expect(findRefusals(parts)).toEqual([]);
    expect(parts).toHaveLength(2);
    expect(parts.every((part) => part.startsWith(heading))).toBe(true);
    expect(heading + parts.map((part) => part.slice(heading.length)).join('')).toBe(text);
  });

  it('shows a table of 25 columns as two, with the first column in both', () => {
    const toRow = (cell: (column: number) => string) => `|${repeat(25, (column) => `${cell(column)}|`)}\n`;
    const text = `${toRow((column) => `h${column}`)}${toRow(() => '--:')}${toRow((column) => `w${column}`)}end`;

    const parts = splitMarkdown(text, MESSAGE_BUDGET);

    expect(checkMessage(toBlocks(text))?.error).toBe('invalid_blocks');
    expect(findRefusals(parts)).toEqual([]);
    expect(parts).toHaveLength(2);
    expect(parts[1]?.split('\n')).toEqual([
      '| h0 | h20 | h21 | h22 | h23 | h24 |',
      '| --- | --: | --: | --: | --: | --: |',
      '| w0 | w20 | w21 | w22 | w23 | w24 |',
      'end',
    ]);
  });

  it('shows a table of thousands of columns as text', () => {
    const text = `|${'h|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}\n${'|w1|\n'.repeat(3_000)}`;

    const parts = splitMarkdown(text, MESSAGE_BUDGET);

    expect(findRefusals(parts)).toEqual([]);
    expect(parts.join('').length).toBe(text.length - 6_002);
  });

  it('keeps 100,000 characters with Chinese whole', () => {
    const text = repeat(1_000, (number) => `${'漢字と仮名。'.repeat(15)}w${number}。\n${number % 5 === 0 ? '\n' : ''}`);

    const parts = splitMarkdown(text, MESSAGE_BUDGET);

    expect(findRefusals(parts)).toEqual([]);
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(text.length / 11_000));
    expect(parts.join('') === text).toBe(true);
  });

  it.each([
    ['lines of one character', 'a\n'],
    ['rows of a table', '|a|b|\n'],
    ['a line without blanks', 'a'],
    ['headings', '# a\n'],
    ['code blocks', '```\na\n```\n'],
    ['quotes in quotes', '> > >'],
    ['entities', '&lt;'],
    ['bars', '|'],
    ['a table of which the heading is long', '|a|b|\n', (size: number) => `${'a'.repeat(size)}|b\n-|-\n`],
    ['a code block with a long fence', 'a\n', (size: number) => `${'`'.repeat(size)}\n`],
  ])('takes time in proportion to %s', (_, piece, toStart = (_size: number) => '') => {
    const measure = (size: number) => {
      const text = toStart(size / 2) + piece.repeat(size / piece.length);
      const times = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage();
        splitMarkdown(text, MESSAGE_BUDGET);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000;
      });
      return Math.min(...times);
    };
    measure(10_000);

    expect(measure(200_000)).toBeLessThan(10 * Math.max(20, measure(50_000)));
  });
});

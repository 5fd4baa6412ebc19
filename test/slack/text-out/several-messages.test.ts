import { checkMessage, measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_COST, type Budget, MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';
import { readWords, writtenMarkdown } from './written-markdown.ts';

const SENTENCE = 'Ten little words make up this one simple plain sentence. ';

/** Of so many characters in so many blocks. */
const roomFor = (characters: number, blocks = 1) => ({ blocks: 40, characters: characters + blocks * BLOCK_COST });

const divide = (markdown: string, budget: Budget = MESSAGE_BUDGET) =>
  (toSlackMarkdown(markdown, budget) ?? []).map(({ text }) => text);

const split = (markdown: string, characters: number, blocks = 1) => divide(markdown, roomFor(characters, blocks));

const repeat = (count: number, write: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => write(number)).join('');

const toBlocks = (text: string) => [{ type: 'markdown', text }];

/** What Slack would say to each part that it does not take. */
const findRefusals = (parts: readonly string[]) => parts.flatMap((part) => checkMessage(toBlocks(part))?.error ?? []);

/** Parts that hold more than they should, or more than they say. */
const findTooLarge = (markdown: string, budget: Budget) =>
  (toSlackMarkdown(markdown, budget) ?? []).filter(({ text, size }) => {
    const real = measureMessage(toBlocks(text));
    const isWithin = real.blocks <= size.blocks && real.characters <= size.characters && real.tables <= size.tables;
    return !isWithin || size.blocks > budget.blocks || size.characters > budget.characters || size.tables > 1;
  });

/** Every word once; columns beyond the 20th come after the rows of those before. */
const isAllThere = (parts: readonly string[], text: string) =>
  readWords(parts.join('\n')).sort().join() === readWords(text).sort().join();

// With 60 sections, 40 code blocks or 3 tables: see ../../end-to-end/answers.test.ts.
describe('an answer that Slack does not take as one message', () => {
  it('is in parts that are each within what a message holds, and all of it', () => {
    fc.assert(
      fc.property(writtenMarkdown(40), (text) => {
        const parts = divide(text);

        expect(findRefusals(parts)).toEqual([]);
        expect(findTooLarge(text, MESSAGE_BUDGET)).toEqual([]);
        expect(isAllThere(parts, text)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is so with any budget', () => {
    const anyBudget = fc.record({
      blocks: fc.integer({ min: 2, max: 12 }),
      characters: fc.integer({ min: 600, max: 4_000 }),
    });

    fc.assert(
      fc.property(writtenMarkdown(8), anyBudget, (text, budget) => {
        expect(findTooLarge(text, budget)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('has no heading at the end of a part', () => {
    const parts = divide(repeat(60, (number) => `## Section ${number}\n\nShort text.\n\n`));

    expect(parts.filter((part) => !part.startsWith('## ') || !part.endsWith('text.'))).toHaveLength(0);
  });

  it('repeats the heading of a table of 150 rows, and shows each row once', () => {
    const heading = '| Name | Note |\n|---|:-:|\n';
    const text = heading + repeat(150, (number) => `| w${number} | a note |\n`);

    const parts = divide(text);

    expect(checkMessage(toBlocks(text))?.error).toBe('invalid_blocks');
    expect(findRefusals(parts)).toEqual([]);
    expect(parts).toHaveLength(2);
    expect(parts.every((part) => part.startsWith(heading))).toBe(true);
    expect(`${heading}${parts.map((part) => part.slice(heading.length)).join('\n')}\n`).toBe(text);
  });

  it('shows a table of 25 columns as two, with the first column in both', () => {
    const toRow = (cell: (column: number) => string) => `|${repeat(25, (column) => `${cell(column)}|`)}\n`;
    const text = `${toRow((column) => `h${column}`)}${toRow(() => '--:')}${toRow((column) => `w${column}`)}\nend`;

    const parts = divide(text);

    expect(checkMessage(toBlocks(text))?.error).toBe('invalid_blocks');
    expect(findRefusals(parts)).toEqual([]);
    expect(parts[1]?.split('\n')).toEqual([
      '| h0 | h20 | h21 | h22 | h23 | h24 |',
      '|---|--:|--:|--:|--:|--:|',
      '| w0 | w20 | w21 | w22 | w23 | w24 |',
      '',
      'end',
    ]);
  });

  it('shows a table of thousands of columns as text', () => {
    const parts = divide(`|${'h|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}\n${'|w1|\n'.repeat(30)}`);

    expect(findRefusals(parts)).toEqual([]);
    expect(parts.join('').match(/h/g)).toHaveLength(3_000);
  });
});

describe('where a text is cut', () => {
  it('is between paragraphs if that is possible', () => {
    const paragraph = SENTENCE.trim();

    expect(split(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 130)).toEqual([
      `${paragraph}\n\n${paragraph}`,
      paragraph,
    ]);
  });

  it('is else between lines, sentences and words, in this order', () => {
    const line = `${'word '.repeat(14)}end`;

    expect(split(`${line}\n${SENTENCE.repeat(2)}`, 100)[0]).toBe(line);
    expect(split(SENTENCE.repeat(2), 100)).toEqual([SENTENCE, SENTENCE.trim()]);
    expect(split('word '.repeat(30), 102)).toEqual(['word '.repeat(20), 'word '.repeat(10).trim()]);
    expect(split(`${'漢'.repeat(60)}。${'字'.repeat(60)}`, 100)[0]).toBe(`${'漢'.repeat(60)}。`);
  });

  it('is between the items of a list, which goes on with its number and at its own level', () => {
    const items = repeat(8, (number) => `${number + 1}. an item of the list\n   - below it\n\n     more\n`);

    const parts = split(`- a\n  - b\n    ${items.trim().replaceAll('\n', '\n    ')}`, 120);

    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(1)) expect(part).toMatch(/^(?:\d\. an item|- below|more)/);
  });

  it('closes a code block and opens it again, where it stood', () => {
    const code = repeat(30, (line) => `const value${line} = ${line};\n`);
    const quoted = split(`> \`\`\`\n${'> a line of code\n'.repeat(12)}> \`\`\`\n`, 120);
    const parts = split(`\`\`\`js\n${code}\`\`\`\n\nend`, 300, 2);

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map((part) => part.slice(0, 11))).toEqual(['```js\nconst', '```js\nconst']);
    expect(parts.slice(0, -1).every((part) => part.endsWith(';\n```'))).toBe(true);
    expect(parts.at(-1)?.endsWith(';\n```\n\nend')).toBe(true);
    expect(quoted.every((part) => part.startsWith('> ```\n> a line') && part.endsWith('code\n> ```'))).toBe(true);
  });

  it('is within a line of code only if that is too long', () => {
    const parts = split(`\`\`\`\n${'x'.repeat(300)}\n\`\`\``, 100);

    expect(parts.every((part) => part.startsWith('```\nx') && part.endsWith('x\n```'))).toBe(true);
    expect(parts.join('').match(/x/g)).toHaveLength(300);
  });

  it('is never within a link and its host, code, an entity, an escaped sign or an emoji', () => {
    const link = '[the label](https://x.example/a) (x.example)';

    for (let length = 40; length < 110; length += 1) {
      const words = split(`${'x'.repeat(length)} ${link} ${'y'.repeat(40)} \`some code\` ${'y'.repeat(60)}`, 100);
      const signs = split(`${'x'.repeat(length)}👩‍👩‍👧&lt;\\*${'y'.repeat(60)}`, 100);

      expect(words.some((part) => part.includes(link))).toBe(true);
      expect(words.some((part) => part.includes('`some code`'))).toBe(true);
      for (const sign of ['👩‍👩‍👧', '&lt;', '\\*']) expect(signs.some((part) => part.includes(sign))).toBe(true);
    }
  });

  it('counts characters, and those that Slack keeps as entities as long as these', () => {
    expect(split('漢'.repeat(98), 100)).toHaveLength(1);
    expect(split('漢'.repeat(101), 100)).toHaveLength(2);
    expect(split('&'.repeat(19), 100)).toHaveLength(1);
    expect(split('&'.repeat(21), 100)).toHaveLength(2);
  });

  it('leaves what is shown safe, and splits no character', () => {
    const filler = fc.constantFrom(
      SENTENCE.repeat(40),
      `\n\`\`\`\n${'code line\n'.repeat(200)}\`\`\`\n`,
      '漢👍🏽'.repeat(400),
    );

    fc.assert(
      fc.property(fc.array(fc.oneof(hostileMarkdown(2), filler), { maxLength: 12 }), (fragments) => {
        const markdown = fragments.join('');
        const parts = split(markdown, 4_000);

        expect(parts.flatMap(findDangers)).toEqual([]);
        expect(parts.every((part) => part.isWellFormed())).toBe(markdown.isWellFormed());
      }),
      { numRuns: 60, seed: 20_260_901 },
    );
  });
});

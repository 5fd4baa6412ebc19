import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_COST, countCharacters } from '../../../src/slack/text-out/message-budget.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/slack-markdown.ts';
import { cutMarkdown, splitMarkdown } from '../../../src/slack/text-out/split-markdown.ts';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';

const SENTENCE = 'Ten little words make up this one simple plain sentence. ';

/** Of so many characters in so many blocks. */
const roomFor = (characters: number, blocks = 1) => ({ blocks: 40, characters: characters + blocks * BLOCK_COST });
const split = (markdown: string, characters: number, blocks = 1) =>
  splitMarkdown(markdown, roomFor(characters, blocks));

describe('splitMarkdown', () => {
  it('leaves a text that fits as it is', () => {
    expect(split('a\n\nb', 100)).toEqual(['a\n\nb']);
  });

  it('gives one part even for a blank text', () => {
    expect(split('', 100)).toEqual(['']);
    expect(split('\n'.repeat(300), 100)).toHaveLength(1);
  });

  it('refuses a limit that leaves no room', () => {
    expect(() => split('a'.repeat(200), 99)).toThrow(RangeError);
  });

  it('cuts between paragraphs where it can', () => {
    const paragraph = SENTENCE.trim();

    const parts = split(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 130);

    expect(parts).toEqual([`${paragraph}\n\n${paragraph}\n\n`, paragraph]);
  });

  it('cuts between lines, sentences and words, in this order', () => {
    const lines = `${'word '.repeat(14)}end\n${SENTENCE.repeat(2)}`;
    const words = 'word '.repeat(30);

    expect(split(lines, 100)[0]).toBe(`${'word '.repeat(14)}end\n`);
    expect(split(SENTENCE.repeat(2), 100)).toEqual([SENTENCE, SENTENCE]);
    expect(split(words, 102)).toEqual(['word '.repeat(20), 'word '.repeat(10)]);
  });

  it('cuts Chinese after a full stop', () => {
    expect(split(`${'漢'.repeat(60)}。${'字'.repeat(60)}`, 100)[0]).toBe(`${'漢'.repeat(60)}。`);
  });

  it('closes a code block and opens it again', () => {
    const code = Array.from({ length: 12 }, (_, line) => `const value${line} = ${line};\n`).join('');

    const parts = split(`\`\`\`js\n${code}\`\`\`\nend`, 100, 2);

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.slice(1).every((part) => part.startsWith('```js\nconst'))).toBe(true);
    expect(parts.slice(0, -1).every((part) => part.endsWith(';\n```'))).toBe(true);
    expect(parts.at(-1)?.endsWith(';\n```\nend')).toBe(true);
  });

  it('opens a code block of a list or quote again where it stood', () => {
    const code = 'a line of code\n';

    const listed = split(`- item\n\n  \`\`\`\n${`  ${code}`.repeat(12)}  \`\`\`\n`, 120);
    const quoted = split(`> \`\`\`\n${`> ${code}`.repeat(12)}> \`\`\`\n`, 120);

    expect(listed[1]?.startsWith('  ```\n  a line')).toBe(true);
    expect(quoted[1]?.startsWith('> ```\n> a line')).toBe(true);
    expect(quoted[0]?.endsWith('code\n> ```')).toBe(true);
  });

  it('ends code of a nested list where that goes on without the list', () => {
    const code = '      a line of code\n'.repeat(8);

    const parts = split(`- a\n\n    - b\n\n      \`\`\`\n${code}      \`\`\`\nend`, 150, 2);

    expect(parts.at(-1)?.startsWith('   ```\n      a line')).toBe(true);
    expect(parts.at(-1)?.endsWith('\n   ```\nend')).toBe(true);
  });

  it('closes code of which a single line is too long', () => {
    const parts = split(`\`\`\`\n${'x'.repeat(300)}\n\`\`\``, 100);

    expect(parts.slice(0, -1).every((part) => part.startsWith('```\nx') && part.endsWith('x\n```'))).toBe(true);
  });

  it('repeats the heading of a table', () => {
    const heading = '| a | b |\n|---|---|\n';

    const parts = split(`${heading}${'| 1 | 2 |\n'.repeat(15)}\nend`, 110);

    expect(parts.length).toBeGreaterThan(2);
    expect(parts.filter((part) => !part.startsWith(heading))).toEqual(['end']);
  });

  it('repeats no heading where the table ends with the part', () => {
    const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(5)}`;

    const parts = split(`${table}\n${SENTENCE}`, 100);

    expect(parts[1]).toBe(SENTENCE);
  });

  it('keeps a link and its host, an entity and an emoji in one piece', () => {
    const link = '[the label](https://x.example/a) (x.example)';

    for (let length = 40; length < 110; length += 1) {
      const linked = split(`${'x'.repeat(length)} ${link} ${'y'.repeat(60)}`, 100);
      const emoji = split(`${'x'.repeat(length)}👩‍👩‍👧&lt;${'y'.repeat(60)}`, 100);

      expect(linked.some((part) => part.includes(link))).toBe(true);
      expect(emoji.some((part) => part.includes('👩‍👩‍👧'))).toBe(true);
      expect(emoji.some((part) => part.includes('&lt;'))).toBe(true);
    }
  });

  it('counts characters, and those that Slack keeps as entities as long as these', () => {
    expect(split('漢'.repeat(100), 100)).toHaveLength(1);
    expect(split('漢'.repeat(101), 100)).toHaveLength(2);
    expect(split('&'.repeat(20), 100)).toHaveLength(1);
    expect(split('&'.repeat(21), 100)).toHaveLength(2);
  });

  it('loses nothing, keeps to the limit and splits no character', () => {
    const text = fc.array(
      fc.oneof(hostileMarkdown(20), fc.constantFrom(SENTENCE.repeat(3), '漢字'.repeat(60), '👍🏽'.repeat(30))),
    );

    fc.assert(
      fc.property(text, fc.integer({ min: 100, max: 500 }), (fragments, limit) => {
        const markdown = fragments.join('');

        const cuts = cutMarkdown(markdown, roomFor(limit));

        expect(cuts.map(({ body }) => body).join('') === markdown).toBe(true);
        for (const { opening, body, closing } of cuts) {
          expect(countCharacters(opening + body + closing)).toBeLessThanOrEqual(limit);
          expect(body.isWellFormed()).toBe(markdown.isWellFormed());
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps safe what was safe', () => {
    const filler = fc.constantFrom(
      SENTENCE.repeat(40),
      `\`\`\`\n${'code line\n'.repeat(200)}\`\`\`\n`,
      '漢字'.repeat(400),
    );

    fc.assert(
      fc.property(fc.array(fc.oneof(hostileMarkdown(8), filler), { maxLength: 12 }), (fragments) => {
        const parts = split(toSlackMarkdown(fragments.join('')), 4_000);

        expect(parts.flatMap(findDangers)).toEqual([]);
      }),
      { numRuns: 60, seed: 20_260_901 },
    );
  });

  it.each([
    '[',
    '[\\',
    '[`',
    '`',
    '```\n',
    '```',
    '&',
    '&a',
    '| a\n',
    '|-\n',
    'https://a',
    '(',
    ' ',
    '\n',
    '漢',
    'e\u0301',
    '\u0301',
  ])('gets through 100,000 characters of %j', (part) => {
    const long = part.repeat(Math.ceil(100_000 / part.length));

    const parts = [...split(long, 500), ...split(long, 10_000)];

    expect(parts.filter((one) => one.trim() !== '' && countCharacters(one) > 10_000)).toHaveLength(0);
  });
});

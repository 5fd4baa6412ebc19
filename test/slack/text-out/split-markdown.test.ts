import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdown } from '../../../src/slack/text-out/markdown-cuts.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/slack-markdown.ts';
import { splitMarkdown } from '../../../src/slack/text-out/split-markdown.ts';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';

const SENTENCE = 'Ten little words make up this one simple plain sentence. ';

describe('splitMarkdown', () => {
  it('leaves a text that fits as it is', () => {
    expect(splitMarkdown('a\n\nb', 100)).toEqual(['a\n\nb']);
  });

  it('gives one part even for a blank text', () => {
    expect(splitMarkdown('', 100)).toEqual(['']);
    expect(splitMarkdown('\n'.repeat(300), 100)).toHaveLength(1);
  });

  it('refuses a limit that leaves no room', () => {
    expect(() => splitMarkdown('a', 99)).toThrow(RangeError);
  });

  it('cuts between paragraphs where it can', () => {
    const paragraph = SENTENCE.trim();

    const parts = splitMarkdown(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 130);

    expect(parts).toEqual([`${paragraph}\n\n${paragraph}\n\n`, paragraph]);
  });

  it('cuts between lines, sentences and words, in this order', () => {
    const lines = `${'word '.repeat(14)}end\n${SENTENCE.repeat(2)}`;
    const words = 'word '.repeat(30);

    expect(splitMarkdown(lines, 100)[0]).toBe(`${'word '.repeat(14)}end\n`);
    expect(splitMarkdown(SENTENCE.repeat(2), 100)).toEqual([SENTENCE, SENTENCE]);
    expect(splitMarkdown(words, 102)).toEqual(['word '.repeat(20), 'word '.repeat(10)]);
  });

  it('cuts Chinese after a full stop', () => {
    expect(splitMarkdown(`${'漢'.repeat(20)}。${'字'.repeat(30)}`, 100)[0]).toBe(`${'漢'.repeat(20)}。`);
  });

  it('closes a code block and opens it again', () => {
    const code = Array.from({ length: 12 }, (_, line) => `const value${line} = ${line};\n`).join('');

    const parts = splitMarkdown(`\`\`\`js\n${code}\`\`\`\nend`, 150);

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.slice(1).every((part) => part.startsWith('```js\nconst'))).toBe(true);
    expect(parts.slice(0, -1).every((part) => part.endsWith(';\n```'))).toBe(true);
    expect(parts.at(-1)?.endsWith(';\n```\nend')).toBe(true);
  });

  it('opens a code block of a list or quote again where it stood', () => {
    const code = 'a line of code\n';

    const listed = splitMarkdown(`- item\n\n  \`\`\`\n${`  ${code}`.repeat(12)}  \`\`\`\n`, 120);
    const quoted = splitMarkdown(`> \`\`\`\n${`> ${code}`.repeat(12)}> \`\`\`\n`, 120);

    expect(listed[1]?.startsWith('  ```\n  a line')).toBe(true);
    expect(quoted[1]?.startsWith('> ```\n> a line')).toBe(true);
    expect(quoted[0]?.endsWith('code\n> ```')).toBe(true);
  });

  it('ends code of a nested list where that goes on without the list', () => {
    const parts = splitMarkdown(
      `- a\n\n    - b\n\n      \`\`\`\n${'      a line of code\n'.repeat(8)}      \`\`\`\nend`,
      150,
    );

    expect(parts.at(-1)?.startsWith('   ```\n      a line')).toBe(true);
    expect(parts.at(-1)?.endsWith('\n   ```\nend')).toBe(true);
  });

  it('closes code of which a single line is too long', () => {
    const parts = splitMarkdown(`\`\`\`\n${'x'.repeat(300)}\n\`\`\``, 100);

    expect(parts.slice(0, -1).every((part) => part.startsWith('```\nx') && part.endsWith('x\n```'))).toBe(true);
  });

  it('repeats the heading of a table', () => {
    const heading = '| a | b |\n|---|---|\n';

    const parts = splitMarkdown(`${heading}${'| 1 | 2 |\n'.repeat(15)}\nend`, 110);

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.startsWith(heading))).toBe(true);
  });

  it('repeats no heading where the table ends with the part', () => {
    const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(5)}`;

    const parts = splitMarkdown(`${table}\n${SENTENCE}`, 100);

    expect(parts[1]).toBe(SENTENCE);
  });

  it('keeps a link and its host, an entity and an emoji in one piece', () => {
    const link = '[the label](https://x.example/a) (x.example)';

    for (let length = 40; length < 110; length += 1) {
      const linked = splitMarkdown(`${'x'.repeat(length)} ${link} ${'y'.repeat(60)}`, 100);
      const emoji = splitMarkdown(`${'x'.repeat(length)}👩‍👩‍👧&lt;${'y'.repeat(60)}`, 100);

      expect(linked.some((part) => part.includes(link))).toBe(true);
      expect(emoji.some((part) => part.includes('👩‍👩‍👧'))).toBe(true);
      expect(emoji.some((part) => part.includes('&lt;'))).toBe(true);
    }
  });

  it('counts bytes', () => {
    expect(splitMarkdown('漢'.repeat(34), 100)).toHaveLength(2);
    expect(splitMarkdown('a'.repeat(100), 100)).toHaveLength(1);
  });

  it('loses nothing, keeps to the limit and splits no character', () => {
    const text = fc.array(
      fc.oneof(hostileMarkdown(20), fc.constantFrom(SENTENCE.repeat(3), '漢字'.repeat(60), '👍🏽'.repeat(30))),
    );

    fc.assert(
      fc.property(text, fc.integer({ min: 100, max: 500 }), (fragments, limit) => {
        const markdown = fragments.join('');

        const cuts = cutMarkdown(markdown, limit);

        expect(cuts.map(({ body }) => body).join('')).toBe(markdown);
        for (const { opening, body, closing } of cuts) {
          expect(Buffer.byteLength(opening + body + closing)).toBeLessThanOrEqual(limit);
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
        const parts = splitMarkdown(toSlackMarkdown(fragments.join('')), 4_000);

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

    const parts = [...splitMarkdown(long, 500), ...splitMarkdown(long, 10_000)];

    expect(parts.filter((one) => one.trim() !== '' && Buffer.byteLength(one) > 10_000)).toEqual([]);
  });
});

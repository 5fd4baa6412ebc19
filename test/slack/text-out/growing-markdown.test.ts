import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrowingMarkdown } from '../../../src/slack/text-out/growing-markdown.ts';
import { createRandom } from '../../faults/random.ts';
import { generateAnswer } from './generated-answer.ts';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';
import { findLiveInMarkdown } from './read-live.ts';
import { renderWhole } from './render-whole.ts';

const MOST = 2_000;

/** What is shown after each of the texts. */
function show(...texts: string[]): string[] {
  const growing = createGrowingMarkdown();
  const steps: string[] = [];
  let shown = '';
  for (const text of texts) {
    shown += growing.next(text, MOST).text;
    growing.shown();
    steps.push(shown);
  }
  return steps;
}

/** What is shown of a text that arrives in steps of so many characters. */
function grow(text: string, step: number): string[] {
  const texts: string[] = [];
  for (let end = step; end < text.length + step; end += step) texts.push(text.slice(0, end));
  return show(...texts);
}

const ANSWER = [
  '# The plan',
  '',
  'It is **bold and long**, with `code here` and a [link to it](https://example.com/a_b) in *it*.',
  '',
  '- one thing <b>with</b> angles',
  '- another, 2 * 3 * 4',
  '',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
  '| 3 | 4 |',
  '',
  '```js',
  'const a = 1 < 2;',
  '```',
  '',
  'The end.',
  '',
].join('\n');

describe('a growing text', () => {
  it.each([1, 3, 7, 40])('is the rendered text in the end, but for the addresses of links, in steps of %i', (step) => {
    const steps = grow(ANSWER, step);

    expect(steps.at(-1)?.trimEnd()).toBe(
      renderWhole(ANSWER).replace('[link to it](https://example.com/a_b) (example.com)', 'link to it (example.com)'),
    );
    for (const [index, shown] of steps.entries()) expect(shown.startsWith(steps[index - 1] ?? '')).toBe(true);
  });

  it.each([1, 5, 11])('never shows markup that is not closed, in steps of %i', (step) => {
    for (const shown of grow(ANSWER, step)) {
      expect(shown.split('**').length % 2, shown).toBe(1);
      expect(shown.split('`').length % 2, shown).toBe(1);
      expect(shown).not.toMatch(/\[[^\]]*$/);
      expect(shown).not.toMatch(/^#[^\n]*$(?!\n)/m);
      expect(shown).not.toMatch(/\|[^\n]*$(?!\n)/);
    }
  });

  it('is shown word by word', () => {
    expect(show('It beg', 'It begins with a wo', 'It begins with a word. And')).toEqual([
      'It ',
      'It begins with a ',
      'It begins with a word. ',
    ]);
  });

  it('is shown by characters in a script without spaces', () => {
    expect(show('東京は日本', '東京は日本の首都で')).toEqual(['東京は日', '東京は日本の首都']);
  });

  it('contains neither mentions nor addresses, wherever it is cut', () => {
    const hostile =
      'Hi <!channel> and <@U0ANA>, see https://evil.example/?q=secret or [here](https://evil.example/x) @here now ok.\n\n<https://evil.example|x> yes\n';
    for (const step of [1, 2, 3, 5, 8, 13]) {
      for (const shown of grow(hostile, step)) expect(shown).not.toMatch(/<[!@#h]|https?:\/\/|@here/);
    }
  });

  it('is as harmless after each piece as the whole text is', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(hostileMarkdown(), cuts, (markdown, steps) => {
        const texts = [markdown];
        for (let end = 0, step = 0; end < markdown.length; step += 1) {
          end += steps[step % steps.length] ?? 1;
          texts.splice(-1, 0, markdown.slice(0, end));
        }
        for (const shown of show(...texts, `${markdown}\n\n`)) expect(findDangers(shown)).toEqual([]);
      }),
      { numRuns: 60, seed: 20_261_122 },
    );
  });

  it.each([
    ['a fence that only invisible signs keep apart', '``\u202e`\n[a](javascript:x)\n```\n![b](x)\n```\n'],
    ['a fence that the label of a link completes', '`[``](https://x.example)\n```\n[a](javascript:x)\n```\n'],
    ['a fence in a quote', '```\n> ```\n[a](javascript:x)\n```\n![b](x)\n'],
    ['a fence in a list', '- ```\n\n[a](javascript:x)\n```\n![b](x)\n```\n'],
    ['a fence after another sign for the end of a line', 'a\r```\r\n```\n[a](javascript:x)\n```\n'],
    ['tildes', '~~~\n[a](javascript:x)\n~~~\n```\n[a](javascript:x)\n```\n'],
  ])('is harmless where readers disagree about %s', (_, markdown) => {
    for (const step of [1, 4, 100]) {
      for (const shown of grow(`${markdown}\n\n`, step)) expect(findLiveInMarkdown(shown)).toEqual([]);
    }
  });

  it('is harmless whatever was generated, in pieces of any size', () => {
    for (let number = 0; number < 600; number += 1) {
      const random = createRandom(number);
      const texts = Array.from({ length: 4 }, (_, index) => generateAnswer(4 * number + index, 20_261_123).text);
      const text = `${texts.join(random.pick(['', '\n', '\n\n', 'x'.repeat(700)]))}\n\n`;
      const shown = grow(text, 1 + random.below(200)).at(-1) ?? '';

      expect(findLiveInMarkdown(shown), text).toEqual([]);
    }
  });

  it('keeps code as it is', () => {
    const code = '```html\n<a href="https://x.example">&lt; \\< www.y.example</a>\n```\n';

    expect(grow(code, 7).at(-1)).toBe(`${renderWhole(code)}\n`);
  });

  it('shows bold text that is never closed after a while', () => {
    const text = `It is **bold ${'word '.repeat(200)}`;

    const [shown = ''] = show(text);

    expect(shown.length).toBeGreaterThan(900);
  });

  it('shows the lines of a long code block before it is closed', () => {
    const code = `\`\`\`\n${'const a = 1;\n'.repeat(140)}`;

    const steps = grow(code, 100);

    expect(steps[5]).toBe('');
    expect(steps.filter((shown) => shown !== '')[0]?.endsWith('const a = 1;\n')).toBe(true);
    expect(steps.at(-1)).toBe(code);
  });

  it('shows nothing while the service has rewritten it, and goes on if it comes back', () => {
    expect(show('One two three', 'Other two three four', 'One two three four five')).toEqual([
      'One two ',
      'One two ',
      'One two three four ',
    ]);
  });

  it('goes on after signs that are not shown as they are', () => {
    expect(show('One \u202etwo', 'One \u202etwo\rthree', 'One \u202etwo\rthree four').at(-1)).toBe(
      'One \u2060two three ',
    );
  });

  it('closes a code block at the end of a message and opens it again in the next', () => {
    const growing = createGrowingMarkdown();
    const code = `\`\`\`js\n${'const a = 1;\n'.repeat(140)}`;
    const first = growing.next(code, MOST).text;
    growing.shown();
    const closing = growing.closing();
    growing.turnOver();
    const second = growing.next(`${code}const b = 2;\n`, MOST).text;

    expect(first.startsWith('```js\n')).toBe(true);
    expect(closing).toBe('```');
    expect(second).toBe('```js\nconst b = 2;\n');
  });

  it('returns the same again if it was not shown', () => {
    const growing = createGrowingMarkdown();

    expect(growing.next('One two', MOST).text).toBe('One ');
    expect(growing.next('One two three', MOST).text).toBe('One two ');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrowingMarkdown } from '../../../src/slack/text-out/growing-markdown.ts';
import { toSlackMarkdown } from '../../../src/slack/text-out/slack-markdown.ts';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';

const MOST = 2_000;

/** What is shown after each of the texts. */
async function show(...texts: string[]): Promise<string[]> {
  const growing = createGrowingMarkdown();
  const steps: string[] = [];
  let shown = '';
  for (const text of texts) {
    shown += await growing.next(text, MOST);
    growing.shown();
    steps.push(shown);
  }
  return steps;
}

/** What is shown of a text that arrives in steps of so many characters. */
async function grow(text: string, step: number): Promise<string[]> {
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
  it.each([1, 3, 7, 40])(
    'is the rendered text in the end, but for the addresses of links, in steps of %i',
    async (step) => {
      const steps = await grow(ANSWER, step);

      expect(steps.at(-1)).toBe(
        toSlackMarkdown(ANSWER).replace(
          '[link to it](https://example.com/a_b) (example.com)',
          'link to it (example.com)',
        ),
      );
      for (const [index, shown] of steps.entries()) expect(shown.startsWith(steps[index - 1] ?? '')).toBe(true);
    },
  );

  it.each([1, 5, 11])('never shows markup that is not closed, in steps of %i', async (step) => {
    for (const shown of await grow(ANSWER, step)) {
      expect(shown.split('**').length % 2, shown).toBe(1);
      expect(shown.split('`').length % 2, shown).toBe(1);
      expect(shown).not.toMatch(/\[[^\]]*$/);
      expect(shown).not.toMatch(/^#[^\n]*$(?!\n)/m);
      expect(shown).not.toMatch(/\|[^\n]*$(?!\n)/);
    }
  });

  it('is shown word by word', async () => {
    expect(await show('It beg', 'It begins with a wo', 'It begins with a word. And')).toEqual([
      'It ',
      'It begins with a ',
      'It begins with a word. ',
    ]);
  });

  it('is shown by characters in a script without spaces', async () => {
    expect(await show('東京は日本', '東京は日本の首都で')).toEqual(['東京は日', '東京は日本の首都']);
  });

  it('contains neither mentions nor addresses, wherever it is cut', async () => {
    const hostile =
      'Hi <!channel> and <@U0ANA>, see https://evil.example/?q=secret or [here](https://evil.example/x) @here now ok.\n\n<https://evil.example|x> yes\n';
    for (const step of [1, 2, 3, 5, 8, 13]) {
      for (const shown of await grow(hostile, step)) {
        expect(shown).not.toMatch(/<[!@#h]|https?:\/\/|@here/);
      }
    }
  });

  it('is as harmless after each piece as the whole text is', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(hostileMarkdown(), cuts, async (markdown, steps) => {
        const texts = [markdown];
        for (let end = 0, step = 0; end < markdown.length; step += 1) {
          end += steps[step % steps.length] ?? 1;
          texts.splice(-1, 0, markdown.slice(0, end));
        }
        for (const shown of await show(...texts, `${markdown}\n\n`)) expect(findDangers(shown)).toEqual([]);
      }),
      { numRuns: 400, seed: 20_261_122 },
    );
  });

  it('shows bold text that is never closed after a while', async () => {
    const text = `It is **bold ${'word '.repeat(200)}`;

    const [shown = ''] = await show(text);

    expect(shown.length).toBeGreaterThan(900);
  });

  it('shows the lines of a long code block before it is closed', async () => {
    const code = `\`\`\`\n${'const a = 1;\n'.repeat(140)}`;

    const steps = await grow(code, 100);

    expect(steps[5]).toBe('');
    expect(steps.filter((shown) => shown !== '')[0]?.endsWith('const a = 1;\n')).toBe(true);
    expect(steps.at(-1)).toBe(code);
  });

  it('shows nothing while the service has rewritten it, and goes on if it comes back', async () => {
    expect(await show('One two three', 'Other two three four', 'One two three four five')).toEqual([
      'One two ',
      'One two ',
      'One two three four ',
    ]);
  });

  it('closes a code block at the end of a message and opens it again in the next', async () => {
    const growing = createGrowingMarkdown();
    const code = `\`\`\`js\n${'const a = 1;\n'.repeat(140)}`;
    const first = await growing.next(code, MOST);
    growing.shown();
    const closing = growing.closing();
    growing.turnOver();
    const second = await growing.next(`${code}const b = 2;\n`, MOST);

    expect(first.startsWith('```js\n')).toBe(true);
    expect(closing).toBe('```');
    expect(second).toBe('```js\nconst b = 2;\n');
  });

  it('returns the same again if it was not shown', async () => {
    const growing = createGrowingMarkdown();

    expect(await growing.next('One two', MOST)).toBe('One ');
    expect(await growing.next('One two three', MOST)).toBe('One two ');
  });
});

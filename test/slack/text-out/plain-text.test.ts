import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCharacters, cutPlain, splitPlain } from '../../../src/slack/text-out/message-budget.ts';
import { toMrkdwnLink, toPlainText, toSpokenText, toWords } from '../../../src/slack/text-out/plain-text.ts';
import { buildNote, buildPlainText, buildSection } from '../../../src/slack/views/content.ts';
import { MAX_TEXT_BYTES } from '../../../src/slack/web/limits.ts';

describe('toPlainText', () => {
  it.each([
    ['# Title\n\nSome **bold** and _italic_ `code`.', 'Title Some bold and italic code.'],
    ['> - [label](https://x.example/a) (x.example)', '- label (x.example)'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['```js\nlet a_b = 1;\n```', 'let a_b = 1;'],
    ['', ''],
    // Escaped once, whether or not it was escaped before.
    ['a < b & <!channel>', 'a &lt; b &amp; &lt;!channel&gt;'],
    ['a &lt; b &amp; &lt;!channel&gt;', 'a &lt; b &amp; &lt;!channel&gt;'],
    ['@channel', '@\u2060channel'],
  ])('shows %j in one line without markup and mentions', (markdown, expected) => {
    expect(toPlainText(markdown)).toBe(expected);
  });

  it('holds no bracket, whatever it is given', () => {
    const text = fc.string({ unit: fc.constantFrom('<', '>', '&', 'lt;', 'amp;', '!', '[', '](', '`', 'a') });

    fc.assert(fc.property(text, (given) => void expect(toPlainText(given)).not.toMatch(/[<>]/)));
  });
});

describe('toWords', () => {
  it('keeps what stands for an emoji, which may be all that an answer says', () => {
    const section = (name: string, text: string) => ({
      type: 'rich_text_section',
      elements: [
        { type: 'emoji', name, unicode: '274c' },
        { type: 'text', text },
      ],
    });
    const elements = [section('white_check_mark', ' laptops'), section('x', ' phones')];

    expect(toWords([{ type: 'rich_text', elements }]).trim()).toBe(':white_check_mark: laptops\n:x: phones');
  });
});

describe('toMrkdwnLink', () => {
  it.each([
    ['https://x.example/a?b=1&c=2', 'Plan', '<https://x.example/a?b=1&amp;c=2|Plan>'],
    ['https://x.example/a|b>c', 'a|b > <c>', '<https://x.example/a%7Cb%3Ec|a¦b &gt; &lt;c&gt;>'],
    ['https://x.example/', ' \n ', '<https://x.example/>'],
    ['https://x.example/?a=&lt;!channel&gt;', 'x', '<https://x.example/?a=&amp;lt%3B!channel&amp;gt%3B|x>'],
    ['https://evil.example/', 'good.example', '<https://evil.example/|good.example (evil.example)>'],
    [
      'https://evil.example/',
      'see https://a.example/a',
      '<https://evil.example/|see https://a.example/a (evil.example)>',
    ],
    ['https://x.example/a', 'x.example/a', '<https://x.example/a|x.example/a>'],
    ['https://x.example/Plan.docx', 'Plan.docx', '<https://x.example/Plan.docx|Plan.docx>'],
    ['https://x.example/', 'a\u202eb', '<https://x.example/|ab>'],
    ['javascript:alert(1)', 'a & <b> &lt;', 'a &amp; &lt;b&gt; &amp;lt;'],
    ['https://good.example@evil.example', 'good', 'good'],
    ['not an address', 'label', 'label'],
  ])('links %s', (url, label, expected) => {
    expect(toMrkdwnLink(url, label)).toBe(expected);
  });

  it('is one link or none, whatever it is given', () => {
    const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()).map((address) => `${address}|<!here>`);
    const label = fc.string({ unit: fc.constantFrom('<', '>', '|', '!', '@', 'U1', '\n', 'a') });
    const expected = /^(?:[^<>]*|<https?:[^<>|]+(?:\|[^<>|]+)?>)$/;

    fc.assert(fc.property(url, label, (...given) => void expect(toMrkdwnLink(...given)).toMatch(expected)));
  });
});

describe('plain text', () => {
  it.each([
    ['at line ends', 'one two\nthree four', 12, ['one two', 'three four']],
    ['else at blanks', 'one two three', 9, ['one two', 'three']],
    ['else anywhere but within a character', '😀😀😀', 3, ['😀', '😀', '😀']],
    ['into nothing if it is blank', ' \n ', 10, []],
  ])('is cut %s', (_, text, limit, pieces) => {
    expect(splitPlain(text, limit)).toEqual(pieces);
  });

  it('is measured as Slack counts it, with entities', () => {
    const pieces = splitPlain('&<>'.repeat(1_000), 100);

    expect(pieces.join('')).toBe('&<>'.repeat(1_000));
    expect(pieces.every((piece) => countCharacters(piece) <= 100)).toBe(true);
  });

  it('that has to be one piece shows that its end is cut off', () => {
    expect(cutPlain('short', 10)).toBe('short');
    expect(cutPlain('much too long', 6)).toBe('much …');
  });
});

describe('what a screen reader says of a message', () => {
  it('is all that its blocks say, without markup of others, addresses behind labels and buttons', () => {
    const spoken = toSpokenText([
      { type: 'markdown', text: `# Title\n\n${'Some **bold** words. '.repeat(20)}` },
      buildSection('*Sources*\n1. <https://a.example/a?b&amp;c|Plan>'),
      { type: 'section', text: buildPlainText('*not* <!here>') },
      buildNote('<@U1> asked in <#C1>.', 'Check it.'),
      { type: 'divider' },
      { type: 'actions', elements: [{ type: 'button', text: buildPlainText('Ask again'), action_id: 'a' }] },
    ]);

    expect(spoken.split('\n')).toEqual([
      `Title ${'Some bold words. '.repeat(20).trim()}`,
      ...['*Sources*', '1. Plan', 'not &lt;!here&gt;', '<@U1> asked in <#C1>.', 'Check it.'],
    ]);
  });

  it.each([
    ['words', 'word '.repeat(2_000), /word…$/],
    ['a script without spaces', '会'.repeat(3_000), /会…$/],
    ['characters of several parts', '👩‍👩‍👧'.repeat(1_000), /👩‍👩‍👧…$/u],
    ['entities', '<'.repeat(3_000), /&lt;…$/],
  ])('is cut where Slack would refuse an edit, and ends well: %s', (_, text, end) => {
    const spoken = toSpokenText([{ type: 'markdown', text }]);

    expect(spoken).toMatch(end);
    expect(spoken.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(spoken)).toBeLessThan(MAX_TEXT_BYTES);
    expect(Buffer.byteLength(spoken)).toBeGreaterThan(MAX_TEXT_BYTES - 200);
  });

  it('is never cut within a mention', () => {
    expect(toSpokenText([buildNote(`${'a'.repeat(3_890)}<@U0123456789>`)])).toBe(`${'a'.repeat(3_890)}…`);
  });

  it('is a sign where there are no words, because Slack wants a text', () => {
    expect(toSpokenText([{ type: 'divider' }])).toBe('…');
  });
});

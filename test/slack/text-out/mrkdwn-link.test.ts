import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeMrkdwn } from '../../../src/slack/text-out/neutralise.ts';
import { toMrkdwnLink } from '../../../src/slack/text-out/plain-text.ts';

describe('escapeMrkdwn', () => {
  it('escapes the three control characters, and again what is escaped', () => {
    expect(escapeMrkdwn('a & <b> &lt;')).toBe('a &amp; &lt;b&gt; &amp;lt;');
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
      'see https://good.example/a',
      '<https://evil.example/|see https://good.example/a (evil.example)>',
    ],
    ['https://x.example/a', 'x.example/a', '<https://x.example/a|x.example/a>'],
    ['https://x.example/Plan.docx', 'Plan.docx', '<https://x.example/Plan.docx|Plan.docx>'],
    ['https://x.example/', 'a\u202eb', '<https://x.example/|ab>'],
    ['javascript:alert(1)', 'a <b>', 'a &lt;b&gt;'],
    ['https://good.example@evil.example', 'good', 'good'],
    ['not an address', 'label', 'label'],
  ])('links %s', (url, label, expected) => {
    expect(toMrkdwnLink(url, label)).toBe(expected);
  });

  it('is one link or none, whatever it is given', () => {
    const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()).map((address) => `${address}|<!here>`);

    fc.assert(
      fc.property(
        url,
        fc.string({ unit: fc.constantFrom('<', '>', '|', '!', '@', 'U1', '\n', 'a') }),
        (address, label) => {
          expect(toMrkdwnLink(address, label)).toMatch(/^(?:[^<>]*|<https?:[^<>|]+(?:\|[^<>|]+)?>)$/);
        },
      ),
    );
  });
});

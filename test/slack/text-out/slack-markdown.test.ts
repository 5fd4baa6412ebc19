import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDangers, hostileMarkdown } from './hostile-markdown.ts';
import { renderWhole } from './render-whole.ts';

/** Joiners are invisible: the tests show them. */
function toShown(markdown: string): string {
  return renderWhole(markdown).replaceAll('\u2060', '¤');
}

const ORDINARY = [
  '# Heading',
  'Some **bold**, _italic_, ~~struck~~ R&D, `a[0] && b`, see [1] and [2].',
  '- one\n- two\n  1. deep',
  '> quoted\n> > twice\n\n- > in a list',
  '| a | b |\n|---|:-:|\n| 1 | 2 |',
  '```js\nconst a = b[1](2);\n```',
  'https://x.example/a?b=1&c=2 or ana@x.example',
].join('\n\n');

/** As a label, longer than one message with its host. */
const LONG = 'a'.repeat(11_834);

/** Markdown, by what is shown of it. */
const SHOWN: Record<string, [markdown: string, shown: string][]> = {
  'ordinary Markdown, which stays as it is': [[ORDINARY, ORDINARY]],
  'mentions, of which there are none': [
    ['<!channel> <@U1> <#C1> <!subteam^S1>', '&lt;!channel&gt; &lt;@U1&gt; &lt;#C1&gt; &lt;!subteam^S1&gt;'],
    ['<<!channel>>', '&lt;&lt;!channel&gt;&gt;'],
    ['`<!here>`', '`&lt;!here&gt;`'],
    ['```\na < b > c\n```', '```\na &lt; b &gt; c\n```'],
    ['a < b -> c', 'a &lt; b -&gt; c'],
    ['<https://evil.example|good.example>', '&lt;https:¤//evil.example|good.example&gt;'],
    ['@channel @Here, @everyone! a@here.example', '@¤channel @¤Here, @¤everyone! a@here.example'],
    ['`@channel`', '`@channel`'],
    ['@![here](x)', '@¤here'],
  ],
  'what is escaped already, which is neither opened nor doubled': [
    ['&lt;!channel&gt;', '&lt;!channel&gt;'],
    ['&#60;!channel&#x3E; &#38;lt;', '&lt;!channel&gt; &amp;lt;'],
    ['\\<b\\> \\& \\&lt; \\*', '&lt;b&gt; & &amp;lt; \\*'],
    ['`&lt; &#60;`', '`&amp;lt; &amp;#60;`'],
  ],
  'links, which are written anew, with their host': [
    ['[the page](https://x.example/a)', '[the page](https://x.example/a) (x.example)'],
    ['[good.example](https://evil.example)', '[good.example](https://evil.example/) (evil.example)'],
    [
      '[good.example/](https://good.example.evil.example)',
      '[good.example/](https://good.example.evil.example/) (good.example.evil.example)',
    ],
    ['[evil.example@x](https://evil.example/)', '[evil.example@x](https://evil.example/) (evil.example)'],
    ['[x.example/a](https://x.example/a)', '[x.example/a](https://x.example/a)'],
    ['[https://x.example](https://x.example/a "title")', '[https://x.example](https://x.example/a)'],
    ['[the page](https://x.example/a) (x.example)', '[the page](https://x.example/a) (x.example)'],
    ['[**b** `c` [d]](https://x.example)', '[**b** `c` \\[d\\]](https://x.example/) (x.example)'],
    ['[a](https://x.example/(b)?c=1&d=<e>|f)', '[a](https://x.example/%28b%29?c=1&d=%3Ce%3E%7Cf) (x.example)'],
    ['[a](<https://x.example/b c>)', '[a](https://x.example/b%20c) (x.example)'],
    ['[](https://x.example)', '[x.example](https://x.example/)'],
    ['<https://x.example/a>', '[https://x.example/a](https://x.example/a)'],
    ['[x.exa\nmple](https://x.example)', '[x.exa mple](https://x.example/) (x.example)'],
    ['<HTTPS://X.EXAMPLE>', '[https://x.example/](https://x.example/)'],
    ['[1](https://www.x.example)`[b](c)`', '[1](https://www.x.example/) (www.x.example) `[b](c)`'],
    ['[a](www.x.example)', '[a](https://www.x.example/) (www.x.example)'],
    [`[a](https://${'b'.repeat(64)}.example)`, 'a'],
    [
      '[раypal.example](https://раypal.example)',
      '[раypal.example](https://xn--ypal-43d9g.example/) (xn--ypal-43d9g.example)',
    ],
    [
      '[a][r], [r] and ![i][r]\n\n[r]: https://x.example',
      '[a](https://x.example/) (x.example), [r](https://x.example/) (x.example) and [i](https://x.example/) (x.example)',
    ],
    ['[a][r]\n\nb\n\n[r]: https://x.example', '[a](https://x.example/) (x.example)\n\nb'],
    ['\uFEFF\u202E[a](https://x.example)', '[a](https://x.example/) (x.example)'],
    ['\u202E\uFEFF[a](https://x.example)', '[a](https://x.example/) (x.example)'],
  ],
  'what is no link': [
    ['[a](javascript:alert(1))', 'a'],
    ['[a](data:text/html,x)', 'a'],
    ['[a](slack://open)', 'a'],
    ['[a](https://user@evil.example)', 'a'],
    [`[a](https://x.example/${'x'.repeat(2_048)})`, 'a'],
    ['[a](/relative)', 'a'],
    ['[Ana](mailto:ana@x.example)', 'Ana (ana@x.example)'],
    ['<ana@x.example>', 'ana@x.example'],
    ['<javascript:alert>', '&lt;javascript:¤alert&gt;'],
    ['slack://open and ftp://x.example', 'slack:¤//open and ftp:¤//x.example'],
    ['https://good.example@evil.example/', 'https:¤//good.example@evil.example/'],
    ['[a] (https://x.example)', '[a] (https://x.example)'],
    ['\\[a](https://x.example)', '\\[a]¤(https://x.example)'],
    ['[a\n\nb](https://x.example)', '[a\n\nb]¤(https://x.example)'],
    ['[note]: something', '[note]¤: something'],
    ['a[^1]\n\n[^1]: note', 'a[^1]\n\n[^1]¤: note'],
    // It could be cut before its host is shown.
    [`[${LONG}](https://evil.example/a) and more`, `${LONG} (evil.example) and more`],
  ],
  'images, which are links': [
    ['![a chart](https://x.example/c.png)', '[a chart](https://x.example/c.png) (x.example)'],
    ['![](https://x.example/c.png)', '[image](https://x.example/c.png) (x.example)'],
    ['![a chart](data:image/png;base64,x)', 'a chart'],
    ['[![a [chart]](https://y.example/c.png)](https://x.example)', '[a \\[chart\\]](https://x.example/) (x.example)'],
    ['!<https://x.example/c.png>', '!¤[https://x.example/c.png](https://x.example/c.png)'],
  ],
  'HTML, which is text': [
    ['<b onclick="x">bold</b>', '&lt;b onclick="x"&gt;bold&lt;/b&gt;'],
    ['<!-- hidden -->', '&lt;!-- hidden --&gt;'],
    ['| a | b |\n|---|---|\n| c | `d | e` | f |', '| a | b |\n|---|---|\n| c | ˋd \\| eˋ \\| f |'],
    ['| a |\n|---|\n| b<br>c<br/> |', '| a |\n|---|\n| b c  |'],
    ['<b>**a**</b>', '&lt;b&gt;**a**&lt;/b&gt;'],
    ['<div>\n```\n</div>\n\n```\n[a](javascript:x)\n```\n', '&lt;div&gt;\n```\n&lt;/div&gt;\n\n```\na\n```\n\n```'],
  ],
  'code, of which there is no doubt': [
    ['    [a](https://x.example)\n    b < c', '```\n[a](https://x.example)\nb &lt; c\n```'],
    ['- a\n\n  ~~~\n  [a](b)\n  ~~~', '- a\n\n  ```\n  [a](b)\n  ```'],
    ['~~~\n[a](b)\n```\n~~~', '````\n[a](b)\n```\n````'],
    ['`[a](b)\n[c](d)`', '`[a](b) [c](d)`'],
    ['``a ` [b](c)``', '`a ˋ [b](c)`'],
    ['> ```\n> [a](b)\n\n[c](javascript:x)', '> ```\n> [a](b)\n> ```\n\nc'],
    ['> ~~~\n> [a](b)\n> ~~~', '> ```\n> [a](b)\n> ```'],
  ],
  'borders, which stay where they were': [
    ['https://x.example/a<!channel>`[a](b)`', 'https://x.example/a&lt;!channel&gt; `[a](b)`'],
    ['| a |\n|---|\n| b |\n\n<!channel>\n` | [a](b)`', '| a |\n|---|\n| b |\n\n&lt;!channel&gt;\n` | [a](b)`'],
    ['a [b](https://x.example)@evil.example', 'a [b](https://x.example/) (x.example) @evil.example'],
    ['_https://x.example_ and xhttps://x.example', '_https://x.example_ and xhttps:¤//x.example'],
    ['- > ```\n[a](javascript:x)\n```', '- > ```\n  >\n  > ```\na\n```\n\n```'],
  ],
  'characters that are written as numbers or names': [
    ['https&#58;//good.example&#x40;evil.example', 'https:¤//good.example@evil.example'],
    ['&commat;channel &#64;here', '@¤channel @¤here'],
    ['slack&colon;&sol;&#47;open', 'slack:¤//open'],
    ['https://evil.example|a&#x60;@evil.example', 'https:¤//evil.example|aˋ@evil.example'],
    ['&#x202e;a &#8238;b', 'a b'],
    ['![&#x202e;a](https://x.example)', '[a](https://x.example/) (x.example)'],
    ['&#&#54;0;', '&amp;#60;'],
    ['&[#x3c;a](file:///b)', '&amp;#x3c;a'],
    ['&#91;a&#93;(https://x.example)', '\\[a\\]¤(https://x.example)'],
  ],
  'links whose address some readers take for another': [
    ['<https://evil(.example:8443/a>', '&lt;https:¤//evil(.example:8443/a&gt;'],
    ['<http://__evil.example/a_(b)>', '&lt;http:¤//__evil.example/a_(b)&gt;'],
    ['[a](http://my_host.example)', '[a](http://my_host.example/) (my_host.example)'],
    ['[a <https://x.example/b>](https://y.example)', '[a https://x.example/b](https://y.example/) (y.example)'],
    ['[x.example/`b` c](https://x.example)', '[x.example/`b` c](https://x.example/) (x.example)'],
    ['```\n[a\n```\u2003\n](tel:1)\n```', '````\n[a\n```\u2003\n](tel:1)\n````'],
    ['1. ~~~\n- [a](https://x.example)', '1. ```\n\n   ```\n- [a](https://x.example/) (x.example)'],
  ],
};

describe.each(Object.entries(SHOWN))('toSlackMarkdown of %s', (_, examples) => {
  it.each(examples)('%j is shown as %j', (markdown, shown) => {
    expect(toShown(markdown)).toBe(shown);
  });
});

describe('toSlackMarkdown', () => {
  it('changes nothing the second time', () => {
    const markdown =
      '# A\n\n[a](https://x.example) <b> &lt; [b](javascript:x) ![c](https://y.example)\n\n> d > e @here \\< slack://f';
    const once = renderWhole(markdown);

    expect(renderWhole(once)).toBe(once);
  });

  it('leaves no bracket open, no lying link, no image and no HTML, whatever the service writes', () => {
    fc.assert(
      fc.property(hostileMarkdown(), (markdown) => {
        expect(findDangers(renderWhole(markdown))).toEqual([]);
      }),
      { numRuns: 250, seed: 20_260_901 },
    );
  });

  it('lets no string through with an angle bracket', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(renderWhole(text)).not.toContain('<');
      }),
    );
  });
});

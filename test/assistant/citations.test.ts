import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropUnfinishedMarker } from '../../src/assistant/citation-markers.ts';
import { citeSources } from '../../src/assistant/citations.ts';
import type { ServiceMessage } from '../../src/assistant/conversation-body.ts';

function aReply(text: string, parts: Partial<ServiceMessage> = {}): ServiceMessage {
  return { id: undefined, text, attributions: undefined, references: undefined, sensitivityLabel: undefined, ...parts };
}

const cite = (seeMoreWebUrl: unknown, providerDisplayName = '', attributionType = 'citation') => ({
  attributionType,
  providerDisplayName,
  seeMoreWebUrl,
});

const A = 'https://a.example/docs/Budget%202026.xlsx';
const B = 'https://b.example/';
const ATTRIBUTIONS = [cite(A), cite('https://people.example/ben', '', 'annotation'), cite(B, 'Notes')];
const SOURCE_A = { title: 'Budget 2026.xlsx', url: A };
const SOURCE_B = { title: 'Notes', url: B };

const withAttributions = (text: string) => citeSources([aReply(text, { attributions: ATTRIBUTIONS })]);

/** Replies, by what is shown of them. */
const SHOWN: Record<string, [text: string, shown: string][]> = {
  'citation markers': [
    ['Second.[^2^] First.[^1^] Again.[^2^]', 'Second.[1] First.[2] Again.[1]'],
    ['Both.[^1^,^2^] Twice.[^1^][^1^] [^2^].', 'Both.[1][2] Twice.[1] [2].'],
    ['So.[^1^](see below) Or.[^2^](note)', 'So.[1] (see below) Or.[2] (note)'],
    ['So.[^1^]\n\n[^1^]: Budget\n[^2^]: Notes', 'So.[1]\n\n[1]\u2060: Budget\n[2]\u2060: Notes'],
  ],
  'markers to which nothing belongs': [
    ['One [^7^]. Two[^external^]. Three [^external^] four [^9^]\nfive [^0^]', 'One. Two. Three four\nfive'],
    ...['[1](javascript:alert)', '[1](ftp://c.example/x)', '[1](/relative)', '[1]()'].map(
      (marker): [string, string] => [`So ${marker}.`, 'So.'],
    ),
  ],
  'other private markup': [
    ['Ask <Person>Ben <b>Okafor</b></Person>, <Event id="7">a</Event>', 'Ask Ben <b>Okafor</b>, a'],
    ['【3†source】【1:0†a.pdf】<Team>Blue</Team>', 'Blue'],
    ['.\uE200cite\uE202turn0search0\uE202turn1file3\uE201 Yes\uE202turn0search1 citeturn1search30', '. Yes'],
    ['A ` alone.[^1^]\n\nAnother ` there.[^1^]', 'A ` alone.[1]\n\nAnother ` there.[1]'],
    ['Tildes ~~~ are [^1^] none ~~~', 'Tildes ~~~ are [1] none ~~~'],
    ['```not a fence``` but [^1^]', '```not a fence``` but [1]'],
  ],
};

const UNTOUCHED = {
  'ordinary Markdown':
    'A [link](https://c.example/x), a [1] alone, a note[^1], [x], 【引用】, a < b > c, <br>, List<String>, ' +
    '</Team>, <Team id="1">x</Team>, [1](https://c.example/(x ), [1](https://c.example/(x).',
  'code in a line': 'Use `<Person>x</Person>` and ``a ` [^1^]``.',
  'a fence': '```xml\n<Person>x</Person> [^1^] 【1†source】\n``` not yet\n```',
  'a fence in a list': '- ~~~\n  [1](https://c.example/x) `\n  ~~~',
  'a fence that has no end': 'So.\n````\n[^1^]\n```\n[^1^]',
};

describe.each(Object.entries(SHOWN))('%s', (_, replies) => {
  it.each(replies)('in %j are shown as %j', (text, shown) => {
    expect(withAttributions(text).text).toBe(shown);
  });
});

it.each(Object.entries(UNTOUCHED))('%s is left alone', (_, text) => {
  expect(withAttributions(text).text).toBe(text);
  expect(withAttributions(`So.[^1^]\n\n${text}`).text).toBe(`So.[1]\n\n${text}`);
});

describe('the sources of an answer', () => {
  it('are numbered in order of first use, whatever the service numbered', () => {
    expect(withAttributions('Second.[^2^] First.[^1^]').sources).toEqual([
      { number: 1, ...SOURCE_B },
      { number: 2, ...SOURCE_A },
    ]);
  });

  it('are none where they cannot be linked', () => {
    const attributions = [
      ...[cite('javascript:alert(1)', 'Evil'), cite(null), cite('file:///etc/passwd')],
      cite(`https://c.example/${'x'.repeat(3_000)}`),
    ];

    expect(citeSources([aReply('So.[^1^][^2^][^3^][^4^]', { attributions })])).toEqual({ text: 'So.', sources: [] });
  });

  it.each([
    ['[1](https://c.example/x#ref-a)', A],
    ['[[1]](https://c.example/x#ref-a)', A],
    ['[^1^](https://c.example/x#ref-a)', A],
    ['[1](<https://c.example/x#ref-a>)', A],
    ['[1](https://c.example/x#ref-a "A title")', A],
    ['[1](#ref%2Da)', A],
    ['[1](https://b.example/#elsewhere)', B],
    ['[1](https://c.example/plan(final).docx)', 'https://c.example/plan(final).docx'],
    ['[1](https://c.example/x#own)', 'https://c.example/x#own'],
  ])('are found from %s by its key, else by its address', (marker, url) => {
    const references = { 'ref-a': { targetLink: A }, 'ref-b': { targetLink: B }, 'ref-c': 'nonsense' };
    const { text, sources } = citeSources([aReply(`So ${marker}.`, { references })]);

    expect(text).toBe('So [1].');
    expect(sources[0]).toMatchObject({ number: 1, url });
  });

  it('take their title from the attribution of the same address', () => {
    const { sources } = citeSources([aReply('So.[1](https://b.example/)', { attributions: ATTRIBUTIONS })]);

    expect(sources[0]).toEqual({ number: 1, ...SOURCE_B });
  });

  it('are cut in no character of their title', () => {
    const attributions = [cite('https://c.example/', '😀'.repeat(200))];

    const [source] = citeSources([aReply('x', { attributions })]).sources;

    expect(source?.title).toBe(`${'😀'.repeat(74)}…`);
  });

  it('take the host for a title where the path names nothing', () => {
    const attributions = ['', '%E0%A4%A', 'a%0Ab/'].map((path) => cite(`https://c.example/${path}`));

    expect(citeSources([aReply('x', { attributions })]).sources.map(({ title }) => title)).toEqual([
      'c.example',
      '%E0%A4%A',
      'a b',
    ]);
  });

  it('name an address once, and list what was not cited after what was', () => {
    const attributions = [cite(A), cite(B, 'Notes'), cite(A, 'Same'), cite('https://d.example/', 'Ben', 'annotation')];
    const references = {
      used: { targetLink: 'https://e.example/', isCitedInResponse: true },
      unused: { targetLink: 'https://f.example/', isCitedInResponse: false },
    };

    const { sources } = citeSources([aReply('So.[^2^]', { attributions, references })]);

    expect(sources.map(({ number, url }) => [number, url])).toEqual([
      [1, B],
      [2, A],
      [3, 'https://e.example/'],
    ]);
  });

  it('list at most 50 sources', () => {
    const attributions = Array.from({ length: 80 }, (_, index) => cite(`https://c.example/${index}`));

    expect(citeSources([aReply('x', { attributions })]).sources).toHaveLength(50);
  });

  it('are numbered across several replies, each with its own attributions', () => {
    const first = aReply('One.[^1^]', { attributions: [cite(A)] });
    const second = aReply('Two.[^1^] Three.[^2^]', { attributions: [cite(B, 'Notes'), cite(A)] });

    expect(citeSources([first, second])).toEqual({
      text: 'One.[1]\n\nTwo.[2] Three.[1]',
      sources: [
        { number: 1, ...SOURCE_A },
        { number: 2, ...SOURCE_B },
      ],
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('do not take the key %s for a reference', (key) => {
    expect(citeSources([aReply(`So.[1](#${key})`, { references: {} })])).toEqual({ text: 'So.', sources: [] });
  });

  it('take no harm from attributions and references of any shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (attributions, references) => {
        const { sources } = citeSources([aReply('So.[^1^][1](#a)', { attributions, references })]);

        expect(sources.every(({ url }) => /^https?:/.test(url))).toBe(true);
      }),
    );
  });
});

describe('private markup', () => {
  it('never stays in the text outside code', () => {
    const word = fc.constantFrom(
      ...['word', 'Ärger', '.', ' ', '\n', '\n\n', '*x*', '[x](https://c.example)', '(', ')', 'a<b'],
    );
    const marker = fc.constantFrom(
      ...['[^1^]', '[^12^]', '[^external^]', '[1](https://c.example/x#k)', '[[2]](https://c.example/(y))'],
      ...['【4†source】', '<Person>', '</Person>', '<File a="b">', '</File>'],
      ...['\uE200cite\uE202turn0search0\uE201', '\uE201'],
    );

    fc.assert(
      fc.property(fc.array(fc.oneof(word, marker)), (parts) => {
        const { text } = withAttributions(parts.join(''));

        expect(text).not.toMatch(/\[\^[\w]+\^\]|\[\[?\d\]\]?\(|†|<\/?(?:Person|File)[ >]|[\uE200-\uE20F]/);
      }),
    );
  });

  it('leaves a text without markers as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/[[<【\uE200-\uE20F]|cite/.test(text)),
        (text) => {
          expect(citeSources([aReply(text)]).text).toBe(text.trim());
        },
      ),
    );
  });
});

describe('a text that was cut', () => {
  it.each([
    ...['[', '[^', '[^1', '[^1^', '[1', '[[1', '[1]', '[1](https://a.exa'],
    ...['<', '</', '<Pers', '【1†so', '\uE200cite'],
  ])('does not show %j at its end', (tail) => {
    expect(citeSources([aReply(dropUnfinishedMarker(`So it is${tail}`))]).text).toBe('So it is');
  });

  it.each(['a [link', 'a <b', '1 < 2', 'see [a]', '引用】'])('shows %j', (text) => {
    expect(dropUnfinishedMarker(text)).toBe(text);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/slack/text-in/read-message.ts';

const BOT = 'U0BOT';

const read = (message: unknown) => readMessage(message, { botUserId: BOT });
const toBlocks = (...elements: object[]) => [{ type: 'rich_text', elements }];
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const readSection = (...elements: object[]) => read({ blocks: toBlocks(section(...elements)) });

const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const user = (id: string) => ({ type: 'user', user_id: id });
const link = (url: string, label?: string) => ({ type: 'link', url, ...(label && { text: label }) });
const preformatted = (...elements: object[]) => ({ type: 'rich_text_preformatted', elements });
const quote = (...elements: object[]) => ({ type: 'rich_text_quote', elements });
const list = (style: string, indent: number, ...items: object[]) => ({
  ...{ type: 'rich_text_list', style, indent },
  elements: items.map((item) => section(item)),
});

const NO_GAP: [object[], string][] = [
  [[text('Thanks '), user(BOT), text('!')], 'Thanks!'],
  [[user(BOT), text(': who?')], 'who?'],
  [[text('Well '), user(BOT), text(', who?')], 'Well who?'],
  [[user(BOT), text(' '), { type: 'emoji', name: 'wave' }], ':wave:'],
];

const EVERY_OTHER_ELEMENT = [
  { type: 'emoji', name: 'wave' },
  { type: 'channel', channel_id: 'C1' },
  { type: 'usergroup', usergroup_id: 'S1' },
  { type: 'broadcast', range: 'here' },
  { type: 'color', value: '#ff0000' },
  { type: 'date', timestamp: 0, fallback: 'the epoch' },
  { type: 'date', timestamp: 0 },
  { type: 'date', timestamp: 1e300 },
  { type: 'something_new', text: '?' },
];

describe('readMessage, rich text', () => {
  it('removes the mention of the bot and keeps those of others', () => {
    const reading = readSection(user(BOT), text(' what did '), user('U2'), text(' and '), user('U2'), text(' say?'));

    expect(reading).toMatchObject({
      text: 'what did @U2 and @U2 say?',
      mentionsBot: true,
      mentionedUsers: ['U2'],
    });
  });

  it.each(NO_GAP)('leaves no gap where the mention was: %j', (elements, words) => {
    expect(readSection(...elements).text).toBe(words);
  });

  it('ignores the mrkdwn text where there is rich text', () => {
    const blocks = toBlocks(section(text('one')));

    expect(read({ blocks, text: 'two !web-off <https://x.example/a>' })).toMatchObject({
      ...{ text: 'one', webSearch: true, links: [] },
    });
  });

  it('keeps paragraphs, lists, quotes and code readable', () => {
    const blocks = toBlocks(
      section(text('Look:\n')),
      list('ordered', 0, text('one')),
      list('bullet', 1, text('deep\nline')),
      list('ordered', 0, text('two')),
      quote(text('said\nso')),
      preformatted(text('a < b;\nc'), link('https://x.example')),
      section(text('and '), text('x = 1', { code: true })),
    );

    expect(read({ blocks }).text.split('\n')).toEqual([
      ...['Look:', '1. one', '   - deep', '     line', '2. two', '> said', '> so'],
      ...['```', 'a < b;', 'chttps://x.example', '```', 'and `x = 1`'],
    ]);
  });

  it('writes every other element as a word', () => {
    const words = ':wave:#C1@S1@here#ff0000the epoch1970-01-01T00:00:00.000Z?';

    expect(readSection(...EVERY_OTHER_ELEMENT).text).toBe(words);
  });

  it('reads tables pasted into a message', () => {
    const cell = (words: string) => ({ type: 'raw_text', text: words });
    const [rich] = toBlocks(section(link('https://a.example/x')));
    const table = { type: 'table', rows: [['a', 'b'].map(cell), [cell('1'), rich]] };
    const attachments = [{ blocks: [table] }, { is_msg_unfurl: true, blocks: [table] }];

    expect(read({ blocks: toBlocks(section(text('Sum up'))), attachments })).toMatchObject({
      ...{ text: 'Sum up\na | b\n1 | https://a.example/x', links: ['https://a.example/x'] },
    });
  });
});

describe('readMessage, mrkdwn', () => {
  it.each([
    ['a &lt; b &amp;&amp; c &amp;lt; d', 'a < b && c &lt; d'],
    ['<@U0BOT> hi', 'hi'],
    ['<@U2|ana> hi', '@U2 hi'],
    ['<#C1|general> <#C2>', '#general #C2'],
    ['<!here> <!channel|channel> <!subteam^S1|@team> <!subteam^S2>', '@here @channel @team @S2'],
    ['<!date^0^{date}|yesterday> <!date^0^{date}>', 'yesterday 1970-01-01T00:00:00.000Z'],
    ['<mailto:a@b.example|a@b.example> <tel:123>', 'a@b.example 123'],
    ['<https://x.example/a?b=1&amp;c=2>', 'https://x.example/a?b=1&c=2'],
    ['<https://x.example|x.example> <https://x.example/a|Plan>', 'https://x.example Plan (https://x.example/a)'],
    ['<not a reference> <', '<not a reference> <'],
  ])('reads %s', (mrkdwn, expected) => {
    expect(read({ text: mrkdwn }).text).toBe(expected);
  });

  it('reads the text of blocks where there is no other', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Title' } },
      { type: 'section', text: { type: 'mrkdwn', text: 'One &amp; <@U2>' }, fields: [{ type: 'mrkdwn', text: 'two' }] },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'three' }, { type: 'image' }] },
      { type: 'divider' },
      { type: 'markdown', text: '# four' },
    ];

    expect(read({ blocks }).text).toBe('Title\nOne & @U2\ntwo\nthree\n# four');
  });
});

describe('readMessage, web search', () => {
  it.each([
    ['<@U0BOT> /assistant-web-off who won?', 'who won?'],
    ['<@U0BOT>/assistant-web-off who won?', 'who won?'],
    ['!web-off who won?', 'who won?'],
    ['!ohne-web wer gewinnt?', 'wer gewinnt?'],
    ['wer gewinnt? (!OHNE-WEB)', 'wer gewinnt? ()'],
    ['who won? !Assistant-Web-Off', 'who won?'],
    ['who won !WEB-OFF?', 'who won?'],
    ['please !web-off, who won', 'please who won'],
    ['(!web-off) who won', '() who won'],
    ['who *!web-off* won', 'who ** won'],
    ['!web-off: who won', 'who won'],
    ['one\n!web-off\ntwo', 'one\n\ntwo'],
    ['!web-off /assistant-web-off who', 'who'],
    ['&gt; !web-off who', '> who'],
    ['<@U0BOT> !web-off', ''],
    ['!web-off?', ''],
  ])('goes off by %s', (mrkdwn, expected) => {
    expect(read({ text: mrkdwn })).toMatchObject({ webSearch: false, text: expected });
  });

  it.each([
    'what does `!web-off` do',
    'what does ```\n!web-off\n``` do',
    'https://x.example/!web-off',
    '<https://x.example/a|!web-off>',
    'see docs/assistant-web-off',
    'no!web-off',
    '!web-offline',
    '!web-off-limits',
    '/assistant-web-off.txt',
    '!web',
    '?',
  ])('stays on for %s', (mrkdwn) => {
    expect(read({ text: mrkdwn }).webSearch).toBe(true);
  });

  it('stays on for the words in code of rich text, and keeps them', () => {
    const spoken = [text(' and `'), text('!web-off', { bold: true }), text('`')];

    expect(readSection(text('!web-off', { code: true }), ...spoken)).toMatchObject({
      ...{ webSearch: true, text: '`!web-off` and `!web-off`' },
    });
  });

  it('goes off by words of which a part is bold', () => {
    expect(readSection(text('!web'), text('-off', { bold: true }), text(' who')).webSearch).toBe(false);
  });
});

describe('readMessage, links', () => {
  it('are in order, each once, without fragments and with queries', () => {
    const reading = readSection(
      link('https://a.example/x?e=1#top'),
      text(' https://b.example/y, '),
      link('https://a.example/x?e=1'),
      link('mailto:a@b.example', 'a@b.example'),
    );

    expect(reading).toMatchObject({ links: ['https://a.example/x?e=1', 'https://b.example/y'], unusable: [] });
  });

  it('are those of lists, quotes and other blocks, and none of code', () => {
    const [one, two, three] = [1, 2, 3].map((number) => link(`https://a.example/${number}`));
    const reading = read({
      blocks: [
        ...toBlocks(list('bullet', 0, one ?? {}), quote(two ?? {}), preformatted(three ?? {})),
        { type: 'section', text: { type: 'mrkdwn', text: '<https://a.example/4|four>' } },
        { type: 'markdown', text: '[five](https://a.example/5)' },
      ],
    });

    expect(reading.links).toEqual([1, 2, 4, 5].map((number) => `https://a.example/${number}`));
    expect(reading.text).not.toContain('five');
  });

  it.each([
    ['http://a.example/x.docx?secret=1', 'http://a.example/x.docx', 'not_https'],
    ['https://acme.slack.com/archives/C1/p1'],
    ['https://acme.slack.com/files/U1/F1/plan.docx', 'acme.slack.com/files/U1/F1/plan.docx', 'upload'],
    ['https://files.slack.com/files-pri/T1-F1/a.png', 'files.slack.com/files-pri/T1-F1/a.png', 'upload'],
    ['https://user:secret@a.example/x'],
    [`https://a.example/${'x'.repeat(2048)}`],
    ['https://'],
    ['ftp://a.example/x'],
  ])('are not passed on: %s', (url, name?: string, reason?: string) => {
    expect(readSection(link(url))).toMatchObject({ links: [], unusable: name ? [{ name, reason }] : [] });
  });

  it('are passed on from a look-alike host of Slack', () => {
    expect(readSection(link('https://notslack.com/files/x')).links).toEqual(['https://notslack.com/files/x']);
  });
});

describe('readMessage, files', () => {
  const url = 'https://files.slack.com/files-pri/T1-F1/a';
  const external = { mode: 'external', is_external: true };
  const upload = (name: string) => ({ unusable: [{ name, reason: 'upload' }] });

  it.each<[object, { links?: string[]; unusable?: object[]; uploads?: object[] }]>([
    [{ ...external, url_private: 'https://a.example/x y.docx' }, { links: ['https://a.example/x%20y.docx'] }],
    [{ ...external, url_private: url, external_url: 'https://a.example/z' }, { links: ['https://a.example/z'] }],
    [
      { ...external, url_private: 'http://a.example/plain.docx' },
      { unusable: [{ name: 'http://a.example/plain.docx', reason: 'not_https' }] },
    ],
    [{ ...external, name: 'lost' }, upload('lost')],
    [{ mode: 'hosted', name: 'a.png', url_private: url }, upload('a.png')],
    [{ mode: 'snippet', title: 'Notes' }, upload('Notes')],
    [{ mode: 'tombstone', name: 'gone.txt' }, {}],
    [{ mode: 'hidden_by_limit', name: 'hidden' }, {}],
    [{ name: 'a.pdf', filetype: 'pdf', mode: 'hosted', url_private: url }, upload('a.pdf')],
    [
      { name: 'a.TXT', mode: 'hosted', url_private: url, size: 3 },
      { ...upload('a.TXT'), uploads: [{ id: 'F1', name: 'a.TXT', url, size: 3 }] },
    ],
    [
      { name: 'a', filetype: 'markdown', mode: 'hosted', url_private: url },
      { ...upload('a'), uploads: [{ id: 'F1', name: 'a', url }] },
    ],
    [
      { name: 'a.py', mode: 'snippet', url_private: url },
      { ...upload('a.py'), uploads: [{ id: 'F1', name: 'a.py', url }] },
    ],
    [{ file_access: 'check_file_info' }, { ...upload('a file'), uploads: [{ id: 'F1', name: 'a file' }] }],
    [{ ...external, name: 'a.txt', url_private: 'https://a.example/a.txt' }, { links: ['https://a.example/a.txt'] }],
    [{ name: 7, mode: null, url_private: {} }, upload('a file')],
  ])('%j is a link, text to be read, or named with the reason: %j', (file, expected) => {
    const { links, unusable, uploads } = read({ text: 'x', files: [{ id: 'F1', ...file }] });

    expect({ links, unusable, uploads }).toEqual({ links: [], unusable: [], uploads: [], ...expected });
  });

  it('are also those named by item id, and only those', () => {
    const reading = read({
      text: 'sum up file:01NKDM7HMOJTVYMD, not file:report.docx, profile:1234567890 or `file:01NKDM7HMO`',
    });

    expect(reading.unusable).toEqual([{ name: '01NKDM7HMOJTVYMD', reason: 'item_id' }]);
    expect(reading.text).toContain('file:01NKDM7HMOJTVYMD');
  });
});

describe('readMessage, whatever arrives', () => {
  it.each([undefined, null, 'text', 7, [], { text: 7, blocks: 'x', files: [null, 1], attachments: {} }])(
    'reads %j as nothing said',
    (message) => {
      expect(read(message).text).toBe('');
    },
  );

  it('reads any blocks without an error', () => {
    const types = [
      ...['rich_text', 'rich_text_section', 'rich_text_list', 'text', 'link'],
      ...['table', 'section', 'user', 'date'],
    ];
    const { element } = fc.letrec<{ element: unknown }>((tie) => ({
      element: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(undefined, null, true, 7, 'text', [], [null], {}, { text: [] }),
        fc.record({
          type: fc.constantFrom(...types),
          elements: fc.array(tie('element'), { maxLength: 3 }),
          rows: fc.array(fc.array(tie('element'), { maxLength: 2 }), { maxLength: 2 }),
          text: fc.oneof(fc.string(), tie('element')),
          url: fc.constantFrom('https://a.example/x', 'http://a.example', 'javascript:x', 'https://', ''),
          timestamp: fc.constantFrom<unknown>(undefined, null, 'x', 0, 1e300, Number.NaN),
        }),
      ),
    }));

    fc.assert(
      fc.property(fc.array(element), (blocks) => {
        const reading = read({ blocks, text: '', files: blocks, attachments: blocks });

        expect(reading.links.every((address) => address.startsWith('https://'))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ...['<', '<<!', '`', '```', 'https://', '!web-off ', '<@U0BOT> ', '!web-off,', '[', '\t '],
    '<https://a.example|',
  ])('gets through 100,000 characters of %j', (part) => {
    const long = part.repeat(Math.ceil(100_000 / part.length));

    expect(read({ text: long }).text.length).toBeLessThanOrEqual(long.length);
    expect(() => readSection(text(long))).not.toThrow();
  });
});

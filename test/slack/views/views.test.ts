// What the catalogue does not see: words and cuts of what is shown.
import type { KnownBlock, SectionBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/conversation/turn.ts';
import { toComparable } from '../../../src/governance/inventory/inventory.ts';
import { english } from '../../../src/languages/english.ts';
import { buildAskAboutModal } from '../../../src/slack/listeners/ask-about.ts';
import { countCharacters } from '../../../src/slack/text-out/message-budget.ts';
import { escapeMrkdwn } from '../../../src/slack/text-out/neutralise.ts';
import { buildNotes, buildSources, toPlainEnd } from '../../../src/slack/views/answer-end.ts';
import { buildSharedMessages } from '../../../src/slack/views/answer-message.ts';
import { fitBlocks, shortenLines, toMrkdwnLine, toMrkdwnName } from '../../../src/slack/views/content.ts';
import { buildDetailsWindow } from '../../../src/slack/views/details-window.ts';
import { buildExport } from '../../../src/slack/views/my-data.ts';
import { buildRoot, readShownQuestion } from '../../../src/slack/views/notice-message.ts';
import { anOutcome, aQuestion, aTurn } from '../../conversation/a-question.ts';

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const textOf = (block: KnownBlock | undefined) => (block?.type === 'section' ? (block.text?.text ?? '') : '');

describe('fitBlocks', () => {
  it('leaves what fits as it is', () => {
    const blocks = [section('a\nb'), section('x'.repeat(2_900))];

    expect(fitBlocks(blocks)).toEqual(blocks);
  });

  it('shortens the longest texts alone, by lines, and says by how many', () => {
    const long = section(`first\n${'a line of a long text\n'.repeat(130)}last`);

    const fitted = fitBlocks([section('short\nand whole'), ...Array<KnownBlock>(6).fill(long)]);

    expect(textOf(fitted[0])).toBe('short\nand whole');
    expect(new Set(fitted.slice(1).map(textOf)).size).toBe(1);
    expect(textOf(fitted[1])).toMatch(/^first\na line of a long text\n[\s\S]*text\n_… and \d+ more lines_$/);
    const [, more] = /and (\d+) more/.exec(textOf(fitted[1])) ?? [];
    expect(textOf(fitted[1]).split('\n').length - 1 + Number(more)).toBe(132);
  });
});

it('shortenLines cuts a single line in the middle, within no entity and no mention', () => {
  const line = `<@U1ABCDEF> ${'&lt;'.repeat(100)} <@U2ABCDEF>: not tried`;

  for (let most = 80; most < 400; most += 1) {
    const shown = shortenLines(line, most);

    expect(shown.replace(/&lt;|<@U\dABCDEF>/g, '')).not.toMatch(/[&<>;]|lt|U\d/);
    expect(shown.endsWith(': not tried')).toBe(true);
  }
});

it('the window of a question about a message quotes each line of it, and mentions nobody', () => {
  const { blocks } = buildAskAboutModal({ channel: 'C1', ts: '1.1', threadTs: '1.1' }, 'Hi <!here>\n& all', english);

  expect(textOf(blocks[0] as KnownBlock)).toBe('> Hi &lt;!here&gt;\n> &amp; all');
});

describe('a name in mrkdwn', () => {
  it.each([
    [':white_check_mark: *Verified*', ':\u2060white_check_mark: \u2217Verified\u2217'],
    ['`code` ~gone~ _it_', '\u02cbcode\u02cb \u223cgone\u223c \u02cdit\u02cd'],
    ['sales_bot_2', 'sales_bot_2'],
    ['Q&A: <all>', 'Q&amp;A: &lt;all&gt;'],
    ['At 10:30', 'At 10:30'],
  ])('of %j formats nothing', (name, shown) => {
    expect(toMrkdwnName(name, 100)).toBe(shown);
  });

  it('is the same name for who searches with a copy of it', () => {
    const name = fc.string({ unit: fc.constantFrom('*', '_', '~', '`', ':', 'a', ' '), maxLength: 40 });
    fc.assert(
      fc.property(name, (typed) => {
        expect(toComparable(toMrkdwnName(typed, 100))).toBe(toComparable(typed));
      }),
    );
  });

  it('is not how an id is shown: that is copied elsewhere', () => {
    expect(toMrkdwnLine('_id_*1*', 100)).toBe('_id_*1*');
  });
});

describe('the notes below an answer', () => {
  it('say all that one has to know to understand it', () => {
    const answer = anOutcome({
      again: { question: 'and?', isFollowed: true },
      partial: true,
      contextLost: true,
      sensitivity: 'Secret',
      webSearch: false,
      files: { used: ['https://a.example/plan.docx'], unusable: [{ name: 'photo.png', reason: 'upload' }] },
      quoted: { cut: 2, isUnread: true, isOff: true, isTooLong: true, isToldAgain: true, refused: ['app', 'gone'] },
      askerName: 'Ana',
    });

    const notes = buildNotes(answer, english);

    for (const [line, words] of [
      ['Asked again: “and?”'],
      ['The connection broke before the end.'],
      ['it may not know what was said here before'],
      ['Sensitivity: Secret'],
      ['Web search was off for this answer.'],
      ['given to the assistant: a.example/plan.docx.'],
      ['Not used: photo.png (uploaded to Slack'],
      [
        'the messages of this thread again',
        'too long for the assistant',
        'not passed on here',
        'could not read the whole',
        '2 messages',
        'I am not in that channel; I could not read it',
      ],
      ['from what Ana has access to'],
    ].entries()) {
      for (const word of words) expect(notes[line]).toContain(word);
    }
  });

  it('are only who made it, where there is nothing else to know', () => {
    expect(buildNotes(anOutcome(), english)).toEqual([expect.stringContaining('from what you have access to')]);
  });
});

it.each([
  [20, undefined],
  [24, 'and 4 more'],
])('the sources below an answer are all of %i, or say how many more there are: %s', (count, more) => {
  const sources = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    title: `Source ${index + 1}`,
    url: `https://a.example/${'x'.repeat(1_300)}`,
  }));

  const shown = buildSources(sources, english).flatMap((block) => textOf(block as KnownBlock).split('\n'));
  const plain = toPlainEnd(anOutcome({ sources }), english).split('\n\n')[0]?.split('\n') ?? [];

  for (const lines of [shown, plain]) {
    expect(lines[20]).toContain('Source 20');
    expect(lines[21]).toBe(more);
  }
});

const ZONES = { profileZone: 'Europe/Berlin', defaultZone: 'UTC' };

function show(turn: Partial<Turn>, { blocks, ...zones }: { blocks?: object[] } & Record<string, unknown> = {}) {
  const view = buildDetailsWindow(aTurn(turn), { blocks }, { ...ZONES, ...zones }, english);
  return view.blocks.map((block) => (block as SectionBlock).text?.text);
}

describe('the details of an answer', () => {
  it('say all that is known', () => {
    const turn: Partial<Turn> = {
      stage: 'done',
      acceptedAt: Date.UTC(2026, 10, 22, 13, 5),
      decidedAt: Date.UTC(2026, 10, 22, 13, 6, 5),
      details: {
        timeZone: 'Europe/Berlin',
        quotes: { messages: 7, cut: 3 },
        permalinks: { used: 1, refused: 2 },
        textFiles: 2,
        requestId: 'r-1',
      },
    };
    const elements = ['Not used: a (uploaded).', 'Written by AI.'].map((text) => ({ type: 'mrkdwn', text }));

    expect(show(turn, { blocks: [{ type: 'context', block_id: 'answer_notes', elements }] })).toEqual([
      '*Asked*\n22 Nov 2026, 14:05',
      '*Time until the answer*\n1 minute, 5 seconds',
      '*Web search*\nOn',
      '*Time zone sent along*\nEurope/Berlin, from your Slack profile',
      '*Earlier messages of the thread*\nSent along: 7. Left out or shortened: 3.',
      '*Linked messages*\nSent along: 1. Not sent along: 2.',
      '*Text files*\nSent along as text: 2.',
      '*Files and notes*\nNot used: a (uploaded).',
      '*For support*\n`message:T1:C1:100.1`\n`r-1`',
    ]);
  });

  it.each([
    [{ profileZone: undefined, defaultZone: 'Europe/Berlin' }, /^Europe\/Berlin, the default here/m],
    [{ profileZone: 'Asia/Tokyo' }, /^Europe\/Berlin$/m],
  ])('say where the time zone came from as far as that is known: %o', (zones, words) => {
    expect(show({ details: { timeZone: 'Europe/Berlin' } }, zones).join('\n')).toMatch(words);
  });

  it('say that web search was off where a rule turned it off', () => {
    expect(show({ details: { timeZone: 'UTC', isWebOffByRule: true } })).toContain('*Web search*\nOff');
  });
});

const TURN = aTurn({ question: aQuestion({ asker: { team: 'T1', user: 'U1' } }) });

/** Of a message of ours, as Slack gives it back. */
const SECTION = { type: 'rich_text_section', elements: [{ type: 'link', url: 'https://a.example', text: 'here' }] };
const CODE = { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let x;' }] };
const RICH = { type: 'rich_text', elements: [SECTION, CODE] };

// That Slack takes what is divided: see ../catalogue/answer-kinds.ts.
describe('an answer that is shared', () => {
  it('says whose it is once, however it is divided', () => {
    const contents = buildSharedMessages(TURN, [{ text: 'an answer', blocks: Array(50).fill(RICH) }]);

    const labelled = contents.map(({ blocks }) => JSON.stringify(blocks).includes('<@U1> shares an answer'));
    expect(labelled).toEqual([true, false]);
  });

  it('is divided smaller, and then shown in plain words, where Slack refuses it', () => {
    const messages = [{ text: 'an answer', blocks: Array(50).fill(RICH) }];
    const [plain] = buildSharedMessages({ ...TURN, form: 'plain' }, [{ text: 'an answer', blocks: [RICH] }]);

    expect(buildSharedMessages({ ...TURN, form: 'small' }, messages).length).toBeGreaterThan(2);
    expect(plain?.blocks[1]).toMatchObject({ type: 'section', text: { type: 'plain_text', text: 'here\nlet x;' } });
  });
});

it('a long question is shown in sections that end in no emoji and no entity, and is read back as it was', () => {
  for (const before of Array(12).keys()) {
    const text = `${'a'.repeat(2_888 + before)}😀&😀<😀 and so on`;

    const { blocks } = buildRoot(aQuestion({ text }), english);

    const sections = JSON.parse(JSON.stringify(blocks)).slice(1) as { text: { text: string } }[];
    const shown = sections.map((section) => section.text.text);
    expect(shown.map((one) => one.isWellFormed() && !/&[a-z]*$/.test(one))).toEqual([true, true]);
    expect(readShownQuestion(blocks)?.text).toBe(escapeMrkdwn(text));
  }
});

it('an export of any length comes whole, in messages that fit', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `{"n":${index},"text":"${'<&>'.repeat(index % 50)}"}`);
  const json = [...lines, 'x'.repeat(30_000)].join('\n');

  const messages = buildExport(json, english);

  const codes = messages.map(({ blocks }) => JSON.parse(JSON.stringify(blocks[1])).elements[0].elements[0].text);
  expect(codes.join('\n').replace(/\n(?=x)/g, '')).toBe(json.replace(/\n(?=x)/, ''));
  expect(Math.max(...codes.map(countCharacters))).toBeLessThanOrEqual(10_100);
  expect(messages.map(({ text }) => text)[1]).toBe(`Your data, as JSON, part 2 of ${messages.length}:`);
});

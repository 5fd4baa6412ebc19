import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toComparable } from '../../../src/governance/inventory/inventory.ts';
import { english } from '../../../src/languages/english.ts';
import { buildAskAboutModal } from '../../../src/slack/listeners/ask-about.ts';
import { buildNotes, buildSources, toPlainEnd } from '../../../src/slack/views/answer-end.ts';
import { fitBlocks, shortenLines, toMrkdwnLine, toMrkdwnName } from '../../../src/slack/views/content.ts';
import { anOutcome } from '../../conversation/a-question.ts';

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

describe('shortenLines', () => {
  it('cuts a single line in the middle, within no entity and no mention', () => {
    const line = `<@U1ABCDEF> ${'&lt;'.repeat(100)} <@U2ABCDEF>: not tried`;

    for (let most = 80; most < 400; most += 1) {
      const shown = shortenLines(line, most);

      expect(shown.replace(/&lt;|<@U\dABCDEF>/g, '')).not.toMatch(/[&<>;]|lt|U\d/);
      expect(shown.endsWith(': not tried')).toBe(true);
    }
  });
});

describe('the window of a question about a message', () => {
  it('quotes each line of it, and mentions nobody', () => {
    const { blocks } = buildAskAboutModal({ channel: 'C1', ts: '1.1', threadTs: '1.1' }, 'Hi <!here>\n& all', english);

    expect(textOf(blocks[0] as KnownBlock)).toBe('> Hi &lt;!here&gt;\n> &amp; all');
  });
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

describe('the sources below an answer', () => {
  it.each([
    [20, undefined],
    [24, 'and 4 more'],
  ])('are all of %i, or say how many more there are: %s', (count, more) => {
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
});

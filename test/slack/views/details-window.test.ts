import type { SectionBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/conversation/turn.ts';
import { textsOf } from '../../../src/languages/texts.ts';
import { buildDetailsWindow } from '../../../src/slack/views/details-window.ts';
import { buildFeedbackMessage } from '../../../src/slack/views/feedback-window.ts';
import { aTurn } from '../../conversation/a-question.ts';

const ZONES = { profileZone: 'Europe/Berlin', defaultZone: 'UTC' };
const FULL: Partial<Turn> = {
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

const DISCLAIMER = { type: 'mrkdwn', text: 'Written by AI.' };

const notes = (id: string | undefined, ...texts: string[]) => ({
  type: 'context',
  ...(id !== undefined && { block_id: id }),
  elements: [...texts.map((text) => ({ type: 'mrkdwn', text })), DISCLAIMER],
});

function show(
  turn: Partial<Turn>,
  blocks: unknown,
  language: 'en' | 'de' = 'en',
  zones: typeof ZONES | object = ZONES,
) {
  const view = buildDetailsWindow(aTurn(turn), { blocks }, { ...ZONES, ...zones }, textsOf(language));
  return view.blocks.map((block) => (block as SectionBlock).text?.text);
}

describe('the details of an answer', () => {
  it('say all that is known', () => {
    expect(show(FULL, [notes('answer_notes', 'Not used: a (uploaded).')])).toEqual([
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

  it('say that web search was off where a rule turned it off', () => {
    const details = { timeZone: 'Europe/Berlin', isWebOffByRule: true };

    expect(show({ ...FULL, details }, [notes('answer_notes')])).toContain('*Web search*\nOff');
  });

  it('say it in German', () => {
    expect(show(FULL, [notes('answer_notes')], 'de').slice(0, 4)).toEqual([
      '*Gefragt*\n22. Nov. 2026, 14:05',
      '*Zeit bis zur Antwort*\n1 Minute, 5 Sekunden',
      '*Websuche*\nEin',
      '*Mitgesendete Zeitzone*\nEurope/Berlin, aus Ihrem Slack-Profil',
    ]);
  });

  it.each([
    [{ profileZone: undefined, defaultZone: 'Europe/Berlin' }, /the default here/],
    [{ profileZone: 'Asia/Tokyo' }, /^\*Time zone sent along\*\nEurope\/Berlin$/],
  ])('say where the time zone came from as far as that is known: %o', (zones, words) => {
    expect(show(FULL, [], 'en', zones)[3]).toMatch(words);
  });

  it.each([undefined, 'x', [], [null], [{ type: 'context' }], [{ type: 'context', elements: [null, {}] }]])(
    'are shown whatever the message looks like: %o',
    (blocks) => {
      expect(show(FULL, blocks).at(-1)).toContain('*For support*');
    },
  );
});

describe('the message about feedback', () => {
  it('holds an answer of any length', () => {
    const said = { question: 'q'.repeat(9_000), answer: '<&>\n'.repeat(9_000) };
    const feedback = {
      turnId: aTurn().id,
      verdict: 'bad' as const,
      reasons: [],
      comment: 'c'.repeat(1_000),
      withText: true,
    };

    const { blocks } = buildFeedbackMessage(feedback, said, 'r-1');

    expect(blocks.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(blocks).length).toBeLessThan(14_000);
  });
});

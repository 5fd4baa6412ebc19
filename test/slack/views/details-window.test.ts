import type { SectionBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/conversation/turn.ts';
import { english } from '../../../src/languages/english.ts';
import { buildDetailsWindow } from '../../../src/slack/views/details-window.ts';
import { aTurn } from '../../conversation/a-question.ts';

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

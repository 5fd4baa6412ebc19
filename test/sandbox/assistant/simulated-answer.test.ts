import { describe, expect, it } from 'vitest';
import type { Answer, Question } from './conversation.ts';
import { createSimulatedAnswer } from './simulated-answer.ts';

/** 26 November 2026, a Thursday: 04:30 in Tokyo on the 27th. */
const NOW = Date.parse('2026-11-26T19:30:00Z');
const ask = createSimulatedAnswer(() => NOW);

function reply(text: string, parts: Partial<Question> = {}): Answer {
  const question: Question = {
    subject: 'ana',
    name: 'Ana Alvarez',
    conversation: 'c1',
    text,
    timeZone: 'Europe/Berlin',
    isWebEnabled: true,
    files: [],
    turn: 1,
    earlier: [],
    ...parts,
  };
  return ask(question) as Answer;
}

describe('the simulated assistant', () => {
  it('counts days in the time zone of the person who asks', () => {
    expect(reply('What day is tomorrow?').text).toContain('tomorrow is Friday the 27th');
    expect(reply('What day is tomorrow?', { timeZone: 'Asia/Tokyo' }).text).toContain('tomorrow is Saturday the 28th');
    expect(reply('What day is tomorrow?', { timeZone: undefined }).text).toContain('UTC, as no time zone was given');
  });

  it.each([
    ['Send it to everybody', 'I cannot do that'],
    ['What is left of the budget?', '| Travel | 15,000 | 14,100 | 900 |'],
    ['Some code to group orders?', '```ts\n'],
    ['Compare the two vendors', 'Option B'],
    ['Give me a checklist', '1. Agree on the scope (by Saturday).'],
    ['When is the next meeting?', 'Friday, 27 November at 10:00'],
    ['How much vacation do I have?', '30 days a year'],
    ['Draft an announcement', '> Ana Alvarez'],
    ['What time is it?', 'It is 20:30 on Thursday'],
    ['Who owns the launch?', '**Ben Brandt** owns it'],
    ['hello', 'Ask me about dates'],
    ['And the moon?', 'about **And the moon**'],
  ])('answers “%s”', (question, words) => {
    expect(reply(question).text).toContain(words);
  });

  it('writes at length where that is asked for', () => {
    expect(reply('A long report, please').text.match(/^## /gm)).toHaveLength(6);
  });

  it('says what the answer rests on, and cites it', () => {
    const uri = 'https://acme.sharepoint.example/sites/launch/plan%20B.docx';
    const on = reply('What is new?', { files: [uri] });
    const off = reply('What is new?', { isWebEnabled: false });

    expect(on.text).toContain('Team notes; web search on; the file *plan B.docx*; Europe/Berlin');
    expect(on.text).toContain('[^1^][^2^][^3^]');
    expect(on.attributions?.map((one) => one.seeMoreWebUrl)).toContain(uri);
    expect(off.text).toContain('Team notes; web search off; Europe/Berlin');
    expect(off.attributions?.map((one) => one.providerDisplayName)).toEqual(['Team notes']);
  });

  it('cites nothing where nothing was looked up', () => {
    expect(reply('What day is tomorrow?').attributions).toEqual([]);
  });

  it('sums up what was quoted, and does not take it for the question', () => {
    const text =
      '[Quotes]\n“Ben” wrote:\n> The budget is fine.\n> Really.\n“Kim” wrote:\n> Good.\n[End. My question:]\nSummarise this';
    const told = reply(text).text;

    expect(told).toContain('- “The budget is fine.\nReally.”\n- “Good.”');
    expect(told).toContain('2 messages quoted from Slack');
    expect(reply('Summarise this').text).toContain('nothing here that I could sum up');
  });

  it('counts turns, and says each time that it is a simulation', () => {
    const told = reply('And now?', { turn: 3, earlier: ['First', 'What is new?'] }).text;

    expect(told).toContain('turn 3 of our conversation; before it you asked “What is new?”');
    expect(told).toContain('I am a simulation');
  });
});

import { describe, expect, it } from 'vitest';
import type { Answer, Question } from './conversation.ts';
import { createSimulatedAnswer } from './simulated-answer.ts';
import { DOCUMENTS } from './simulated-documents.ts';

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

function sourcesOf({ attributions = [] }: Answer): string[] {
  return attributions.map(({ providerDisplayName }) => providerDisplayName);
}

describe('the simulated assistant', () => {
  it.each([
    'When is the launch?',
    'What is new?',
    'Which documents did my team change this week?',
    'What about trips?',
  ])('leaves out of “%s” what only others may read', (question) => {
    const [ana, ben] = ['ana', 'ben'].map((subject) => reply(question, { subject }));

    expect(sourcesOf(ana as Answer)).toContain('Launch budget.xlsx');
    expect(sourcesOf(ben as Answer).length).toBeGreaterThan(0);
    expect(JSON.stringify(ben)).not.toMatch(/Launch budget|900|51,750/);
  });

  it('counts days in the time zone of the person who asks', () => {
    expect(reply('What day is tomorrow?').text).toContain('tomorrow is Friday, 27 November 2026');
    expect(reply('What day is tomorrow?', { timeZone: 'Asia/Tokyo' }).text).toContain('tomorrow is Saturday, 28');
    expect(reply('And the day after?').text).toBe('The day after tomorrow is Saturday, 28 November 2026.');
  });

  it.each([
    ['Send it to everybody', 'I cannot do that'],
    ['Some code to group orders?', '```ts\n'],
    ['Compare the two vendors', 'Option B'],
    ['Give me a checklist', '1. Agree on the scope (by Saturday).'],
    ['When is the next meeting?', 'On Friday, 27 November 2026 you have:'],
    ['What is in my calendar today, and what should I prepare for it?', 'On Thursday, 26 November 2026 you have:'],
    ['Summarise the most important messages I got since yesterday.', 'asks for your slides'],
    ['How much vacation do I have?', '30 days a year'],
    ['Draft an announcement', '> Ana Alvarez'],
    ['What time is it?', 'It is 20:30 on Thursday'],
    ['Who owns the launch?', '**Ben Brandt** owns the launch'],
    ['hello', 'Ask me about the launch'],
  ])('answers “%s”', (question, words) => {
    expect(reply(question).text).toContain(words);
  });

  it('says that it does not know, and what can be asked', () => {
    const told = reply('What about the moon?');

    expect(told.text).toContain('I do not know: I found nothing about “What about the moon”');
    expect(told.text).toContain('Ask me about the launch');
    expect(told.attributions).toEqual([]);
  });

  it('takes a question that only goes on for the one before it', () => {
    const inThread =
      '[Quotes]\n“Ana” wrote:\n> What is left of the budget?\nYou, the assistant, wrote:\n> Travel\n[My question:]\n';

    expect(reply('And for me?', { earlier: ['When is the launch?'] }).text).toContain('The launch is planned for');
    expect(reply(`${inThread}and for me?`, { subject: 'ben' }).text).toContain('I found no figures');
    expect(reply('And for me?').text).toContain('I do not know');
  });

  it('does not know what is in any other file, and opens none that the account may not read', () => {
    const other = reply('What does it say?', { files: ['https://acme.sharepoint.example/sites/x/plan%20B.docx'] });
    const closed = reply('What does it say?', { files: [DOCUMENTS.budget.url], subject: 'ben' });
    const odd = reply('What does it say?', { files: ['https://acme.sharepoint.example/sites/x/100%.docx'] });

    expect(other.text).toBe(
      'I do not know *plan B.docx*, so I cannot say what is in it. What I can read is *Launch plan.docx*, *Launch budget.xlsx* and *Travel policy.pdf*.',
    );
    expect(odd.text).toContain('I do not know *100%.docx*');
    expect(closed).toEqual({ text: 'I cannot open *Launch budget.xlsx* with your access.', attributions: [] });
    expect(reply('What does Launch budget.xlsx say?', { subject: 'ben' }).text).toContain('I found no figures');
  });

  it('reads the web only where it is on', () => {
    expect(sourcesOf(reply('When is the launch?'))).toContain('Public overview');
    expect(sourcesOf(reply('When is the launch?', { isWebEnabled: false }))).not.toContain('Public overview');
  });

  it('writes at length where that is asked for', () => {
    expect(reply('A long report, please').text.match(/^## /gm)).toHaveLength(5);
  });

  it('sums up what was quoted, and does not take it for the question', () => {
    const text =
      '[Quotes]\n“Ben” wrote:\n> The budget is fine.\n> Really.\n“Kim” wrote:\n> Good.\n[End. My question:]\nSummarise this';

    expect(reply(text).text).toBe('In short:\n\n- “The budget is fine.\nReally.”\n- “Good.”');
    expect(reply('Summarise this').text).toContain('nothing here that I could sum up');
  });
});

import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/conversation/outcome.ts';
import { composeReply, composeWaiting } from '../../src/slack/compose-reply.ts';
import { anOutcome, aQuestion, aTurn } from '../conversation/a-question.ts';

const ANSWER = anOutcome({ privateChannel: 'D1', privateBecause: 'guests' });

/** What a turn of Ana's shows, as one text. */
async function show(language: 'en' | 'de' | undefined, outcome?: Outcome): Promise<string> {
  const question = aQuestion({ messageTs: undefined, webSearch: false });
  const turn = aTurn({ question, ...(outcome && { outcome }), ...(language && { language }) });
  return JSON.stringify([await composeReply(turn), composeWaiting(turn)]);
}

describe('the reply to somebody', () => {
  it.each([
    [undefined, '<@UANA> asked, with web search off:', 'guests can read this channel', 'Cancel the question'],
    ['en', '<@UANA> asked, with web search off:', 'guests can read this channel', 'Cancel the question'],
    ['de', '<@UANA> hat ohne Websuche gefragt:', 'weil Gäste diesen Channel lesen können', 'Frage zurückziehen'],
  ] as const)(
    'who reads %s shows all of the channel that language: root, stub and wait',
    async (language, ...words) => {
      const shown = await show(language, ANSWER);

      for (const word of words) expect(shown).toContain(word);
    },
  );

  it.each([
    ['en', { askerName: 'Ana <!channel> *A*' }, 'from what Ana &lt;!channel&gt; ∗A∗ has access to'],
    ['de', { askerName: 'Ana Alvarez' }, 'auf die Ana Alvarez Zugriff hat'],
    ['en', {}, 'from what you have access to'],
    ['de', {}, 'auf die Sie Zugriff haben'],
  ] as const)('says in %s whose access it comes from: %j', async (language, named, words) => {
    expect(await show(language, { ...ANSWER, ...named })).toContain(words);
  });

  it('quotes a question that is asked again in 80 characters at most, also in plain text', async () => {
    const again = { question: 'word '.repeat(100), isFollowed: true };
    const turn = aTurn({ outcome: { ...ANSWER, privateChannel: undefined, again } });

    const shown = [await composeReply(turn), await composeReply({ ...turn, form: 'plain' })].map((one) =>
      JSON.stringify(one),
    );

    for (const one of shown) expect(/Asked again: “([^”]*)”/.exec(one)?.[1]).toMatch(/^(word )+(w|wo|wor|word)?…$/);
    for (const one of shown) expect(/Asked again: “([^”]*)”/.exec(one)?.[1]?.length).toBeLessThanOrEqual(80);
  });

  it.each([
    [{ kind: 'shared', messages: [{ text: 'x', blocks: [{ type: 'divider' }] }] }, 'mit den eigenen Zugriffsrechten'],
    [{ kind: 'notice', code: 'busy' }, 'mit einer früheren Frage aus diesem Thread'],
    [{ kind: 'notice', code: 'rejected', detail: 'no' }, 'Der Assistent meldet: no'],
  ] as const)('who reads German: %j', async (outcome, words) => {
    expect(await show('de', outcome as unknown as Outcome)).toContain(words);
  });

  it.each([
    ['interrupted', 'ask_again'],
    ['outcome_unknown', 'ask_again'],
    ['stopped', 'ask_again'],
    ['question_lost', 'ask_again'],
    ['sign_in_expired', 'ask_again'],
    ['sign_in_lost', 'sign_in'],
    ['account_unusable', 'sign_in'],
    ['guest', undefined],
    ['help', undefined],
  ] as const)('that says %s offers %s', async (code, action) => {
    const [actions = ''] =
      /"action_id":"[^"]*"/.exec(JSON.stringify(await composeReply(aTurn({ outcome: { kind: 'notice', code } })))) ??
      [];

    expect(actions).toBe(action ? `"action_id":"${action}"` : '');
  });
});

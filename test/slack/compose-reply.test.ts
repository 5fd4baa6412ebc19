import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/conversation/outcome.ts';
import { composeReply, composeWaiting } from '../../src/slack/compose-reply.ts';
import { anOutcome, aQuestion, aTurn } from '../conversation/a-question.ts';

const ANSWER = anOutcome({ privateChannel: 'D1', privateBecause: 'guests' });
const SHARED = { kind: 'shared', messages: [{ text: 'x', blocks: [{ type: 'divider' }] }] } as unknown as Outcome;

/** Its root, what waits, and its messages, as one text. */
async function show(language: 'en' | 'de', outcome: Outcome): Promise<string> {
  const turn = aTurn({ question: aQuestion({ messageTs: undefined, webSearch: false }), outcome, language });
  return JSON.stringify([await composeReply(turn), composeWaiting(turn)]);
}

describe('the reply to somebody', () => {
  it.each<['en' | 'de', Outcome, string[]]>([
    ['en', { ...ANSWER, askerName: 'Ana <!channel> *A*' }, ['from what Ana &lt;!channel&gt; ∗A∗ has access to']],
    ['de', ANSWER, ['hat ohne Websuche gefragt:', 'weil Gäste diesen Channel lesen können', 'Frage zurückziehen']],
    ['de', SHARED, ['mit den eigenen Zugriffsrechten']],
    ['de', { kind: 'notice', code: 'rejected', detail: 'no' }, ['Der Assistent meldet: no']],
  ])('is in their language as a whole, %s: %j', async (language, outcome, words) => {
    const shown = await show(language, outcome);

    for (const word of words) expect(shown).toContain(word);
  });

  it.each([undefined, 'plain'] as const)('quotes a question that is asked again in 80 characters: %s', async (form) => {
    const again = { question: 'word '.repeat(100), isFollowed: true };
    const reply = await composeReply(aTurn({ form, outcome: anOutcome({ again }) }));

    expect(/Asked again: “([^”]*)”/.exec(JSON.stringify(reply))?.[1]).toMatch(
      /^(?=.{1,80}$)(word )+(w|wo|wor|word)?…$/,
    );
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

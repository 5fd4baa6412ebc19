// The assistant service is down for everybody: it is left in peace meanwhile, and no question is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { createPlainVerifier } from '@assistant-bridge/sandbox/loopback/token-holder.ts';
import type { SaidMessage } from '@assistant-bridge/sandbox/slack/people/speak.ts';
import { expect, it } from 'vitest';
import { addSignedInPeople, toUserId } from '../faults/signed-in-people.ts';
import { shareLiveWorld } from './live-world.ts';

const PEOPLE = ['amy', 'bob', 'cat', 'dan', 'eve', 'fay'];

const world = shareLiveWorld({
  signedIn: [],
  assistant: { verifyToken: createPlainVerifier(ASSISTANT_SCOPE), answer: ({ text }) => `The answer to ${text}` },
  prepare: (prepared) => addSignedInPeople(prepared, PEOPLE),
});

const ask = (text: string) =>
  Promise.all(
    PEOPLE.map((name) => {
      const person = world.slack.as(toUserId(name));
      return person.say(person.dm, text);
    }),
  );

/** What each question's thread shows of ours. */
const read = (questions: SaidMessage[]): string[] =>
  questions.map(({ channel, ts }, index) =>
    world.slack
      .as(toUserId(PEOPLE[index % PEOPLE.length] ?? ''))
      .sees(channel, ts)
      .filter(({ botId }) => botId)
      .map((message) => world.slack.render(message))
      .join('\n'),
  );

it('a service that is down is left in peace, every question waits with a line, and all are answered afterwards', async () => {
  world.assistant.faults.always('503', { on: 'create' });

  const questions = [...(await ask('first?')), ...(await ask('second?'))];
  await world.untilLogged('"state":"open"');
  questions.push(...(await ask('third?')));
  const requestsBefore = world.assistant.ledger.count();
  await sleep(3_000);
  const requestsMeanwhile = world.assistant.ledger.count() - requestsBefore;
  const haveLines = () => read(questions).every((text) => text.includes('Your question is kept'));
  await world.slack.until(haveLines, { what: 'a line under each question' });
  world.assistant.faults.clear();
  const haveAnswers = () => read(questions).every((text) => text.includes('The answer to'));
  await world.slack.until(haveAnswers, { what: 'all answers' });
  const hasLine = () => read(questions).some((text) => text.includes('Your question is kept'));
  await world.slack.until(() => !hasLine(), { what: 'the lines to go' });

  expect(requestsMeanwhile).toBeLessThanOrEqual(1);
  expect(world.assistant.ledger.chats()).toHaveLength(questions.length);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AssistantForbiddenError } from '../../src/assistant/assistant-errors.ts';
import type { Audience } from '../../src/conversation/question.ts';
import { TransientError } from '../../src/errors.ts';
import { anAnswer, useHarness } from './run-harness.ts';

const harness = useHarness();
let audience: Audience;
let looks: number;

beforeEach(async () => {
  audience = 'members';
  looks = 0;
  harness.ports.audience = async () => {
    looks += 1;
    return audience;
  };
  await harness.accept();
});

const shown = () => harness.shown.map(({ channel, words }) => `${channel}: ${words}`);

/** The service answers, and by then the readers are others. */
function answerWhile(text: string, then: () => void): void {
  harness.ports.assistant.ask = async () => {
    then();
    return anAnswer(text);
  };
}

/** Slack's limits let only so many messages through, until `create` is called again. */
function refuseAfter(count: number): void {
  const create = harness.reply.create.bind(harness.reply);
  let made = 0;
  harness.reply.create = async (message, key) => {
    if (made++ === count) throw new TransientError('slack_rate_limited', 'too many');
    return create(message, key);
  };
}

it('what is known by the time that the answer is there counts', async () => {
  audience = 'unknown';
  answerWhile('yes', () => {
    audience = 'members';
  });

  await harness.run();

  expect(shown()).toEqual(['C1: yes']);
});

describe('an answer that is posted in part', () => {
  it('moves to the direct message as a whole, if a guest came meanwhile', async () => {
    answerWhile('one|two|three', () => undefined);
    refuseAfter(1);
    await harness.run();
    const before = shown();

    audience = 'guests';
    harness.pass(60_000);
    await harness.run();

    expect(before).toEqual(['C1: one']);
    expect(shown()).toEqual(['D1: one', 'D1: two', 'D1: three']);
  });

  it('stays in the direct message, even if the guest has left', async () => {
    audience = 'guests';
    answerWhile('one|two', () => undefined);
    refuseAfter(1);
    await harness.run();

    audience = 'members';
    harness.pass(60_000);
    await harness.run();

    expect(shown()).toEqual(['D1: one', 'D1: two']);
  });
});

it('what the service says as it closes the conversation is not shown to guests who came meanwhile', async () => {
  harness.ports.assistant.ask = async () => {
    audience = 'guests';
    return { ...anAnswer('about your salary'), disengaged: true };
  };

  await harness.run();

  expect(harness.details()).toEqual([undefined]);
});

it.each([
  ['members', 'about your salary'],
  ['guests', undefined],
] as const)('with %s in the channel, what the service says as it refuses is %s', async (who, expected) => {
  audience = who;
  harness.ports.assistant.ask = () => Promise.reject(new AssistantForbiddenError('licence', 'about your salary', {}));

  await harness.run();

  expect(harness.details()).toEqual([expected]);
});

it('in a direct message nobody is looked at', async () => {
  await harness.accept({ audience: 'person', channel: 'D7' }, 'message:T1:D7:100.1');
  answerWhile('yes', () => undefined);

  await harness.run('message:T1:D7:100.1');

  expect([shown(), looks]).toEqual([['D7: yes'], 0]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { createSweeper, type SweepPorts } from '../../src/delivery/sweeper.ts';
import { TransientError } from '../../src/errors.ts';
import { AccountNotLinkedError } from '../../src/identity/identity-errors.ts';
import { createLog } from '../../src/log.ts';
import { composeReply } from '../../src/slack/compose-reply.ts';
import { useHarness } from './run-harness.ts';

const DAY_MS = 24 * 3_600_000;

const harness = useHarness();

beforeEach(() => {
  harness.ports.access = () => Promise.reject(new AccountNotLinkedError('never'));
});

function aSweeper(change: Partial<SweepPorts> = {}): () => Promise<number> {
  return createSweeper({
    turns: harness.store.turns,
    isLinked: async () => false,
    wake: harness.ports.wake,
    everyMs: 15_000,
    lookForLeavers: () => undefined,
    forgetOld: async () => 0,
    now: harness.ports.now,
    log: createLog('silent'),
    ...change,
  });
}

describe('a question that waits for a sign-in', () => {
  it('waits for a day from when it was asked', async () => {
    await harness.accept();
    harness.pass(5_000);
    await harness.run();

    expect(await harness.turn()).toMatchObject({ stage: 'parked', notBefore: 1_000_000 + DAY_MS });
    harness.pass(DAY_MS - 5_000 - 1);

    expect(await aSweeper()()).toBe(harness.ports.now() + 15_000);
    expect(await harness.turn()).toMatchObject({ stage: 'parked' });
    expect(harness.woken).toEqual([]);
  });

  it('is the one that prompts where the prompt of another did not get through', async () => {
    const { promptSignIn } = harness.reply;
    const second = 'message:T1:C1:200.1';
    await harness.accept();
    await harness.accept({ threadTs: '200.1', messageTs: '200.1' }, second);
    // The first is about to prompt, and Slack does not take it; the second only says that it waits as well.
    harness.reply.promptSignIn = () =>
      Promise.reject(new TransientError('slack_rate_limited', 'not now', { retryAfterMs: 1_000 }));
    await harness.run();
    harness.reply.promptSignIn = async () => ({ hasPrompted: false });
    await harness.run(second);
    harness.reply.promptSignIn = promptSignIn;
    harness.pass(1_000);
    await harness.run();

    expect(harness.told).toEqual(['sign in']);
    expect(await harness.turn()).toMatchObject({ stage: 'parked', hasPrompted: true });
    expect(await harness.turn(second)).toMatchObject({ stage: 'parked', hasPrompted: false });
  });

  it('ends after that day with a word and a way to ask again', async () => {
    await harness.accept();
    await harness.run();
    harness.pass(DAY_MS);

    await aSweeper()();
    const expired = await harness.turn();
    await harness.run();

    expect(harness.woken).toEqual(['T1:C1:100.1']);
    expect(harness.words()).toEqual(['sign_in_expired']);
    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'sign_in_expired' });
    expect(JSON.stringify(expired && (await composeReply(expired)))).toContain('"text":"Ask again"');
  });

  it('runs where its asker has signed in while it was being parked', async () => {
    await harness.accept();
    await harness.run();

    await aSweeper({ isLinked: async () => true })();

    expect(harness.woken).toEqual(['T1:C1:100.1']);
    expect(await harness.turn()).toMatchObject({ stage: 'accepted' });
  });

  it('is not ended any more once its asker has signed in', async () => {
    await harness.accept();
    await harness.run();
    harness.ports.access = async () => ({ accessToken: 'token', isPrivate: false });

    await harness.store.turns.unpark({ team: 'T1', user: 'UANA' });
    harness.pass(DAY_MS);
    await aSweeper()();
    await harness.run();

    expect(harness.words()).toEqual(['answer to What is on today?']);
  });
});

it('a sweep removes old records, but not each time', async () => {
  let count = 0;
  harness.pass(10_000_000);
  const sweep = aSweeper({ forgetOld: async () => count++ });

  await sweep();
  await sweep();

  expect(count).toBe(1);
});

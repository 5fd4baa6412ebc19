import { describe, expect, it } from 'vitest';
import {
  AssistantForbiddenError,
  AssistantStoppedError,
  AssistantThrottledError,
} from '../../src/assistant/assistant-errors.ts';
import { StoreUnavailableError, TransientError, UserError } from '../../src/errors.ts';
import { AccountNotLinkedError } from '../../src/identity/identity-errors.ts';
import { aTurn } from './a-question.ts';
import { useHarness } from './run-harness.ts';

const harness = useHarness();

/** The service answers with this error, and notes whether the thread showed that the question was worked on. */
function failWith(error: Error): { wasBusy: boolean } {
  const seen = { wasBusy: false };
  harness.ports.assistant.ask = async () => {
    seen.wasBusy = harness.busy.size > 0;
    throw error;
  };
  return seen;
}

describe('that a question is worked on', () => {
  it.each([
    ['a notice', new AssistantForbiddenError('licence', 'no licence', {}), 'done'],
    ['a wait', new AssistantThrottledError(60_000, {}), 'waiting'],
    ['a failure nobody foresaw', new RangeError('oops'), 'asking'],
  ])('is shown while it is, and not after %s', async (_, error, stage) => {
    const seen = failWith(error);
    await harness.accept();

    await harness.run();
    if (stage === 'asking') await harness.run();

    expect(seen.wasBusy).toBe(true);
    expect([...harness.busy]).toEqual([]);
  });

  it('is tried no longer than Slack shows it, an hour, and leaves a thread alone that is worked on again', async () => {
    let tries = 0;
    harness.reply.stopWorking = async () => {
      tries++;
      throw new TransientError('slack_unavailable', 'away', { retryAfterMs: 60_000 });
    };
    await harness.accept();
    await harness.run();
    const [lane = ''] = harness.woken;
    await harness.store.turns.accept(aTurn({ id: 'message:T1:C1:100.2', lane: 'T1:C1:100.1', stage: 'asking' }));
    harness.pass(60_000);
    await harness.run(lane);
    const triesMeanwhile = tries;
    await harness.store.turns.end('message:T1:C1:100.2', 'stopped');
    harness.pass(60_000);
    const minutes = await harness.runUntilDone(60_000, lane);

    expect(triesMeanwhile).toBe(1);
    expect(minutes).toBeGreaterThan(60);
    expect(minutes).toBeLessThan(75);
  });

  it('keeps nobody waiting where Slack does not take its end, and is tried once more though the clock is set forward', async () => {
    let isAway = true;
    harness.reply.stopWorking = async () => {
      if (isAway) throw new TransientError('slack_unavailable', 'away', { retryAfterMs: 1_000 });
      harness.busy.clear();
    };
    await harness.accept();
    await harness.run();
    const [lane = ''] = harness.woken;
    expect((await harness.turn())?.stage).toBe('done');
    expect(harness.words()).toEqual(['answer to What is on today?']);
    isAway = false;
    harness.pass(3_600_000);

    await harness.run(lane);

    expect([...harness.busy]).toEqual([]);
    expect(await harness.turn(lane)).toMatchObject({
      stage: 'done',
      result: 'idle',
      question: { text: '', asker: { user: '' } },
    });
  });

  it('is ended later without anything that was said: the record of that stays for a month, and is nobody’s', async () => {
    harness.reply.stopWorking = async () => {
      throw new TransientError('slack_unavailable', 'away', { retryAfterMs: 1_000 });
    };
    const uploads = [{ id: 'F1', name: 'Dismissals.txt', url: 'https://files.slack.com/F1' }];
    const unusable = [{ name: 'Dismissals.txt', reason: 'upload' as const }];
    await harness.accept({ uploads, unusable, links: ['https://files.example/1'], fingerprint: 'a digest' });

    await harness.run();

    const later = await harness.turn(harness.woken[0]);
    expect(later).toMatchObject({ endsWork: true, stage: 'waiting', question: { channel: 'C1', threadTs: '100.1' } });
    expect(JSON.stringify(later)).not.toMatch(/What is on|Dismissals|files\.|digest/);
  });

  it.each([
    ['the asker alone reads', () => Object.assign(harness.ports, { admit: async () => 'guest' })],
    [
      'cannot be posted',
      () => Object.assign(harness.reply, { create: () => Promise.reject(new UserError('cannot_post', 'archived')) }),
    ],
    [
      'to do to sign in',
      () => Object.assign(harness.ports, { access: () => Promise.reject(new AccountNotLinkedError('never')) }),
    ],
  ])('is ended before somebody is told what %s: that cannot be taken back, and is told once', async (_, prepare) => {
    prepare();
    const { accept } = harness.store.turns;
    let isAway = true;
    harness.reply.stopWorking = () => Promise.reject(new TransientError('slack_unavailable', 'away'));
    const refuse = () => Promise.reject(new StoreUnavailableError('away'));
    await harness.accept();
    harness.ports.turns = { ...harness.store.turns, accept: (turn) => (isAway ? refuse() : accept(turn)) };

    await harness.run();
    isAway = false;
    harness.pass(60_000);
    await harness.run();

    expect((await harness.turn())?.stage).toMatch(/done|parked/);
    expect(harness.told).toHaveLength(1);
  });

  it('is taken back by a run that finds that a later one has begun', async () => {
    harness.ports.assistant.ask = async () => {
      await harness.store.turns.end('message:T1:C1:100.1', 'stopped');
      throw new AssistantStoppedError();
    };
    await harness.accept();

    await harness.run();

    expect([...harness.busy]).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { AssistantStoppedError } from '../../src/assistant/assistant-errors.ts';
import { FenceLostError } from '../../src/conversation/run.ts';
import type { ReplyPart, Turn } from '../../src/conversation/turn.ts';
import { StoreUnavailableError, TransientError } from '../../src/errors.ts';
import { beginRun } from '../storage/begin-run.ts';
import { anOutcome, aTurn } from './a-question.ts';
import { skipPauses, toShownKey, useHarness } from './run-harness.ts';

const harness = useHarness();
const keyOf = (part: number, turnId = aTurn().id) => toShownKey({ turnId, part });

const PLACING: ReplyPart = { step: 'placing', channel: 'C1', placingAt: 1_000_000 - 10_000 };

/** Its one message may or may not exist. */
const IN_DOUBT: Partial<Turn> = { outcome: { kind: 'notice', code: 'empty' }, parts: [PLACING] };

describe('a crash', () => {
  /** What the thread shows: the ts, the words and the part. */
  const show = (...messages: [ts: string, words: string, key: string][]) =>
    harness.shown.push(...messages.map(([ts, words, key]) => ({ ts, channel: 'C1', words, key })));

  it.each<[string, Partial<Turn>, Parameters<typeof show>, string[]]>([
    ['between asking and the answer ends as interrupted', { stage: 'asking' }, [], ['900.1 interrupted']],
    ['after the answer was stored shows that answer', { outcome: anOutcome({ text: 'stored' }) }, [], ['900.1 stored']],
    [
      'while a message was being created adopts it if it exists',
      IN_DOUBT,
      [['900.9', 'empty', keyOf(0)]],
      ['900.9 empty'],
    ],
    [
      'while a message was being created by two runs adopts the first, and leaves no other',
      IN_DOUBT,
      [
        ['900.8', 'empty', keyOf(0)],
        ['900.9', 'empty', keyOf(0)],
      ],
      ['900.8 empty'],
    ],
    [
      'while the second of three messages was being created adopts that one, and no other',
      {
        outcome: anOutcome({ text: 'one|two|three' }),
        parts: [{ step: 'placed', channel: 'C1', ts: '900.8' }, PLACING],
      },
      [
        ['900.7', 'of another turn', toShownKey({ turnId: 'another', part: 1 })],
        ['900.8', 'one', keyOf(0)],
        ['900.9', 'two', keyOf(1)],
      ],
      ['900.7 of another turn', '900.8 one', '900.9 two', '900.1 three'],
    ],
  ])('%s, and the service is not asked again', async (_, turn, shown, expected) => {
    show(...shown);
    await harness.store.turns.accept(aTurn({ stage: 'answered', ...turn }));

    await harness.run();

    expect(harness.shown.map((one) => `${one.ts} ${one.words}`)).toEqual(expected);
    expect(harness.asked).toEqual([]);
    expect((await harness.turn())?.stage).toBe('done');
  });

  it.each(['stopped', 'cancelled'] as const)(
    'of three runs is not the end of a turn that is %s in the fourth',
    async (stage) => {
      await harness.accept();
      for (let run = 0; run < 4; run++) await beginRun(harness.store.turns, aTurn().id);
      await harness.store.turns.end(aTurn().id, stage);

      await harness.run();

      expect(await harness.turn()).toMatchObject({ stage: 'done', result: stage });
    },
  );

  it('of a process that was only slow, after the message was made anew, leaves no second one', async () => {
    const { create } = harness.reply;
    harness.reply.create = async (message, key) => {
      const ts = await create(message, key);
      // What the slow process had sent arrives, and it is killed before it could take it away.
      setTimeout(() => harness.shown.push({ ts: '900.05', channel: 'C1', words: 'empty', key: keyOf(0) }), 1_000);
      return ts;
    };
    await harness.store.turns.accept(aTurn({ stage: 'answered', ...IN_DOUBT }));
    skipPauses();

    await harness.run();
    // Past the moment at which it arrives, whenever the run ended.
    await new Promise((resolve) => setTimeout(resolve, 1_500));

    expect(harness.shown).toHaveLength(1);
    expect((await harness.turn())?.parts[0]?.ts).toBe(harness.shown[0]?.ts);
  });

  it('whose second attempt Slack refuses is still in doubt, and is looked for again', async () => {
    const { create, find } = harness.reply;
    harness.reply.create = () =>
      Promise.reject(new TransientError('slack_rate_limited', 'not now', { retryAfterMs: 10_000 }));
    let looks = 0;
    harness.reply.find = async (part, key, known) => (looks++ === 0 ? [] : find(part, key, known));
    // It is there, and is found a little later than Slack finds messages as a rule.
    harness.shown.push({ ts: '900.9', channel: 'C1', words: 'empty', key: keyOf(0) });
    await harness.store.turns.accept(aTurn({ stage: 'answered', ...IN_DOUBT }));

    await harness.run();
    harness.reply.create = create;
    harness.pass(10_000);
    await harness.run();

    expect(harness.shown.map(({ ts }) => ts)).toEqual(['900.9']);
    expect(await harness.turn()).toMatchObject({ stage: 'done', parts: [{ step: 'placed', ts: '900.9' }] });
  });

  it.each([
    ['just now', 1_000_000, 3_000],
    ['two seconds ago', 998_000, 1_000],
    ['by a process whose clock is ahead', 1_600_000, 3_000],
  ])('%s waits before it believes that a message does not exist', async (_, placingAt, waitMs) => {
    const parts = [{ step: 'placing', channel: 'C1', placingAt } as const];
    await harness.store.turns.accept(aTurn({ stage: 'answered', outcome: { kind: 'notice', code: 'empty' }, parts }));
    skipPauses();

    await harness.run();
    expect(harness.words()).toEqual([]);
    expect(await harness.turn()).toMatchObject({ stage: 'answered', notBefore: 1_000_000 + waitMs });
    harness.pass(waitMs);
    await harness.run();

    expect(harness.words()).toEqual(['empty']);
  });

  it('after a message was placed creates no second one, and replaces one that is gone', async () => {
    const placed = (ts: string): ReplyPart[] => [{ step: 'placed', channel: 'C1', ts }];
    const outcome = { kind: 'notice', code: 'empty' } as const;
    harness.shown.push({ ts: '900.9', channel: 'C1', words: 'half', key: keyOf(0, 'a') });
    await harness.store.turns.accept(aTurn({ id: 'a', stage: 'answered', outcome, parts: placed('900.9') }));
    await harness.store.turns.accept(aTurn({ id: 'b', stage: 'answered', outcome, parts: placed('900.8') }));

    await harness.run('a');
    expect(harness.words()).toEqual(['empty']);
    await harness.run('b');

    expect(harness.words()).toEqual(['empty', 'empty']);
  });
});

it('a run that has stored what it will say is no death, wherever its process ends after that; the runs that only finish the reply are', async () => {
  const deaths: (boolean | undefined)[] = [];
  const isTakenAfter = async (most: number) => {
    deaths.push((await harness.store.turns.takeHead(aTurn().lane, 1_000_000, most))?.isTaken);
  };
  harness.reply.create = async () => {
    await isTakenAfter(1);
    throw new FenceLostError('its process ended');
  };
  await harness.accept();

  await harness.run();
  await isTakenAfter(1);
  await isTakenAfter(2);

  expect(await harness.turn()).toMatchObject({ stage: 'answered', parts: [{ step: 'placing' }] });
  expect(deaths).toEqual([true, false, true]);
});

describe('a run that is no longer the latest', () => {
  it.each([
    ['', false],
    [', though neither Slack nor the store takes the end of the working status', true],
  ])('writes nothing more, and removes the message it made beside the later run’s%s', async (_, isStatusLeft) => {
    const { create } = harness.reply;
    if (isStatusLeft) {
      harness.reply.stopWorking = () => Promise.reject(new TransientError('slack_unavailable', 'away'));
      harness.ports.turns = { ...harness.store.turns, accept: () => Promise.reject(new StoreUnavailableError('away')) };
    }
    harness.reply.create = async (message, key) => {
      const ts = await create(message, key);
      harness.reply.create = create;
      // A later run takes over, does not find the message, makes its own, and ends the turn.
      const later = await beginRun(harness.store.turns, key.turnId);
      if (later) {
        const other = await create(message, key);
        const parts = [{ step: 'placed' as const, channel: 'C1', ts: other }];
        await harness.store.turns.save({ ...later, stage: 'done', parts });
      }
      return ts;
    };
    await harness.accept();

    await harness.run().catch((error: unknown) => expect(error).toBeInstanceOf(StoreUnavailableError));

    expect(harness.shown.map(({ ts }) => ts)).toEqual(['900.2']);
  });

  it('takes nothing away from the one that ended the turn while it stood still', async () => {
    const { create } = harness.reply;
    await harness.store.turns.accept(aTurn({ stage: 'answered', ...IN_DOUBT }));
    harness.reply.create = async (message, key) => {
      // It stands still here, between its look at the lease and the request.
      harness.reply.create = create;
      harness.pass(20_000);
      await harness.run();
      return create(message, key);
    };
    skipPauses();

    await harness.run();

    expect(await harness.turn()).toMatchObject({ stage: 'done', parts: [{ ts: '900.1' }] });
    expect(harness.shown.map(({ ts }) => ts)).toEqual(['900.1']);
  });

  it('shows one root of a command, although the run that came late made one as well', async () => {
    const { create } = harness.reply;
    harness.reply.create = async (message, key) => {
      harness.reply.create = create;
      // A later run begins before this one's message is there, finds none, and makes its own.
      await beginRun(harness.store.turns, key.turnId);
      const later = await beginRun(harness.store.turns, key.turnId);
      if (later) {
        const other = await create(message, key);
        const parts = [{ step: 'placed' as const, channel: 'C1', ts: other }];
        await harness.store.turns.save({ ...later, stage: 'done', parts });
      }
      return create(message, key);
    };
    await harness.accept({ threadTs: undefined, messageTs: undefined, origin: 'command' });

    await harness.run();

    expect(harness.words()).toEqual(['root: What is on today?']);
  });

  it('says nothing once its lane is another’s', async () => {
    await harness.store.turns.accept(aTurn({ stage: 'answered', outcome: anOutcome({ text: 'stored' }) }));
    harness.ports.isHeld = () => false;

    await harness.run();

    expect(harness.words()).toEqual([]);
    expect((await harness.turn())?.stage).toBe('answered');
  });

  it('is not asked by a process that stood still until its lane was another’s', async () => {
    harness.ports.isHeld = () => false;
    await harness.accept();

    await harness.run();

    expect(harness.asked).toEqual([]);
    expect(harness.words()).toEqual([]);
  });

  it('is what a stop makes of it: the answer is not shown', async () => {
    harness.ports.assistant.ask = async () => {
      await harness.store.turns.end('message:T1:C1:100.1', 'cancelled');
      throw new AssistantStoppedError();
    };
    await harness.accept();

    await harness.run();
    await harness.run();

    expect(harness.words()).toEqual([]);
    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'cancelled' });
  });
});

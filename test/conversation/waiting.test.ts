import { describe, expect, it } from 'vitest';
import { runTurn } from '../../src/conversation/run-turn.ts';
import { createWaitClock } from '../../src/conversation/waits.ts';
import { PermanentError, TransientError } from '../../src/errors.ts';
import { AccountNotLinkedError, TokenKeyUnknownError } from '../../src/identity/identity-errors.ts';
import { beginRun } from '../storage/begin-run.ts';
import { aTurn } from './a-question.ts';
import { toShownKey, useHarness } from './run-harness.ts';

const harness = useHarness();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** As its lane does. */
async function runIfDue(): Promise<void> {
  const head = await harness.store.turns.takeHead('T1:C1:100.1', harness.ports.now());
  if (head?.isTaken) await runTurn(head.turn, harness.ports, new AbortController().signal);
}

/** The service cannot be reached for so many asks, and names so long a wait each time. */
function beUnreachable(times: number, retryAfterMs: number): void {
  const { ask } = harness.ports.assistant;
  let count = 0;
  harness.ports.assistant.ask = async (call) => {
    if (count++ < times) throw new TransientError('assistant_unreachable', 'down', { retryAfterMs });
    return ask(call);
  };
}

describe('a question that has to wait', () => {
  const refuseLine = () => {
    const { create } = harness.reply;
    harness.reply.create = async (message, key) => {
      if (message.content === 'waits') throw new TransientError('slack_rate_limited', 'later');
      return create(message, key);
    };
  };
  const missKey = (times: number) => {
    const { access } = harness.ports;
    let count = 0;
    harness.ports.access = async (question) => {
      if (count++ < times) throw new TokenKeyUnknownError('k2');
      return access(question);
    };
  };

  it.each<[string, () => void, runs: number, everyMs: number, meanwhile: string[]]>([
    ['says so in one line, which goes once the answer is there', () => beUnreachable(2, 20_000), 2, 20_000, ['waits']],
    ['says nothing where the wait is short', () => beUnreachable(1, 2_000), 1, 2_000, []],
    [
      'waits all the same where the line cannot be shown',
      () => {
        beUnreachable(1, 20_000);
        refuseLine();
      },
      1,
      20_000,
      [],
    ],
    [
      'waits as well for the newest key, which this replica has not been given yet',
      () => missKey(4),
      4,
      10_000,
      ['waits'],
    ],
    [
      'is not taken for one whose process dies, however often it waits',
      () => beUnreachable(8, 1_000),
      8,
      1_000,
      ['waits'],
    ],
  ])('%s', async (_, given, runs, everyMs, meanwhile) => {
    given();
    await harness.accept();

    for (let run = 0; run < runs; run++) {
      await harness.run();
      harness.pass(everyMs);
    }
    expect(harness.words()).toEqual(meanwhile);
    await harness.run();

    expect(harness.words()).toEqual(['answer to What is on today?']);
  });

  it.each([
    ['as long as the service says', 0, 300],
    ['as long where the clock is set by minutes meanwhile', -9 * MINUTE_MS, 300],
    ['as long where it is set forward by minutes', 9 * MINUTE_MS, 300],
    ['no longer where it is set back by hours', -2 * HOUR_MS, 90],
    ['no longer where it is set forward by hours', 2 * HOUR_MS, 90],
  ])('waits %s', async (_how, shiftMs, seconds) => {
    beUnreachable(1, 5 * MINUTE_MS);
    let shiftedMs = 0;
    const elapsed = harness.ports.now;
    const wall = () => elapsed() + shiftedMs;
    const waitClock = createWaitClock(wall, elapsed);
    Object.assign(harness.ports, { now: wall, waitClock });
    await harness.accept();
    let waitedMs = 0;
    for (; (await harness.turn())?.stage !== 'done' && waitedMs < HOUR_MS; waitedMs += 1_000) {
      if (waitedMs === 90_000) shiftedMs = shiftMs;
      const head = await harness.store.turns.takeHead('T1:C1:100.1', waitClock());
      if (head?.isTaken) await runTurn(head.turn, harness.ports, new AbortController().signal);
      harness.pass(1_000);
    }

    expect(waitedMs / 1_000).toBe(seconds + 1);
    expect(harness.words()).toEqual(['answer to What is on today?']);
  });

  it('is not given up because the clock is set forward, and is after ten minutes of waiting', async () => {
    beUnreachable(100, 60_000);
    await harness.accept();

    expect(await harness.runUntilDone(HOUR_MS)).toBe(11);
    expect(harness.words()).toEqual(['unavailable']);
  });

  it('is cancelled at once, however much of its wait is left', async () => {
    beUnreachable(1, 5 * 60_000);
    await harness.accept();
    await harness.run();

    await harness.store.turns.end('message:T1:C1:100.1', 'cancelled');
    await runIfDue();

    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'cancelled' });
  });

  it('waits longer and longer for a service that names a wait of nothing', async () => {
    beUnreachable(3, 0);
    await harness.accept();

    const waits: number[] = [];
    for (let run = 0; run < 3; run++) {
      await harness.run();
      const { notBefore = 0 } = (await harness.turn()) ?? {};
      waits.push(notBefore - harness.ports.now());
      harness.pass(waits[run] ?? 0);
    }

    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('says so after all where short waits add up', async () => {
    beUnreachable(3, 2_000);
    await harness.accept();

    for (let run = 0; run < 4; run++) {
      await harness.run();
      if (run === 3) expect(harness.shown).toHaveLength(1);
      harness.pass(2_000);
    }

    expect(harness.words()).toEqual(['answer to What is on today?']);
  });

  it('finds and removes its line after a crash that came while the line was being created', async () => {
    const key = toShownKey({ turnId: aTurn().id, part: -1 });
    harness.shown.push({ ts: '900.9', channel: 'C1', words: 'waits', key });
    const waitLine = { step: 'placing', channel: 'C1', placingAt: 1_000_000 - 10_000 } as const;
    await harness.store.turns.accept(aTurn({ stage: 'waiting', notBefore: 0, waitLine }));

    await harness.run();

    expect(harness.words()).toEqual(['answer to What is on today?']);
  });

  it('is not sent while the service is left in peace', async () => {
    harness.ports.assistantPausedMs = () => 12_000;
    await harness.accept();

    await harness.run();

    expect(harness.asked).toEqual([]);
    expect(harness.words()).toEqual(['waits']);
    expect(await harness.turn()).toMatchObject({ stage: 'waiting' });
    expect((await harness.turn())?.notBefore).toBeGreaterThanOrEqual(1_012_000);
  });
});

describe('the line of a question that waits', () => {
  it('does not cost the answer where it cannot be removed for now', async () => {
    beUnreachable(1, 20_000);
    const { remove } = harness.reply;
    harness.reply.remove = () =>
      Promise.reject(new TransientError('slack_rate_limited', 'later', { retryAfterMs: 1_000 }));
    const edits: string[] = [];
    const { edit } = harness.reply;
    harness.reply.edit = async (...args) => {
      edits.push(args[1]);
      return edit(...args);
    };
    await harness.accept();

    for (let run = 0; run < 12; run++) {
      await harness.run();
      harness.pass(20_000);
    }
    harness.reply.remove = remove;
    await harness.run();

    expect(harness.words()).toEqual(['answer to What is on today?']);
    expect(edits).toEqual([]);
    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'answer' });
  });

  it('gives way to a sign-in where the key is not given within ten minutes: it was dropped', async () => {
    harness.ports.access = () => Promise.reject(new TokenKeyUnknownError('k1'));
    await harness.accept();

    await harness.runUntilDone(60_000);

    expect([harness.words(), harness.told]).toEqual([[], ['sign_in_lost']]);
  });

  it.each(['accepted', 'waiting', 'answered'] as const)(
    'ends with a word where what is stored of it cannot be opened (%s)',
    async (stage) => {
      await harness.store.turns.accept(aTurn({ stage, sealed: 'with a key that is gone' }));

      await harness.run();

      expect([harness.words(), (await harness.turn())?.stage]).toEqual([['question_lost'], 'done']);
    },
  );

  it('keeps nobody from being asked to sign in where it cannot be taken away', async () => {
    harness.ports.access = () => Promise.reject(new AccountNotLinkedError('ended'));
    harness.reply.remove = () =>
      Promise.reject(new PermanentError('slack_refused', 'chat.delete: cant_delete_message'));
    await harness.store.turns.accept(aTurn({ waitLine: { step: 'placed', channel: 'C1', ts: '900.9' } }));

    await harness.run();

    expect(harness.told).toEqual(['sign in']);
    expect((await harness.turn())?.stage).toBe('parked');
  });

  it('goes when the person turns out to have to sign in', async () => {
    let count = 0;
    harness.ports.access = async () => {
      if (count++ === 0) throw new TransientError('identity_provider_unavailable', 'down', { retryAfterMs: 20_000 });
      throw new AccountNotLinkedError('ended');
    };
    await harness.accept();
    await harness.run();
    const meanwhile = harness.words();
    harness.pass(20_000);

    await harness.run();

    expect([meanwhile, harness.words()]).toEqual([['waits'], []]);
    expect((await harness.turn())?.stage).toBe('parked');
  });
});

describe('a turn whose process dies each time it is run', () => {
  it('is given up after five deaths, with a word to the person, and is a dead letter', async () => {
    await harness.accept();
    for (let death = 0; death < 5; death++) await beginRun(harness.store.turns, aTurn().id);

    await harness.run();

    expect(harness.words()).toEqual(['failed']);
    expect(harness.asked).toEqual([]);
    expect(await harness.store.turns.deadLetters(10)).toMatchObject([{ id: aTurn().id, result: 'failed' }]);
  });

  it('is left to the operators where even the word kills it', async () => {
    await harness.accept();
    for (let death = 0; death < 11; death++) await beginRun(harness.store.turns, aTurn().id);

    await harness.run();

    expect(harness.words()).toEqual([]);
    expect(await harness.store.turns.deadLetters(10)).toMatchObject([{ id: aTurn().id, result: 'abandoned' }]);
  });
});

it('an answer that fails halfway leaves nothing of itself beside the word that it failed', async () => {
  const parts = [
    { step: 'placed', channel: 'C1', ts: '900.8' },
    { step: 'placed', channel: 'C1', ts: '900.9' },
  ] as const;
  for (const { ts } of parts) harness.shown.push({ ts, channel: 'C1', words: 'a piece', key: '' });
  const outcome = { kind: 'notice', code: 'failed' } as const;
  await harness.store.turns.accept(aTurn({ stage: 'answered', outcome, parts: [...parts] }));

  await harness.run();

  expect(harness.words()).toEqual(['failed']);
});

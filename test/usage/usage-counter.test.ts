import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../src/conversation/turn.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { toDay, type UsageAddition } from '../../src/usage/usage.ts';
import { createMarks, createUsageCounter } from '../../src/usage/usage-counter.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

let clock: sinon.SinonFakeTimers;
beforeEach(() => {
  clock = sinon.useFakeTimers({ now: 1_700_000_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => clock.restore());

function startCounting() {
  const { usage: store } = createMemoryStore();
  const writes: UsageAddition[] = [];
  const failures: unknown[] = [];
  /** `isLost`: it is written, and only the reply is lost. */
  const fault = { isOn: false, isLost: false, workspace: 'T1' };
  const counter = createUsageCounter({
    store: {
      async add(addition) {
        if (addition.workspace === fault.workspace && fault.isOn) throw new StoreUnavailableError('away');
        writes.push(addition);
        await store.add(addition);
        if (fault.isLost) throw new StoreUnavailableError('no answer');
      },
    },
    mark: createMarks(Buffer.alloc(32, 7)),
    now: Date.now,
    onFailed: (error) => void failures.push(error),
  });
  return { counter, writes, failures, fault, read: () => store.read('T1', 0) };
}

function aDone(change: Partial<Turn> = {}, user = 'UANA'): Turn {
  return aTurn({ stage: 'done', result: 'answer', question: aQuestion({ asker: { team: 'T1', user } }), ...change });
}

describe('what is counted', () => {
  it('is kept in memory and written together, seconds later', async () => {
    const { counter, writes, read } = startCounting();
    for (let index = 0; index < 50; index += 1) counter.turnEnded(aDone({}, `U${index % 6}`), 3_000);
    expect(writes).toEqual([]);

    await clock.tickAsync(5_000);

    expect(writes).toHaveLength(1);
    await expect.poll(read).toEqual({
      counts: { questions: 50, channel: 50, web_on: 50, 'result:answer': 50, 'seconds:4': 50 },
      people: { questions: 6, channel: 6, web_on: 6, 'result:answer': 6 },
      firstDay: toDay(Date.now()),
    });
  });

  it('is written when the process ends, and at once after that', async () => {
    const { counter, writes } = startCounting();
    counter.turnEnded(aDone(), 1);
    await counter.close();
    counter.turnEnded(aDone(), 1);

    await expect.poll(() => writes).toHaveLength(2);
  });

  it('is not lost while the store is away', async () => {
    const { counter, fault, failures, read } = startCounting();
    fault.isOn = true;
    counter.turnEnded(aDone(), 1);
    await clock.tickAsync(5_000);
    counter.turnEnded(aDone({}, 'UBEN'), 1);
    await clock.tickAsync(5_000);
    fault.isOn = false;
    await clock.tickAsync(5_000);

    expect(failures).toHaveLength(2);
    await expect.poll(read).toMatchObject({ counts: { questions: 2 }, people: { questions: 2 } });
  });

  it('is counted once though the reply of the store is lost, and what came meanwhile as well', async () => {
    const { counter, fault, failures, read } = startCounting();
    fault.isLost = true;
    counter.turnEnded(aDone(), 1);
    await clock.tickAsync(5_000);
    await expect.poll(() => failures).toHaveLength(1);
    counter.turnEnded(aDone(), 1);
    await clock.tickAsync(5_000);
    await expect.poll(() => failures).toHaveLength(2);
    fault.isLost = false;
    await counter.close();

    expect((await read()).counts).toMatchObject({ questions: 2 });
  });

  it('is repeated only where it failed', async () => {
    const { counter, fault, failures, writes } = startCounting();
    fault.isOn = true;
    fault.workspace = 'T2';
    for (const workspace of ['T1', 'T2', 'T3']) counter.feedback('good', { team: 'T1', user: 'UANA', workspace });
    await clock.tickAsync(5_000);
    await expect.poll(() => failures).toHaveLength(1);
    fault.isOn = false;
    await counter.close();

    expect(writes.map(({ workspace }) => workspace)).toEqual(['T1', 'T2', 'T3']);
  });

  it('is not written where the app was uninstalled meanwhile', async () => {
    const { counter, writes } = startCounting();
    counter.turnEnded(aDone(), 1);
    counter.forget('T1');
    await counter.close();

    expect(writes).toEqual([]);
  });

  it('writes nothing where nothing happens', async () => {
    const { writes } = startCounting();

    await clock.tickAsync(60_000);

    expect(writes).toEqual([]);
  });

  it('is no time of what waited for a sign-in, or was not answered', async () => {
    const { counter, read } = startCounting();
    counter.turnEnded(aDone({ hasPrompted: false }), 60_000);
    counter.turnEnded(aDone({ result: 'forbidden' }), 1_000);
    await counter.close();

    expect(Object.keys((await read()).counts).filter((name) => name.startsWith('seconds'))).toEqual([]);
  });

  it('is nothing that was not asked, such as help and a shared answer', async () => {
    const { counter, writes } = startCounting();
    for (const result of ['help', 'shared', 'no_question', 'idle']) counter.turnEnded(aDone({ result }), 1);
    await counter.close();

    expect(writes).toEqual([]);
  });

  it('tells sign-ins, feedback, direct messages and web search turned off', async () => {
    const { counter, read } = startCounting();
    const person = { team: 'T1', user: 'UANA', workspace: 'T1' };
    for (const step of ['prompted', 'started', 'finished'] as const) counter.signIn(step, person);
    counter.feedback('bad', person);
    const { asker, ...question } = aQuestion({ audience: 'person', webSearch: false });
    counter.turnEnded(aDone({ question: { asker, ...question } }), 700_000);
    await counter.close();

    expect((await read()).counts).toEqual({
      ...{ 'sign_in:prompted': 1, 'sign_in:started': 1, 'sign_in:finished': 1, 'feedback:bad': 1 },
      ...{ questions: 1, direct: 1, web_off: 1, 'result:answer': 1, 'seconds:more': 1 },
    });
  });
});

describe('the mark of a person', () => {
  const ana = { team: 'T1', user: 'UANA' };

  it('is the same on every replica, and another one in another workspace or with another key', () => {
    const mark = createMarks(Buffer.alloc(32, 7));

    expect(createMarks(Buffer.alloc(32, 7))('T1', ana)).toBe(mark('T1', ana));
    expect(mark('T2', ana)).not.toBe(mark('T1', ana));
    expect(createMarks(Buffer.alloc(32, 8))('T1', ana)).not.toBe(mark('T1', ana));
    expect(mark('T1', ana)).not.toContain('UANA');
  });
});

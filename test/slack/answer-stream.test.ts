import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PartKey } from '../../src/conversation/reply.ts';
import { FenceLostError } from '../../src/conversation/run.ts';
import { OutcomeUnknownError } from '../../src/http/http-errors.ts';
import { createAnswerStream } from '../../src/slack/answer-stream.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';

const MINUTE_MS = 60_000;

type Streamed = { ts: string; text: string; startedAt: number; isOpen: boolean };

/** A Slack that keeps the documented limits, a clock that only moves when told to, and a record of what is written. */
function open({ isReplaced = false } = {}) {
  let time = 0;
  const messages: Streamed[] = [];
  const calls: { method: string; at: number; text: string }[] = [];
  const failures: { method: string; error: Error }[] = [];
  const records: string[] = [];
  const waiting: { at: number; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  const over: unknown[] = [];
  let parts = 0;
  let atOnce = 0;

  async function take(method: string, text: string): Promise<void> {
    calls.push({ method, at: time, text });
    expect(++atOnce).toBe(1);
    await tick();
    atOnce -= 1;
    const failing = failures.findIndex((failure) => failure.method === method);
    if (failing !== -1) throw failures.splice(failing, 1)[0]?.error;
  }

  function find(ts: string, method: string): Streamed {
    const message = messages.find((one) => one.ts === ts);
    if (!message?.isOpen || time - message.startedAt > 5 * MINUTE_MS) {
      throw new SlackRefusedError(method, 'message_not_in_streaming_state');
    }
    return message;
  }

  function add(message: Streamed, text: string): void {
    if (Buffer.byteLength(message.text + text) > 10_600) throw new SlackRefusedError('append', 'msg_too_long');
    message.text += text;
  }

  const stream = createAnswerStream({
    calls: {
      async start(text) {
        await take('start', text);
        const message = { ts: String(messages.length + 1), text: '', startedAt: time, isOpen: true };
        add(message, text);
        messages.push(message);
        return message.ts;
      },
      async append(ts, text) {
        await take('append', text);
        add(find(ts, 'append'), text);
      },
      async end(ts, text) {
        await take('end', text);
        const message = find(ts, 'end');
        add(message, text);
        message.isOpen = false;
      },
    },
    record: {
      async begin() {
        if (isReplaced) throw new FenceLostError('turn');
        const key: PartKey = { workspace: 'T1', turnId: 'turn', part: parts++ };
        records.push(`begin ${key.part}`);
        return key;
      },
      placed: async ({ part }, ts) => void records.push(`placed ${part} ${ts}`),
      refused: ({ part }) => {
        records.push(`refused ${part}`);
        parts -= 1;
      },
      ended: ({ part }) => void records.push(`ended ${part}`),
    },
    now: () => time,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        waiting.push({ at: time + ms, resolve, reject });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    onOver: (error) => over.push(error),
  });

  async function pass(ms: number): Promise<void> {
    for (const end = time + ms; time < end; ) {
      time += 100;
      for (const due of waiting.filter(({ at }) => at <= time)) {
        waiting.splice(waiting.indexOf(due), 1);
        due.resolve();
      }
      for (let turn = 0; turn < 6; turn++) await tick();
    }
  }

  const methods = () => calls.map(({ method }) => method);
  return { stream, messages, calls, methods, failures, records, over, pass };
}

const LINE = 'This line says something, and is as long as lines are.\n\n';

describe('a streamed answer', () => {
  it('is not streamed if it is complete before the first text would be written', async () => {
    const { stream, methods, pass } = open();
    stream.grow(() => LINE);
    await pass(500);
    await stream.close();
    await pass(5_000);

    expect(methods()).toEqual([]);
  });

  it('of six minutes goes on in a second message before Slack ends the first', async () => {
    const { stream, messages, records, over, calls, pass } = open();
    let lines = 0;
    for (let second = 0; second < 360; second += 5) {
      lines += 1;
      stream.grow(() => LINE.repeat(lines));
      await pass(5_000);
    }
    await stream.close();

    expect(messages.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(messages.map(({ text }) => text).join('')).toBe(LINE.repeat(lines));
    expect(records).toEqual(['begin 0', 'placed 0 1', 'ended 0', 'begin 1', 'placed 1 2']);
    const ended = calls.find(({ method }) => method === 'end');
    expect(ended?.at).toBeLessThan(4 * MINUTE_MS + 1_000);
    expect(over).toEqual([]);
  });

  it('of 60,000 bytes goes on in another message before one is full', async () => {
    const { stream, messages, over, pass } = open();
    const text = '東京は日本の首都です。\n\n'.repeat(1_700);
    stream.grow(() => text);
    await pass(5 * MINUTE_MS);
    await stream.close();

    expect(messages.map(({ text }) => text).join('')).toBe(text);
    expect(messages.length).toBeGreaterThan(5);
    expect(Math.max(...messages.map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(9_000);
    expect(over).toEqual([]);
  });

  it('of more than eight messages is neither written nor read any further', async () => {
    const { stream, messages, over, pass } = open();
    let looks = 0;
    stream.grow(() => {
      looks += 1;
      return LINE.repeat(3_000);
    });
    await pass(2 * MINUTE_MS);
    const before = looks;
    await pass(MINUTE_MS);
    await stream.close();

    expect(messages).toHaveLength(8);
    expect(looks).toBe(before);
    expect(over).toEqual([]);
  });

  it('goes on in another message where what comes next can only be shown whole, and has no room', async () => {
    const { stream, messages, pass } = open();
    const code = `\`\`\`\n${`x = "${'word '.repeat(200)}"\n`.repeat(20)}`;
    stream.grow(() => code);
    await pass(MINUTE_MS);
    await stream.close();

    expect(messages.map(({ text }) => text.split('x = ').length - 1)).toEqual([8, 8, 4]);
  });

  it('has one table in each message', async () => {
    const { stream, messages, pass } = open();
    stream.grow(() => '| a | b |\n|---|---|\n| 1 | 2 |\n\nAnd so on.\n\n'.repeat(3));
    await pass(MINUTE_MS);
    await stream.close();

    expect(messages.map(({ text }) => text.split('|---|').length - 1)).toEqual([1, 1, 1]);
  });

  it('is written at most once in 600 ms, and a few characters only after a while', async () => {
    const { stream, calls, pass } = open();
    const text = 'Words '.repeat(200);
    for (let length = 0; length < text.length; length += 3) {
      stream.grow(() => text.slice(0, length));
      await pass(100);
    }
    await stream.close();

    const gaps = calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_400);
  });

  it('waits as Slack asks where it has too many appends, and then writes all that came meanwhile', async () => {
    const { stream, messages, failures, calls, pass } = open();
    stream.grow(() => LINE);
    await pass(1_000);
    failures.push({ method: 'append', error: new SlackRateLimitedError('append', 5_000) });
    stream.grow(() => LINE.repeat(2));
    await pass(1_000);
    stream.grow(() => LINE.repeat(9));
    await pass(6_000);
    await stream.close();

    expect(calls.filter(({ method }) => method === 'append').map(({ text }) => text)).toEqual([LINE, LINE.repeat(8)]);
    expect(messages[0]?.text).toBe(LINE.repeat(9));
  });

  it('is left to the complete reply where there is no room for its start', async () => {
    const { stream, failures, methods, records, over, pass } = open();
    failures.push({ method: 'start', error: new SlackRateLimitedError('start', 1_000) });
    stream.grow(() => LINE);
    await pass(10_000);
    await stream.close();

    expect(methods()).toEqual(['start']);
    expect(records).toEqual(['begin 0', 'refused 0']);
    expect(over).toHaveLength(1);
  });

  it.each([
    new SlackRefusedError('append', 'stopped_by_user'),
    new SlackRefusedError('append', 'message_not_in_streaming_state'),
    new SlackRefusedError('append', 'msg_too_long'),
    new OutcomeUnknownError('append', 'timeout'),
  ])('writes nothing more after %s', async (error) => {
    const { stream, failures, methods, over, pass } = open();
    stream.grow(() => LINE);
    await pass(1_000);
    failures.push({ method: 'append', error });
    for (const count of [2, 3, 4]) {
      stream.grow(() => LINE.repeat(count));
      await pass(2_000);
    }
    await stream.close();

    expect(methods()).toEqual(['start', 'append']);
    expect(over).toEqual([error]);
  });

  it('stays recorded as begun where nobody knows whether its message exists', async () => {
    const { stream, failures, records, pass } = open();
    failures.push({ method: 'start', error: new OutcomeUnknownError('start', 'timeout') });
    stream.grow(() => LINE);
    await pass(5_000);
    await stream.close();

    expect(records).toEqual(['begin 0']);
  });

  it('is not begun by a run that was replaced', async () => {
    const { methods, over, pass, stream } = open({ isReplaced: true });
    stream.grow(() => LINE);
    await pass(5_000);
    await stream.close();

    expect(methods()).toEqual([]);
    expect(over).toHaveLength(1);
  });

  it('waits at its end for the call under way, and writes nothing after it', async () => {
    const { stream, methods, records, pass } = open();
    stream.grow(() => LINE);
    const passing = pass(600);
    await tick();
    await stream.close();
    await passing;
    stream.grow(() => LINE.repeat(5));
    await pass(5_000);

    expect(records.length % 2).toBe(0);
    expect(methods().length).toBeLessThanOrEqual(1);
  });
});

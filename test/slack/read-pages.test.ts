import { describe, expect, it } from 'vitest';
import { readPages } from '../../src/slack/read-pages.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { aSlack } from './a-slack.ts';

/** A thread of so many messages. `everySecond` call is refused; `atMost`: what Slack returns at once. */
function openThread(
  length: number,
  { everySecond, atMost = 200 }: { everySecond?: () => Error; atMost?: number } = {},
) {
  const { call, calls } = aSlack((_method, { limit, cursor = 0 }) => {
    if (everySecond && calls.length % 2 === 0) throw everySecond();
    const start = Number(cursor);
    const end = Math.min(start + Math.min(Number(limit), atMost), length);
    const messages = Array.from({ length: end - start }, (_, index) => ({ ts: `${start + index}` }));
    return { messages, response_metadata: { next_cursor: end < length ? String(end) : '' } };
  });
  return { call, calls };
}

const READING = { channel: 'C1', threadTs: '1.1', oldest: '1.1', purpose: 'test' };
const limited = () => new SlackRateLimitedError('conversations.replies', 60_000);

describe('reading messages page after page', () => {
  it.each([15, 200, 1_000])('gives all of them once, also where Slack returns fewer at a time: %i', async (length) => {
    const small = openThread(length, { atMost: 15 });
    const large = openThread(length);

    const slowly = await readPages(small.call, 'xoxb', READING);
    const quickly = await readPages(large.call, 'xoxb', READING);

    expect(slowly.map(({ ts }) => ts)).toEqual(Array.from({ length }, (_, index) => String(index)));
    expect(quickly).toEqual(slowly);
    expect(small.calls).toHaveLength(Math.ceil(length / 15));
    expect(large.calls).toHaveLength(Math.ceil(length / 200));
  });

  it('goes on where Slack asked to wait, so that it comes to an end', async () => {
    const { call, calls } = openThread(600, { everySecond: limited });
    const attempts = [readPages(call, 'xoxb', READING), () => readPages(call, 'xoxb', READING)] as const;

    await expect(attempts[0]).rejects.toThrow(SlackRateLimitedError);
    await expect(attempts[1]()).rejects.toThrow(SlackRateLimitedError);
    const messages = await readPages(call, 'xoxb', READING);

    expect(messages).toHaveLength(600);
    expect(calls.map(({ args }) => args.cursor)).toEqual([undefined, '200', '200', '400', '400']);
  });

  it('begins anew once it has come to its end, and for another purpose', async () => {
    const { call, calls } = openThread(300, { everySecond: limited });
    await expect(readPages(call, 'xoxb', READING)).rejects.toThrow(SlackRateLimitedError);

    await expect(readPages(call, 'xoxb', { ...READING, purpose: 'another' })).rejects.toThrow(SlackRateLimitedError);
    await readPages(call, 'xoxb', READING);
    calls.length = 0;
    await expect(readPages(call, 'xoxb', READING)).rejects.toThrow(SlackRateLimitedError);

    expect(calls.map(({ args }) => args.cursor)).toEqual([undefined, '200']);
  });

  it('begins anew after a cursor that Slack does not know any more', async () => {
    const { call, calls } = openThread(300, {
      everySecond: () => new SlackRefusedError('conversations.replies', 'invalid_cursor'),
    });

    await expect(readPages(call, 'xoxb', READING)).rejects.toMatchObject({ code: 'slack_unavailable' });
    await expect(readPages(call, 'xoxb', READING)).rejects.toMatchObject({ code: 'slack_unavailable' });

    expect(calls.map(({ args }) => args.cursor)).toEqual([undefined, '200', undefined, '200']);
  });

  it('ends with what it looks for', async () => {
    const { call, calls } = openThread(1_000);

    await readPages(call, 'xoxb', { ...READING, isEnough: (messages) => messages.some(({ ts }) => ts === '250') });

    expect(calls).toHaveLength(2);
  });
});

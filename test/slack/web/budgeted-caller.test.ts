import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { type Bucket, createMemoryBuckets, type TokenBuckets } from '../../../src/slack/web/buckets.ts';
import { createWaitingLine, withBudgets } from '../../../src/slack/web/budgets.ts';
import type { CallWithToken, Importance } from '../../../src/slack/web/methods.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';

type Call = { method: string; args: Record<string, unknown> };

const now = () => performance.now();
const log = createLog('silent');

let calls: Call[];
/** What the next calls throw, one after the other. */
let faults: Error[];
let call: CallWithToken;

const slack = (async (method: string, _by: object, args: Record<string, unknown>) => {
  calls.push({ method, args });
  const fault = faults.shift();
  if (fault) throw fault;
  return { ok: true, ts: `${calls.length}.1` };
}) as unknown as CallWithToken;

const BOT = { workspace: 'T1', botToken: 'xoxb-1' };

beforeEach(() => {
  calls = [];
  faults = [];
  call = withBudgets(slack, { buckets: createMemoryBuckets(now), now, log });
});

const post = (channel: string, importance?: Importance) =>
  call('chat.postMessage', BOT, { channel, text: 'hello' }, importance);

const lookUp = (user: string) => call('users.info', BOT, { user });

const showStatus = (channel: string) =>
  call('assistant.threads.setStatus', BOT, { channel_id: channel, thread_ts: '1.1', status: 'works' }, 'extra');

/** How many went through, and the errors of the others. */
async function settle(made: Promise<unknown>[]): Promise<{ done: number; errors: unknown[] }> {
  const results = await Promise.allSettled(made);
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return { done: made.length - errors.length, errors };
}

/** Before a timer that is set now: on a busy machine that is late, too. */
async function atOnce<T>(work: Promise<T>): Promise<T> {
  const first = await Promise.race([work, sleep(900, 'late' as const)]);
  if (first === 'late') throw new Error('it waited');
  return first as Awaited<T>;
}

it('a call of Slack within its budget fails as Slack has it fail, and others go on', async () => {
  faults = [new SlackRefusedError('users.info', 'user_not_found')];

  await expect(lookUp('U1')).rejects.toThrow(SlackRefusedError);
  await lookUp('U2');

  expect(calls).toHaveLength(2);
});

describe('after a 429', () => {
  const LIMITED = new SlackRateLimitedError('users.info', 400);

  it('that method waits in that workspace as long as Slack says, and nothing else does', async () => {
    faults = [LIMITED];
    await expect(lookUp('U1')).rejects.toBe(LIMITED);
    const begunAt = performance.now();

    await atOnce(Promise.all([post('C1'), call('users.info', { ...BOT, workspace: 'T2' }, { user: 'U1' })]));
    await lookUp('U2');

    expect(performance.now() - begunAt).toBeGreaterThan(399);
    expect(calls.map(({ args }) => args.user ?? args.channel)).toEqual(['U1', 'C1', 'U1', 'U2']);
  });

  it('whose wait is long a call is not made: it comes back after that', async () => {
    faults = [new SlackRateLimitedError('users.info', 30_000)];
    await expect(lookUp('U1')).rejects.toThrow();

    const waitMs = await lookUp('U2').catch((error: SlackRateLimitedError) => error.retryAfterMs);

    expect(waitMs).toBeGreaterThan(29_000);
    expect(calls).toHaveLength(1);
  });
});

// That it waits for a moment: see ../../end-to-end/admin-doctor.test.ts.
describe('a call of Slack for which there is no budget', () => {
  it('is refused at once where it is a reply, because when a reply left has to be known', async () => {
    const { done, errors } = await settle(Array.from({ length: 4 }, () => post('C1', 'reply')));

    expect(done).toBe(3);
    expect(errors).toEqual([expect.any(SlackRateLimitedError)]);
  });

  it('comes back later where a moment is not enough, each at another moment', async () => {
    const { done, errors } = await settle(Array.from({ length: 8 }, () => post('C1')));

    const waits = errors.map((error) => (error instanceof SlackRateLimitedError ? error.retryAfterMs : undefined));
    expect(done).toBeLessThanOrEqual(5);
    expect(calls).toHaveLength(done);
    for (const [index, waitMs = 0] of waits.slice(1).entries()) {
      expect(waitMs).toBeGreaterThan((waits[index] ?? 0) - 1_000);
      expect(waitMs).toBeGreaterThan((index + 1) * 1_000);
    }
  });

  it('waits no longer than a moment, however often others were faster', async () => {
    let asked = 0;
    const take = async () => {
      asked++;
      return 300;
    };
    call = withBudgets(slack, { buckets: { take, block: async () => undefined }, now, log });

    await expect(lookUp('U1')).rejects.toThrow(SlackRateLimitedError);

    expect(calls).toEqual([]);
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(8);
  });

  it('is not made at all where it is an extra, and nobody waits for it', async () => {
    const { done, errors } = await atOnce(settle(Array.from({ length: 60 }, () => showStatus('D1'))));
    await showStatus('D2');

    expect(done).toBe(30);
    expect(errors).toHaveLength(30);
    expect(errors.every((error) => error instanceof SlackRateLimitedError)).toBe(true);
  });

  it('leaves what there is to the answers where it is a notice', async () => {
    const channels = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);

    const notices = await settle(channels('N', 300).map((channel) => post(channel, 'notice')));
    const answers = await atOnce(settle(channels('A', 60).map((channel) => post(channel))));

    // Three quarters of the budget of a minute, and what came in while some of them waited.
    expect(notices.done).toBeGreaterThanOrEqual(225);
    expect(notices.done).toBeLessThan(260);
    expect(answers).toEqual({ done: 60, errors: [] });
    expect(calls.slice(-60).every(({ args }) => String(args.channel).startsWith('A'))).toBe(true);
  });
});

describe('where the budgets cannot be counted, a call of Slack', () => {
  const broken: TokenBuckets = {
    take: () => Promise.reject(new Error('no connection')),
    block: () => Promise.reject(new Error('no connection')),
  };

  it('goes through, and fails as Slack has it fail', async () => {
    call = withBudgets(slack, { buckets: broken, now, log });

    await post('C1');
    faults = [new SlackRateLimitedError('chat.postMessage', 30_000)];

    await expect(post('C1')).rejects.toMatchObject({ retryAfterMs: 30_000 });
    await post('C1');
    expect(calls).toHaveLength(3);
  });
});

const workspace: Bucket = { key: 'method:W1', limit: 600, perMs: 60_000 };
const channel: Bucket = { key: 'method:W1:C1', limit: 60, perMs: 60_000 };

/** So much longer than it has to be a wait may be, in parts of it. */
const JITTER = 1.2;

describe('the waiting line', () => {
  it('sends the first back when there is a token', () => {
    const waitMs = createWaitingLine(() => 0)([channel], 5_000);

    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(5_000 * JITTER);
  });

  it('sends all others back one behind the other, as fast as tokens come', () => {
    const join = createWaitingLine(() => 0);

    const waits = Array.from({ length: 10 }, () => join([workspace, channel], 500));

    for (const [index, waitMs] of waits.entries()) {
      expect(waitMs).toBeGreaterThanOrEqual(500 + index * 1_000);
      expect(waitMs).toBeLessThanOrEqual((500 + index * 1_000) * JITTER);
    }
  });

  it('lets a busy channel hold up the others by no more than what it takes of the workspace', () => {
    const join = createWaitingLine(() => 0);
    for (let others = 0; others < 10; others++) join([workspace, channel], 500);

    const waitMs = join([workspace, { ...channel, key: 'method:W1:C2' }], 500);

    expect(waitMs).toBeLessThanOrEqual((500 + 10 * 100) * JITTER);
  });

  it('is worked off as time goes by', () => {
    let now = 0;
    const join = createWaitingLine(() => now);
    for (let others = 0; others < 10; others++) join([channel], 500);

    now += 9_500;

    expect(join([channel], 500)).toBeLessThanOrEqual(1_000 * JITTER);
  });

  it('never sends anybody away for long, because others may have left it', () => {
    let now = 0;
    const join = createWaitingLine(() => now);
    for (let others = 0; others < 1_000; others++) join([channel], 500);

    const last = join([channel], 500);
    now += 60_000;
    const next = join([channel], 500);

    expect(last).toBeLessThanOrEqual(60_000 * JITTER);
    expect(next).toBeLessThanOrEqual(1_500 * JITTER);
  });
});

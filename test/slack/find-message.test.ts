import { describe, expect, it } from 'vitest';
import type { PartKey } from '../../src/conversation/reply.ts';
import type { ReplyPart } from '../../src/conversation/turn.ts';
import { TransientError } from '../../src/errors.ts';
import { OutcomeUnknownError } from '../../src/http/http-errors.ts';
import { findMessages, toMetadata } from '../../src/slack/find-message.ts';
import { SlackRateLimitedError, SlackRefusedError, SlackUnavailableError } from '../../src/slack/web/slack-errors.ts';
import { aSlack, findInstallation, INSTALLATION } from './a-slack.ts';

const KEY: PartKey = { workspace: 'T1', turnId: 'message:T1:C1:100.1', part: 1 };
const PART: ReplyPart = { step: 'placing', channel: 'C1', threadTs: '100.1', placingAt: 1_700_000_000_900 };

type Page = { messages: object[]; next?: string };

/** Slack as far as it matters here: page after page, or an error; then empty pages. */
async function find(script: (Page | Error)[], part = PART) {
  const steps = [...script];
  const { call, calls } = aSlack(() => {
    const step = steps.shift() ?? { messages: [] };
    if (step instanceof Error) throw step;
    return { messages: step.messages, response_metadata: { next_cursor: step.next ?? '' } };
  });
  const outcome = await findMessages({ call, findInstallation }, part, KEY, ['1.2']).then(
    (found) => ({ found }),
    (error: unknown) => ({ error }),
  );
  return { calls, ...outcome };
}

const ours = (ts: string, change: Partial<PartKey> = {}) => ({ ts, metadata: toMetadata({ ...KEY, ...change }) });

describe('looking for a message that was perhaps created', () => {
  it('finds it by the turn and the part that are written into it', async () => {
    const messages = [
      { ts: '1.1' },
      ours('1.2', { part: 0 }),
      ours('1.3', { part: 2 }),
      ours('1.4', { turnId: 'message:T1:C1:200.1' }),
      { ts: '1.5', metadata: { event_type: 'of_another_app', event_payload: toMetadata(KEY).event_payload } },
      ours('1.6'),
    ];

    expect(await find([{ messages }])).toMatchObject({ found: ['1.6'] });
  });

  it.each(['in_progress', 'completed', 'errored'])(
    'finds a stream (%s), which has no metadata, by what else there is in the thread',
    async (state) => {
      const stream = { user: INSTALLATION.botUserId, streaming_state: state };
      const messages = [
        { ts: '1.1', user: INSTALLATION.botUserId },
        { ts: '1.2', ...stream },
        { ...stream, ...ours('1.3', { turnId: 'another' }) },
        { ts: '1.4', ...stream, user: 'U2' },
        { ts: '1.5', ...stream },
      ];

      expect(await find([{ messages }], { ...PART, stream: 'open' })).toMatchObject({ found: ['1.5'] });
      expect(await find([{ messages }])).toMatchObject({ found: [] });
    },
  );

  it('reads on, page after page, and finds all where runs overlapped, the oldest first', async () => {
    const pages = [
      { messages: [ours('2.1'), ours('1.1')], next: 'second' },
      { messages: [], next: 'third' },
    ];

    const { calls, ...outcome } = await find([...pages, { messages: [ours('3.1')] }]);

    expect(outcome).toEqual({ found: ['1.1', '2.1', '3.1'] });
    expect(calls.map(({ args }) => args.cursor)).toEqual([undefined, 'second', 'third']);
  });

  const { threadTs: _, ...root } = PART;
  const thread = { channel: 'C1', ts: '100.1', limit: 200, include_all_metadata: true };
  it.each<[string, ReplyPart, string, object]>([
    [
      'a thread, from a quarter of an hour before the attempt, because clocks differ',
      PART,
      'conversations.replies',
      { ...thread, oldest: '1699999100' },
    ],
    [
      'a thread, from the message that asks, whatever our clock said',
      { ...PART, placingAt: 9_999_999_999_999, since: '100.5' },
      'conversations.replies',
      { ...thread, oldest: '100.5' },
    ],
    [
      'the channel, where the message was to open a thread',
      root,
      'conversations.history',
      { channel: 'C1', oldest: '1699999100' },
    ],
  ])('reads %s', async (_place, part, method, args) => {
    const { calls, ...outcome } = await find([{ messages: [ours('1.1')] }], part);

    expect(outcome).toEqual({ found: ['1.1'] });
    expect(calls).toMatchObject([{ method, args }]);
  });

  it.each([
    ['is unreachable', new SlackUnavailableError('conversations.replies')],
    ['asks to wait', new SlackRateLimitedError('conversations.replies', 30_000)],
    ['does not answer', new OutcomeUnknownError('conversations.replies', 'reset')],
    ['cannot be understood', new TypeError('no JSON')],
  ])('is tried again later, and never taken as not found, where Slack %s', async (_, fault) => {
    expect(await find([fault])).toMatchObject({ error: expect.any(TransientError) });
    expect(await find([{ messages: [], next: 'more' }, fault])).toMatchObject({ error: expect.any(TransientError) });
  });

  it('stays refused where Slack refuses it: that may never end, and must be given up one day', async () => {
    const refusal = new SlackRefusedError('conversations.replies', 'missing_scope');

    expect(await find([refusal])).toMatchObject({ error: refusal });
  });

  it.each(['thread_not_found', 'message_not_found', 'channel_not_found', 'not_in_channel'])(
    'finds nothing where Slack says %s',
    async (slackError) => {
      const { calls: _, ...outcome } = await find([new SlackRefusedError('conversations.replies', slackError)]);

      expect(outcome).toEqual({ found: [] });
    },
  );
});

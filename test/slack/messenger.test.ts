import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { OutcomeUnknownError } from '../../src/http/http-errors.ts';
import { toMetadata } from '../../src/slack/find-message.ts';
import { createMessenger } from '../../src/slack/messenger.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { INSTALLATION } from './a-slack.ts';

const HELLO: Content = { text: 'hello', blocks: [] };
const HERE = { workspace: 'T1', channel: 'C1', threadTs: '1.0' };
const QUIET = { unfurl_links: false, unfurl_media: false };
const KEY = { workspace: 'T1', turnId: 'review:7', part: 0 };

/** Slack with these messages in its channel. */
function aSlack(messages: object[] = []) {
  const call = sinon.stub();
  call.resolves({ ok: true, ts: '2.0' });
  call.withArgs('conversations.history').resolves({ ok: true, messages });
  const messenger = createMessenger({
    call: call as never,
    findInstallation: async () => INSTALLATION,
    channels: { directMessage: async (_workspace, user) => `D-${user}` },
  });
  const calls = () => call.args.map(([method, , args, importance]) => [method, args, importance]);
  return { call, messenger, calls };
}

describe('a message of the messenger', () => {
  it('fetches nothing, wherever it is said', async () => {
    const { messenger, calls } = aSlack();

    const ts = await messenger.post(HERE, HELLO, 'notice');
    await messenger.postDirect({ workspace: 'T1', user: 'U1' }, HELLO);

    expect(ts).toBe('2.0');
    expect(calls()).toEqual([
      ['chat.postMessage', { channel: 'C1', thread_ts: '1.0', ...HELLO, ...QUIET }, 'notice'],
      ['chat.postMessage', { channel: 'D-U1', ...HELLO, ...QUIET }, undefined],
    ]);
  });

  it('is seen by one person alone, or takes the place of another', async () => {
    const { messenger, calls } = aSlack();

    await messenger.postEphemeral({ workspace: 'T1', channel: 'C1' }, 'U1', HELLO);
    await messenger.update(HERE, '2.0', HELLO, 'extra');

    expect(calls()).toEqual([
      ['chat.postEphemeral', { channel: 'C1', user: 'U1', ...HELLO }, undefined],
      ['chat.update', { channel: 'C1', ts: '2.0', ...HELLO }, 'extra'],
    ]);
  });
});

describe('a message that is to be said once', () => {
  const message = { channel: 'C1', content: HELLO, key: KEY, since: 7_000 };
  const guard = (isFirst: boolean) => ({ isFirst: async () => isFirst, check: () => undefined, wait: async () => {} });

  it('is posted by the first who tries, without looking for it', async () => {
    const { messenger, calls } = aSlack();

    await messenger.postOnce(message, guard(true));

    expect(calls()).toEqual([
      ['chat.postMessage', { channel: 'C1', ...HELLO, metadata: toMetadata(KEY), ...QUIET }, 'notice'],
    ]);
  });

  it.each([
    ['is not posted again where it is there', [{ ts: '2.0', metadata: toMetadata(KEY) }], 0],
    ['is posted by another where it is not there', [{ ts: '2.0', metadata: toMetadata({ ...KEY, part: 1 }) }], 1],
  ])('%s', async (_, messages, posts) => {
    const { call, messenger } = aSlack(messages);

    await messenger.postOnce(message, guard(false));

    expect(call.withArgs('chat.postMessage').callCount).toBe(posts);
  });

  it('is not posted where the last check forbids it', async () => {
    const { call, messenger } = aSlack();
    const check = () => {
      throw new Error('not ours any more');
    };

    await expect(messenger.postOnce(message, { ...guard(true), check })).rejects.toThrow('not ours any more');

    expect(call.callCount).toBe(0);
  });

  it('waits until it could be found, where nobody knows whether it was posted, and is to be tried again', async () => {
    const { call, messenger } = aSlack();
    call.withArgs('chat.postMessage').rejects(new OutcomeUnknownError('https://slack.com', 'timeout'));
    const wait = sinon.fake.resolves(undefined);

    await expect(messenger.postOnce(message, { ...guard(true), wait })).rejects.toMatchObject({
      code: 'part_in_doubt',
    });

    expect(wait.args).toEqual([[3_000]]);
  });
});

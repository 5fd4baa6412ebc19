import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplyMode } from '../../../src/conversation/channel-settings.ts';
import { StoreUnavailableError, TransientError } from '../../../src/errors.ts';
import { registerChangedMessages } from '../../../src/slack/listeners/changed-messages.ts';
import { registerMessage } from '../../../src/slack/listeners/message.ts';
import { aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

const ROOT = {
  ...{ type: 'message', team: 'T1', channel: 'C1', channel_type: 'channel' },
  ...{ user: 'UANA', ts: '100.1', event_ts: '100.1', text: 'What is on today?' },
};

const REPLY = { ...ROOT, ts: '101.1', thread_ts: '100.1', text: 'And tomorrow?' };

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ events }, ports) => {
    registerMessage(events, ports);
    registerChangedMessages(events, ports);
  });
});

function setMode(reply: ReplyMode, channel = 'C1'): void {
  world.ports.channelSettings = async (place) => ({
    reply: place.workspace === 'T1' && place.channel === channel ? reply : 'threads',
  });
}

const accepted = () => world.accepted.map(({ question }) => question.text);

/** Ana has asked in the thread before. */
const engage = () =>
  world.store.turns.accept(aTurn(), [{ kind: 'engage', thread: 'T1:C1:100.1', user: 'UANA', workspace: 'T1' }]);

describe('a message that begins a thread and mentions nobody', () => {
  it.each(['mentions', 'threads'] as const)('is not for the app where it replies in the mode "%s"', async (mode) => {
    setMode(mode);
    await world.event(ROOT);

    expect(accepted()).toEqual([]);
  });

  it('is a question where it replies to all of them, and says that nobody was mentioned', async () => {
    setMode('all');
    await world.event(ROOT);

    expect(world.accepted).toMatchObject([
      { id: 'message:T1:C1:100.1', question: { text: ROOT.text, isUnaddressed: true, startsThread: true } },
    ]);
  });

  it('is asked once, with a mention as well', async () => {
    setMode('all');
    const mention = { ...ROOT, text: '<@UBOT> What is on today?' };
    await world.event(mention);
    await world.event({ ...mention, type: 'app_mention' });

    expect(world.accepted).toHaveLength(1);
    expect(world.accepted[0]?.question).not.toHaveProperty('isUnaddressed');
  });

  it.each<[string, object]>([
    ['of another channel', { channel: 'C2' }],
    ['of a bot', { bot_id: 'B2' }],
    ['of another app', { app_id: 'A2' }],
    ['of the app itself', { user: 'UBOT' }],
    ['to somebody else', { text: '<@UBEN> can you look at this?' }],
    ['without words', { text: '', files: [{ id: 'F1', name: 'a.txt', mode: 'hosted' }], subtype: 'file_share' }],
  ])('is left alone: one %s', async (_, change) => {
    setMode('all');
    await world.event({ ...ROOT, ...change });

    expect(accepted()).toEqual([]);
  });

  it('is sent again by Slack where nobody can tell', async () => {
    world.ports.channelSettings = async () => {
      throw new StoreUnavailableError('away');
    };

    await expect(world.event(ROOT)).rejects.toThrow(TransientError);
  });

  it('is not asked any more once it was deleted before it arrived', async () => {
    setMode('all');
    const recent = { ...ROOT, ts: '990.1' };
    const deleted = { ...recent, subtype: 'message_deleted', deleted_ts: '990.1', hidden: true, ts: '992.1' };
    await world.event({ ...deleted, previous_message: recent });
    await world.event(recent, { retryNum: 1 });

    expect(accepted()).toEqual([]);
  });
});

describe('a reply in a thread where its author has asked', () => {
  it.each<[ReplyMode, string[]]>([
    ['mentions', []],
    ['threads', [REPLY.text]],
    ['all', [REPLY.text]],
  ])('is a question, unless the app replies when mentioned only: %s', async (mode, texts) => {
    setMode(mode);
    await engage();
    await world.event(REPLY);

    expect(accepted()).toEqual(texts);
  });

  it('of somebody else is none, also where every root message is', async () => {
    setMode('all');
    await engage();
    await world.event({ ...REPLY, user: 'UBEN' });

    expect(accepted()).toEqual([]);
  });

  it('is one with a mention, and in direct messages, in every mode', async () => {
    setMode('mentions');
    await world.event({ ...REPLY, text: '<@UBOT> and tomorrow?' });
    await world.event({ ...ROOT, channel: 'D1', channel_type: 'im', ts: '103.1' });

    expect(accepted()).toEqual(['and tomorrow?', ROOT.text]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { registerChangedMessages } from '../../../src/slack/listeners/changed-messages.ts';
import { registerMessage } from '../../../src/slack/listeners/message.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

const EDITED = { user: 'UANA', ts: '1706785427.000000' };

/** As Slack sends it, but for what the app does not read. */
const SAID = { type: 'message', client_msg_id: 'c1', team: 'T1', user: 'UANA', ts: '100.1', text: 'What is on today?' };

const OUTER = { type: 'message', channel: 'C1', channel_type: 'channel', hidden: true, ts: '200.1', event_ts: '200.1' };

const changed = (message: object, previous_message: object | null | undefined) => ({
  ...OUTER,
  subtype: 'message_changed',
  message,
  previous_message,
});

const TOMBSTONE = {
  type: 'message',
  subtype: 'tombstone',
  text: 'This message was deleted.',
  user: 'USLACKBOT',
  hidden: true,
  ts: '100.1',
  thread_ts: '100.1',
  reply_count: 1,
  latest_reply: '101.1',
  reply_users: ['UBOT'],
  is_locked: false,
  subscribed: false,
};

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ events }, ports) => registerChangedMessages(events, ports));
});

const turn = () => world.store.turns.get(aTurn().id);

describe('a change of a question that was not sent', () => {
  it.each([
    ['a preview', { ...SAID, attachments: [{ id: 1, from_url: 'https://example.com', text: 'A page' }] }],
    ['a preview after an edit', { ...SAID, edited: EDITED, attachments: [{ from_url: 'https://example.com' }] }],
    ['a pin', { ...SAID, pinned_to: ['C1'], pinned_info: { C1: { pinned_by: 'UBEN', pinned_ts: 1 } } }],
    ['its first reply', { ...SAID, thread_ts: '100.1', reply_count: 1, latest_reply: '101.1', subscribed: false }],
    ['somebody else', { ...SAID, text: 'Who earns what?', edited: { user: 'UADMIN', ts: '150.000000' } }],
    ['nobody', { ...SAID, text: 'Who earns what?' }],
    ['a bot', { ...SAID, text: 'Who earns what?', bot_id: 'B2', edited: EDITED }],
    ['an unknown author', { ...SAID, user: undefined, text: 'Who earns what?', edited: undefined }],
  ])('by %s is nothing', async (_, message) => {
    await world.store.turns.accept(aTurn());

    await world.event(changed(message, SAID));

    expect(await turn()).toEqual(aTurn());
    expect([world.accepted, world.said]).toEqual([[], []]);
  });
});

describe('a change of a question that was sent', () => {
  const edit = changed({ ...SAID, text: 'What is on tomorrow?', edited: EDITED }, SAID);

  it('in a direct message is told of in its thread', async () => {
    const direct = { id: 'message:T1:D1:100.1', question: aQuestion({ channel: 'D1', audience: 'person' }) };
    await world.store.turns.accept(aTurn(direct));
    await world.store.turns.save(aTurn({ ...direct, stage: 'done', result: 'answer' }));

    await world.event({ ...edit, channel: 'D1', channel_type: 'im' });

    expect(world.said).toMatchObject([{ place: { channel: 'D1', threadTs: '100.1' } }]);
  });

  it.each(['cancelled', 'guest', 'shared_channel', 'cannot_post'])(
    'that ended as %s is not told of',
    async (result) => {
      await world.store.turns.accept(aTurn());
      await world.store.turns.save(aTurn({ stage: 'done', result }));

      await world.event(edit);

      expect(world.said).toEqual([]);
    },
  );
});

describe('a change of a message that was no question', () => {
  it('makes it none where it mentioned us already: it is older than we remember', async () => {
    const fiveHours = 5 * 3_600_000;
    world = startListeners(({ events }, ports) => registerChangedMessages(events, { ...ports, now: () => fiveHours }));
    await world.event(changed({ ...SAID, text: '<@UBOT> again?', edited: EDITED }, { ...SAID, text: '<@UBOT> once?' }));

    expect(world.accepted).toEqual([]);
  });

  it('asks it where its own event was refused and is yet to be resent: once, as it is now', async () => {
    const once = { ...SAID, ts: '700.1', text: '<@UBOT> once?' };
    world = startListeners(({ events }, ports) => {
      registerMessage(events, ports);
      registerChangedMessages(events, ports);
    });
    await world.event(changed({ ...once, text: '<@UBOT> better?', edited: EDITED }, once));
    await world.event({ ...once, channel: 'C1', channel_type: 'channel', event_ts: once.ts });

    expect(world.accepted).toMatchObject([{ id: 'message:T1:C1:700.1', question: { text: 'better?' } }]);
  });

  it.each([null, undefined, {}])('makes it none where Slack does not say what it was: %o', async (previous) => {
    await world.event(changed({ ...SAID, text: '<@UBOT> again?', edited: EDITED }, previous));

    expect(world.accepted).toEqual([]);
  });
});

describe('a question that is deleted', () => {
  it('is cancelled where nothing is said of what it was', async () => {
    await world.store.turns.accept(aTurn());

    await world.event({ ...OUTER, subtype: 'message_deleted', deleted_ts: '100.1' });

    expect(await turn()).toMatchObject({ stage: 'cancelled' });
  });

  it('is cancelled together with those that ask it again', async () => {
    const { id } = aTurn();
    const edit = `edit:T1:C1:100.1:${EDITED.ts}`;
    const again = [id, `again:${id}:again`, edit, `again:${edit}:again`];
    const ids = [...again, `again:${id}:web-off`, `again:again:${id}:again:again`];
    for (const one of ids) await world.store.turns.accept(aTurn({ id: one, question: aQuestion({ text: '' }) }));

    await world.event(changed(TOMBSTONE, { ...SAID, edited: EDITED }));

    const stages = await Promise.all(ids.map(async (one) => (await world.store.turns.get(one))?.stage));
    expect(stages).toEqual(ids.map(() => 'cancelled'));
  });

  it('is cancelled where it waits for a sign-in, and nothing else in its thread is', async () => {
    const { id } = aTurn();
    const parked = `again:${id}:again`;
    const others = [
      aTurn({ id: 'other-message', question: aQuestion({ messageTs: '100.2' }) }),
      aTurn({ id: 'share', question: aQuestion({ shares: [{ channel: 'D1', ts: '101.1' }] }) }),
      aTurn({ id: 'by-ben', question: aQuestion({ asker: { team: 'T1', user: 'UBEN' } }) }),
    ];
    for (const turn of [aTurn(), aTurn({ id: parked }), ...others]) await world.store.turns.accept(turn);
    await world.store.turns.save(aTurn({ stage: 'done', result: 'answer' }));
    await world.store.turns.save(aTurn({ id: parked, stage: 'parked' }));

    await world.event({ ...OUTER, subtype: 'message_deleted', deleted_ts: '100.1' });

    expect((await world.store.turns.get(parked))?.stage).toBe('cancelled');
    for (const other of others) expect((await world.store.turns.get(other.id))?.stage).toBe('accepted');
  });
});

describe('a question that is deleted before its own event is accepted', () => {
  const ASKED = { ...SAID, ts: '900.1', text: '<@UBOT> What is on today?' };
  const DELETED = { ...OUTER, subtype: 'message_deleted', deleted_ts: '900.1', previous_message: ASKED };
  const RESENT = { ...ASKED, channel: 'C1', channel_type: 'channel' };

  beforeEach(() => {
    world = startListeners(({ events }, ports) => {
      registerMessage(events, ports);
      registerChangedMessages(events, ports);
    });
  });

  it.each([
    ['without replies', DELETED],
    ['with replies', changed({ ...TOMBSTONE, ts: '900.1' }, ASKED)],
  ])('%s is not asked when Slack sends it again, in either form', async (_, deleted) => {
    await world.event(deleted);
    await world.event(RESENT, { retryNum: 1 });
    await world.event({ ...RESENT, type: 'app_mention' }, { retryNum: 2 });

    expect(world.accepted).toEqual([]);
  });

  it('says nothing of other questions that are sent again', async () => {
    await world.event(DELETED);
    await world.event({ ...RESENT, ts: '900.2' }, { retryNum: 1 });

    expect(world.accepted).toHaveLength(1);
  });

  it('is not remembered where it was for somebody else', async () => {
    const chat = { ...ASKED, text: '<@UBEN> What is on today?' };
    await world.event({ ...DELETED, previous_message: chat });

    expect(await world.ports.once.peek('deleted:message:T1:C1:900.1')).toBeUndefined();
  });
});

describe('a mention that Slack sends again after an edit', () => {
  const MENTION = { ...SAID, type: 'app_mention', text: '<@UBOT> What is on today?', channel: 'C1' };
  const DAY_MS = 24 * 3_600_000;

  it.each([
    ['is a question where we may have missed it', 28, EDITED, 1],
    ['is nothing where we may have answered and forgotten it', 30, EDITED, 0],
    ['is a question however old it is where it was not edited', 30, undefined, 1],
  ])('%s', async (_, days, edited, questions) => {
    world = startListeners(({ events }, ports) => registerMessage(events, { ...ports, now: () => days * DAY_MS }));

    await world.event({ ...MENTION, edited });

    expect(world.accepted).toHaveLength(questions);
  });
});

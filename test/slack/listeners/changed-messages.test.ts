// What is done about an edit or a deletion is in ../payloads/changed-shapes.ts; here what takes more than one question.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/conversation/turn.ts';
import { registerChangedMessages } from '../../../src/slack/listeners/changed-messages.ts';
import { registerMessage } from '../../../src/slack/listeners/message.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

const EDITED = { user: 'UANA', ts: '1706785427.000000' };

/** As Slack sends it, but for what the app does not read. */
const SAID = { type: 'message', client_msg_id: 'c1', team: 'T1', user: 'UANA', ts: '100.1', text: 'What is on today?' };

const OUTER = { type: 'message', channel: 'C1', channel_type: 'channel', hidden: true, ts: '200.1', event_ts: '200.1' };

const DELETED = { ...OUTER, subtype: 'message_deleted', deleted_ts: '100.1' };

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ events }, ports) => {
    registerMessage(events, ports);
    registerChangedMessages(events, ports);
  });
});

it.each(['answer', 'stopped', 'failed', 'paused', 'person_cap'])(
  'an edit in a direct message is told of in its thread, truly also after: %s',
  async (result) => {
    const direct = { id: 'message:T1:D1:100.1', question: aQuestion({ channel: 'D1', audience: 'person' }) };
    await world.store.turns.accept(aTurn(direct));
    await world.store.turns.save(aTurn({ ...direct, stage: 'done', result }));
    const message = { ...SAID, text: 'What is on tomorrow?', edited: EDITED };

    await world.event({
      ...{ ...OUTER, channel: 'D1', channel_type: 'im', subtype: 'message_changed' },
      ...{ message, previous_message: SAID },
    });

    expect(world.said).toMatchObject([
      {
        text: 'You changed your question after I had finished with it.',
        place: { channel: 'D1', threadTs: '100.1' },
      },
    ]);
  },
);

it.each([
  ['that waits keeps what its message says now', 'accepted', 'What is on tomorrow?', 0],
  ['that was answered is offered once more, for the last edit', 'done', '', 1],
] as const)('a question %s, if Slack sends an older edit again', async (_, stage, text, offers) => {
  const question = aQuestion({ channel: 'D1', audience: 'person', text: stage === 'done' ? '' : SAID.text });
  const direct = { id: 'message:T1:D1:100.1', question };
  await world.store.turns.accept(aTurn(direct));
  if (stage === 'done') await world.store.turns.save(aTurn({ ...direct, stage, result: 'answer' }));
  const edit = (from: string, to: string, second: number) =>
    world.event({
      ...{ ...OUTER, channel: 'D1', channel_type: 'im', subtype: 'message_changed', ts: `20${second}.1` },
      message: { ...SAID, text: to, edited: { ...EDITED, ts: `20${second}.000000` } },
      previous_message: { ...SAID, text: from },
    });

  await edit('What is on todya?', 'What is on tomorrow?', 2);
  await edit(SAID.text, 'What is on todya?', 1);

  expect((await world.store.turns.get(direct.id))?.question.text).toBe(text);
  expect(world.said).toHaveLength(offers);
});

describe('an edit that was taken is not offered', () => {
  const id = 'message:T1:C1:900.1';
  const before = { ...SAID, ts: '900.1', text: 'What is on?' };
  const message = { ...before, text: '<@UBOT> What is on today?', edited: EDITED };
  const edit = () => world.event({ ...OUTER, subtype: 'message_changed', message, previous_message: before });
  const begin = async () => {
    const turn = aTurn({ id, question: aQuestion({ messageTs: '900.1', threadTs: '900.1' }) });
    await world.store.turns.accept(turn);
    return turn;
  };
  const answer = async (turn: Turn) =>
    void (await world.store.turns.save({ ...turn, stage: 'done', result: 'answer' }));

  it('where its event comes again after the answer', async () => {
    const { fence, ...turn } = await begin();
    await edit();
    await answer({ ...turn, fence: fence + 1 });
    await edit();

    expect(world.said).toEqual([]);
  });

  it('where it made the message a question, and its event comes again after the answer', async () => {
    await edit();
    await answer(await begin());
    await edit();

    expect(world.accepted).toMatchObject([{ id }]);
    expect(world.said).toEqual([]);
  });

  it('where the mention that it added came first', async () => {
    await world.event({ ...message, type: 'app_mention', channel: 'C1' });
    await answer(await begin());
    await edit();

    expect(world.accepted).toMatchObject([{ id }]);
    expect(world.said).toEqual([]);
  });
});

it('a question whose event comes at the moment of its edit is asked as it was edited', async () => {
  const id = 'message:T1:D1:100.1';
  world.ports.accept = async () => {
    const question = aQuestion({ channel: 'D1', audience: 'person', text: SAID.text });
    await world.store.turns.accept(aTurn({ id, question }));
    return 'duplicate';
  };

  await world.event({
    ...{ ...OUTER, channel: 'D1', channel_type: 'im', subtype: 'message_changed' },
    message: { ...SAID, text: 'What is on tomorrow?', edited: EDITED },
    previous_message: SAID,
  });

  expect((await world.store.turns.get(id))?.question.text).toBe('What is on tomorrow?');
});

describe('a question that is deleted', () => {
  it('is cancelled together with those that ask it again', async () => {
    const { id } = aTurn();
    const edit = `edit:T1:C1:100.1:${EDITED.ts}`;
    const again = [id, `again:${id}:again`, edit, `again:${edit}:again`];
    const ids = [...again, `again:${id}:web-off`, `again:again:${id}:again:again`];
    for (const one of ids) await world.store.turns.accept(aTurn({ id: one, question: aQuestion({ text: '' }) }));

    await world.event({ ...DELETED, previous_message: { ...SAID, edited: EDITED } });

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

    await world.event(DELETED);

    expect((await world.store.turns.get(parked))?.stage).toBe('cancelled');
    for (const other of others) expect((await world.store.turns.get(other.id))?.stage).toBe('accepted');
  });

  it('before its own event came is remembered where it was for the app, and not where it was for somebody else', async () => {
    for (const [ts, person] of Object.entries({ '900.1': 'UBOT', '900.2': 'UBEN' })) {
      const previous_message = { ...SAID, ts, text: `<@${person}> What is on today?` };
      await world.event({ ...DELETED, deleted_ts: ts, previous_message });
    }

    expect(await world.ports.once.peek('deleted:message:T1:C1:900.1')).toBeDefined();
    expect(await world.ports.once.peek('deleted:message:T1:C1:900.2')).toBeUndefined();
  });

  it('is not asked by the event of an edit that Slack sends again after it', async () => {
    const before = { ...SAID, ts: '900.1', text: '<@UBOT> What is on today?' };
    const message = { ...before, text: '<@UBOT> What is on tomorrow?', edited: EDITED };

    await world.event({ ...DELETED, deleted_ts: '900.1', previous_message: message });
    await world.event({ ...OUTER, subtype: 'message_changed', message, previous_message: before });

    expect(world.accepted).toEqual([]);
  });
});

import type { ChatRecord } from '@assistant-bridge/sandbox/assistant/ledger.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { toMetadata } from '../../src/slack/find-message.ts';
import { buildNotice } from '../../src/slack/views/notice-message.ts';
import { toAnswerText } from './item.ts';
import { createJournal, type Journal, type Said } from './journal.ts';
import { reconcile } from './reconcile.ts';

const TEAM = 'T0001';
const CHANNEL = 'C0GENERAL';

let lastTs = 0;

/** Rising, and later than any journal of these tests. */
function nextTs(): string {
  lastTs += 1;
  return `${Math.floor(Date.now() / 1000) + 1_000}.${String(lastTs).padStart(6, '0')}`;
}

function sayIn(journal: Journal, root?: Said): Said {
  const ts = nextTs();
  const said = journal.said({
    number: journal.nextNumber(),
    author: 'U0ANA',
    channel: CHANNEL,
    ts,
    threadTs: root?.threadTs ?? ts,
  });
  journal.acknowledged(said.number, 'replica 1');
  return said;
}

function aReply({ ts, threadTs, number }: Said, text = toAnswerText(number)): Message {
  const turnId = `message:${TEAM}:${CHANNEL}:${ts}`;
  return {
    ...{ channel: CHANNEL, ts: nextTs(), threadTs, user: 'U0BRIDGE', botId: 'B0BRIDGE', teamId: TEAM, text },
    ...{ blocks: [], edits: 0, metadata: toMetadata({ workspace: TEAM, turnId, part: 0 }) },
  } as Message;
}

/** `from` and `to`: when it was asked and answered, in ms. */
function ask(journal: Journal, { number }: Said, [from, to]: [number, number], isProcessed = true): void {
  const chat = {
    subject: 'ana',
    text: '',
    conversation: 'c1',
    at: from,
    closedAt: to,
    isProcessed,
    isCut: false,
    status: 200,
  };
  journal.asked(number, chat as ChatRecord);
}

describe('the reconciliation', () => {
  it('finds nothing where every message has its one answer', () => {
    const journal = createJournal(TEAM);
    const first = sayIn(journal);
    const second = sayIn(journal, first);
    ask(journal, first, [1, 2]);
    ask(journal, second, [2, 3]);

    const tally = reconcile(journal, [aReply(first), aReply(second)]);

    expect(tally).toMatchObject({ acknowledged: 2, unacknowledged: 0, endings: { answer: 2 } });
    const { lost, duplicates, unasked, misplaced, askedTwice, outOfOrder, parallel } = tally;
    expect([lost, duplicates, unasked, misplaced, askedTwice, outOfOrder, parallel].flat()).toEqual([]);
  });

  it('takes what was acknowledged and has no reply for lost', () => {
    const journal = createJournal(TEAM);
    sayIn(journal);

    expect(reconcile(journal, []).lost).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('takes a reply that is not an end for none', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);

    expect(reconcile(journal, [aReply(said, 'One moment, please.')]).lost).toHaveLength(1);
  });

  it('counts a word in place of the answer as an end', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    const { text } = buildNotice('', { kind: 'notice', code: 'interrupted' }, english);

    const tally = reconcile(journal, [aReply(said, text)]);

    expect(tally.endings).toEqual({ interrupted: 1 });
    expect(tally.lost).toEqual([]);
  });

  it('misses nothing of what Slack had no acknowledgement of', () => {
    const journal = createJournal(TEAM);
    const ts = nextTs();
    journal.said({ number: journal.nextNumber(), author: 'U0ANA', channel: CHANNEL, ts, threadTs: ts });

    expect(reconcile(journal, [])).toMatchObject({ acknowledged: 0, unacknowledged: 1, lost: [] });
  });

  it('sees two messages of one turn', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);

    expect(reconcile(journal, [aReply(said), aReply(said)]).duplicates).toHaveLength(1);
  });

  it('sees a message in a thread that is of no turn of it', () => {
    const journal = createJournal(TEAM);
    const [said, other] = [sayIn(journal), sayIn(journal)];
    const stray = { ...aReply(other), threadTs: said.threadTs };

    expect(reconcile(journal, [aReply(said), aReply(other), stray]).strays).toHaveLength(1);
  });

  it('sees a message elsewhere that nobody asked for', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    const prompt = { ...aReply(said, 'Please sign in.'), channel: 'D0ANA', threadTs: nextTs(), metadata: undefined };

    expect(reconcile(journal, [aReply(said), prompt as unknown as Message]).unasked).toHaveLength(1);
  });

  it('finds an answer that went to the asker instead, with a word in the thread', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    const answer = { ...aReply(said), channel: 'D0ANA', threadTs: undefined } as unknown as Message;
    const word = aReply(said, 'Ana got the answer in a direct message.');

    const tally = reconcile(journal, [answer, word]);

    expect(tally).toMatchObject({ endings: { answer: 1 }, lost: [], duplicates: [], unasked: [] });
    expect(tally.elsewhere).toEqual([expect.stringContaining('item 1 ')]);
    expect(reconcile(journal, [answer, aReply(said)]).duplicates).toHaveLength(1);
  });

  it('sees the answer to one question under another', () => {
    const journal = createJournal(TEAM);
    const [first, second] = [sayIn(journal), sayIn(journal)];

    const tally = reconcile(journal, [aReply(first, toAnswerText(2)), aReply(second)]);

    expect(tally.misplaced).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('sees a question that was asked with the access of somebody else', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    ask(journal, said, [1, 2]);
    const before = reconcile(journal, [aReply(said)]).askedAsOther;
    said.chats.push({ ...(said.chats[0] as ChatRecord), subject: 'ben' });

    expect(before).toEqual([]);
    expect(reconcile(journal, [aReply(said)]).askedAsOther).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('counts a question that was processed twice, not one that was refused first', () => {
    const journal = createJournal(TEAM);
    const [first, second] = [sayIn(journal), sayIn(journal)];
    ask(journal, first, [1, 2]);
    ask(journal, first, [3, 4]);
    ask(journal, second, [1, 2], false);
    ask(journal, second, [3, 4]);

    const tally = reconcile(journal, [aReply(first), aReply(second)]);

    expect(tally.askedTwice).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('sees what was asked as it was long before, and nothing in what was being sent just then', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    journal.changed(said.number, 'edited');
    ask(journal, said, [Date.now() + 900, Date.now() + 901]);
    const inTime = reconcile(journal, [aReply(said)]).askedUnchanged;
    ask(journal, said, [Date.now() + 5_000, Date.now() + 5_001]);

    expect(inTime).toEqual([]);
    expect(reconcile(journal, [aReply(said)]).askedUnchanged).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('misses no answer to what its author deleted', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    journal.deleting(said.number);

    expect(reconcile(journal, [])).toMatchObject({ lost: [], acknowledged: 1 });
    expect(journal.open()).toEqual([]);
  });

  it('sees what was asked after a later message of its thread, and leaves other threads alone', async () => {
    const journal = createJournal(TEAM);
    const first = sayIn(journal);
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = sayIn(journal, first);
    const elsewhere = sayIn(journal);
    ask(journal, elsewhere, [1, 2]);
    ask(journal, second, [3, 4]);
    ask(journal, first, [5, 6]);

    expect(reconcile(journal, []).outOfOrder).toEqual([expect.stringContaining('item 1 ')]);
  });

  it('tells what was asked after its end from what was asked out of order', () => {
    const journal = createJournal(TEAM);
    const first = sayIn(journal);
    const second = sayIn(journal, first);
    journal.replied(first, 'interrupted');
    ask(journal, second, [1, 2]);
    ask(journal, first, [Date.now() + 1_000, Date.now() + 1_001]);

    const { askedLate, outOfOrder, parallel } = reconcile(journal, []);

    expect(askedLate).toEqual([expect.stringContaining('item 1 ')]);
    expect([...outOfOrder, ...parallel]).toEqual([]);
  });

  it('sees two questions of one thread that were asked at the same time', () => {
    const journal = createJournal(TEAM);
    const first = sayIn(journal);
    const second = sayIn(journal, first);
    ask(journal, first, [1, 10]);
    ask(journal, second, [5, 12]);

    expect(reconcile(journal, []).parallel).toEqual([expect.stringContaining('item 2 ')]);
  });

  it('finds a stream that is left open', () => {
    const journal = createJournal(TEAM);
    const said = sayIn(journal);
    const stream = { state: 'streaming', startedAt: Date.now() } as NonNullable<Message['stream']>;

    const tally = reconcile(journal, [{ ...aReply(said), stream }]);

    expect(tally.unfinished).toHaveLength(1);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { StreamRecord } from '../../src/conversation/reply.ts';
import type { ReplyPart, Turn } from '../../src/conversation/turn.ts';
import { aTurn } from './a-question.ts';
import { anAnswer, skipPauses, useHarness } from './run-harness.ts';

const DIRECT = { audience: 'person', channel: 'D1' } as const;

const harness = useHarness();
/** What was done to messages, in order. */
let done: string[];

beforeEach(() => {
  done = [];
  const { edit, remove } = harness.reply;
  harness.reply.edit = async (message, ts, key) => {
    done.push(`edit ${ts}${message.isAddition ? ' below' : ''}`);
    return edit(message, ts, key);
  };
  harness.reply.remove = async (channel, ts, workspace) => {
    done.push(`remove ${ts}`);
    await remove(channel, ts, workspace);
  };
  harness.reply.endStream = async (_turn, _part, ts) => {
    done.push(`end ${ts} at ${(await harness.turn())?.stage}`);
  };
});

/** Answers in as many messages as there are texts, each of which is recorded by then. */
function streams(...texts: string[]): { recorded: ReplyPart[][] } {
  const recorded: ReplyPart[][] = [];
  const note = async () => void recorded.push((await harness.turn())?.parts ?? []);

  async function write(record: StreamRecord): Promise<void> {
    for (const [index, words] of texts.entries()) {
      const key = await record.begin();
      await note();
      const ts = `800.${index + 1}`;
      harness.shown.push({ ts, channel: 'D1', words, key: 'none' });
      await record.placed(key, ts);
      await note();
      if (index < texts.length - 1) record.ended(key);
    }
  }

  let writing: Promise<void> | undefined;
  harness.reply.stream = (_turn, record) => ({
    grow: () => {
      writing ??= write(record);
    },
    close: async () => writing?.catch(() => undefined),
  });
  harness.ports.assistant.ask = async (call) => {
    harness.asked.push(call);
    call.onProgress?.(() => texts.join(''));
    return anAnswer('the whole answer');
  };
  return { recorded };
}

const aStream = (change: Partial<ReplyPart> = {}): ReplyPart => ({
  step: 'placed',
  channel: 'D1',
  ts: '800.1',
  stream: 'open',
  ...change,
});

const resume = async (change: Partial<Turn>) => {
  const { question } = aTurn();
  await harness.store.turns.accept(aTurn({ question: { ...question, ...DIRECT }, ...change }));
  await harness.run();
};

describe('an answer that is shown while it arrives', () => {
  it('is recorded before each message exists, and again when it does', async () => {
    const { recorded } = streams('the whole');
    await harness.accept(DIRECT);
    await harness.run();

    expect(recorded[0]).toMatchObject([{ step: 'placing', channel: 'D1', stream: 'open', since: '100.1' }]);
    expect(recorded[1]).toMatchObject([{ step: 'placed', ts: '800.1', stream: 'open' }]);
  });

  it('waits for the disk once for each message, beside what every question waits for', async () => {
    const flushed: string[] = [];
    const { save } = harness.store.turns;
    harness.ports.turns = {
      ...harness.store.turns,
      save(turn, changes, mayBeLost) {
        if (!mayBeLost) flushed.push(`${turn.stage}, ${turn.parts.length} parts`);
        return save(turn, changes, mayBeLost);
      },
    };
    streams('the whole');
    await harness.accept(DIRECT);

    await harness.run();

    expect(flushed).toEqual(['asking, 0 parts', 'asking, 1 parts', 'answered, 1 parts']);
    expect((await harness.turn())?.stage).toBe('done');
  });

  it('ends once the outcome is stored, and its message becomes the reply', async () => {
    streams('the whole');
    await harness.accept(DIRECT);
    await harness.run();

    expect(done).toEqual(['end 800.1 at answered', 'edit 800.1']);
    expect(harness.words()).toEqual(['the whole answer']);
    expect((await harness.turn())?.stage).toBe('done');
  });

  it('in a message that Slack does not let us edit is replaced by the reply', async () => {
    streams('the wh');
    harness.reply.edit = async () => 'gone';
    await harness.accept(DIRECT);
    await harness.run();

    expect(harness.words()).toEqual(['the whole answer']);
  });

  it('is shown when it is complete in a channel', async () => {
    const { recorded } = streams('the whole');
    await harness.accept();
    await harness.run();

    expect(recorded).toEqual([]);
    expect(harness.words()).toEqual(['the whole answer']);
  });

  it('is shown when it is complete where the question itself is still to be shown', async () => {
    const typed = { ...DIRECT, threadTs: '100.1', about: '100.1', messageTs: undefined, origin: 'shortcut' } as const;
    streams('the wh');
    await harness.accept(typed);
    await harness.run();

    expect(harness.asked).toHaveLength(1);
    expect(harness.words()).not.toContain('the wh');
  });

  it('in more messages than the reply loses those first, so that nothing is read twice', async () => {
    streams('the ', 'whole ', 'ans');
    await harness.accept(DIRECT);
    await harness.run();

    expect(done).toEqual(['remove 800.2', 'end 800.3 at answered', 'remove 800.3', 'edit 800.1']);
    expect(harness.words()).toEqual(['the whole answer']);
  });

  it('in as many messages as the reply is edited from its end', async () => {
    streams('the ', 'whole');
    const { ask } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => ({ ...(await ask(call)), text: 'first|second|third' });
    await harness.accept(DIRECT);
    await harness.run();

    expect(done).toEqual(['end 800.2 at answered', 'edit 800.2', 'edit 800.1']);
    expect(harness.words()).toEqual(['first', 'second', 'third']);
  });

  it('makes no message for a run that was replaced', async () => {
    const { recorded } = streams('the whole');
    await harness.accept(DIRECT);
    const { ask } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => {
      await harness.store.turns.end(aTurn().id, 'stopped');
      return ask(call);
    };
    await harness.run().catch(() => undefined);

    expect(recorded).toEqual([]);
    expect(harness.shown).toEqual([]);
  });
});

it('an answer of several messages is made anew in order where nothing may be edited', async () => {
  streams('the who', 'le answer');
  harness.reply.compose = async () => ['first', 'second'].map((content) => ({ channel: 'D1', content }));
  harness.reply.edit = async () => 'gone';
  await harness.accept(DIRECT);
  await harness.run();

  expect(harness.words()).toEqual(['first', 'second']);
});

describe('after a crash while an answer was streamed', () => {
  it('the message that exists says that it was interrupted', async () => {
    harness.shown.push({ ts: '800.1', channel: 'D1', words: 'the who', key: 'none' });
    await resume({ stage: 'asking', parts: [aStream()] });

    expect(done).toEqual(['end 800.1 at answered', 'edit 800.1']);
    expect(harness.words()).toEqual(['interrupted']);
  });

  it('a message that may exist is looked for among those that are not known', async () => {
    harness.shown.push({ ts: '800.1', channel: 'D1', words: 'the', key: 'none' });
    harness.shown.push({ ts: '800.2', channel: 'D1', words: 'who', key: 'none' });
    const looked: unknown[] = [];
    harness.reply.find = async (part, _key, known) => {
      looked.push([part.stream, known]);
      return ['800.2'];
    };
    const parts = [aStream({ stream: 'ended' }), aStream({ step: 'placing', ts: undefined as never, placingAt: 0 })];
    await resume({ stage: 'asking', parts });

    expect(looked).toEqual([['open', ['800.1']]]);
    expect(harness.words()).toEqual(['interrupted']);
  });

  it('a message that does not exist is created', async () => {
    harness.reply.find = async () => [];
    const part: ReplyPart = { step: 'placing', channel: 'D1', placingAt: 0, stream: 'open' };
    skipPauses();
    await resume({ stage: 'asking', parts: [part] });

    expect(done).toEqual([]);
    expect(harness.words()).toEqual(['interrupted']);
  });
});

describe('an answer that is stopped', () => {
  it('keeps what had arrived, with the word below its last message', async () => {
    harness.shown.push({ ts: '800.1', channel: 'D1', words: 'the', key: 'none' });
    harness.shown.push({ ts: '800.2', channel: 'D1', words: 'who', key: 'none' });
    harness.reply.compose = async () => [{ channel: 'D1', content: 'stopped' }];
    await resume({ stage: 'stopped', parts: [aStream({ stream: 'ended' }), aStream({ ts: '800.2' })] });

    expect(done).toEqual(['end 800.2 at stopped', 'edit 800.2 below']);
    expect((await harness.turn())?.stage).toBe('done');
  });

  it('keeps that also where the word cannot be put below it', async () => {
    harness.shown.push({ ts: '800.1', channel: 'D1', words: 'the who', key: 'none' });
    harness.reply.compose = async () => [{ channel: 'D1', content: 'stopped' }];
    harness.reply.edit = async () => 'gone';
    await resume({ stage: 'stopped', parts: [aStream()] });

    expect(harness.words()).toEqual(['the who', 'stopped']);
  });

  it('while its message was created keeps that message, and holds nobody up', async () => {
    streams('the who');
    const { stream } = harness.reply;
    harness.reply.stream = (turn, record) =>
      stream(turn, {
        ...record,
        async placed(key, ts) {
          await harness.store.turns.end(turn.id, 'stopped');
          await record.placed(key, ts);
        },
      });
    harness.reply.find = async () => ['800.1'];
    harness.reply.compose = async () => [{ channel: 'D1', content: 'stopped' }];
    await harness.accept(DIRECT);
    await harness.run();
    harness.pass(5_000);
    await harness.run();

    expect(done).toEqual(['end 800.1 at stopped', 'edit 800.1 below']);
  });

  it('is removed with its question', async () => {
    harness.shown.push({ ts: '800.1', channel: 'D1', words: 'the', key: 'none' });
    await resume({ stage: 'cancelled', parts: [aStream()] });

    expect(harness.shown).toEqual([]);
  });
});

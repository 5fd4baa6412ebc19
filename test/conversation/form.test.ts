import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplyMessage } from '../../src/conversation/reply.ts';
import { PermanentError } from '../../src/errors.ts';
import { skipPauses, useHarness } from './run-harness.ts';

class Refused extends PermanentError {
  constructor(code = 'form_refused') {
    super(code, 'refused as it is');
  }
}

/** As many words a message as the form takes; what is refused throws. */
let refuses: (words: string) => boolean;

const harness = useHarness();

beforeEach(() => {
  refuses = () => false;
  const { create, edit } = harness.reply;
  harness.reply.create = async (message, key) => {
    if (refuses(String(message.content))) throw new Refused();
    return create(message, key);
  };
  harness.reply.edit = async (message, ts, key) => {
    if (refuses(String(message.content))) throw new Refused();
    return edit(message, ts, key);
  };
  harness.reply.compose = async ({
    form = 'whole',
    question: { channel, threadTs },
    outcome,
  }): Promise<ReplyMessage[]> => {
    const contents = { whole: ['a b', 'c d'], small: ['a', 'b', 'c', 'd'], plain: ['1', '2', '3', '4', '5'] }[form];
    const words = outcome?.kind === 'answer' ? contents : [String(outcome?.kind)];
    return (words ?? []).map((content) => ({ channel, threadTs, content }));
  };
});

describe('an answer that Slack refuses for its form', () => {
  it('is made smaller in the same run, and then plain, and asked for once', async () => {
    await harness.accept({}, 'turn-1');
    refuses = (content) => content.includes(' ');
    await harness.run('turn-1');
    const small = harness.words();
    harness.shown.length = 0;
    await harness.accept({}, 'turn-2');
    refuses = (content) => content.includes(' ') || content === 'b';

    await harness.run('turn-2');

    expect(small).toEqual(['a', 'b', 'c', 'd']);
    expect(harness.words()).toEqual(['1', '2', '3', '4', '5']);
    expect(harness.asked).toHaveLength(2);
    expect(await harness.turn('turn-2')).toMatchObject({ stage: 'done', result: 'answer', failures: 0 });
  });

  it('has what is posted already changed into the new form', async () => {
    await harness.accept();
    refuses = (content) => content === 'c d';

    await harness.run();

    expect(harness.words()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes on in the form it was in where the process dies in between', async () => {
    await harness.accept();
    refuses = (content) => content === 'c d';
    const { create } = harness.reply;
    harness.reply.create = async (message, key) => {
      // What is thrown here leaves the turn as a death would: nothing after it is written.
      if (message.content === 'c') throw new RangeError('dies');
      return create(message, key);
    };
    await harness.run();
    const between = await harness.turn();
    harness.reply.create = create;
    harness.pass(60_000);
    skipPauses();

    await harness.run();

    expect(between).toMatchObject({ stage: 'answered', form: 'small' });
    expect(harness.words()).toEqual(['a', 'b', 'c', 'd']);
    expect(harness.asked).toHaveLength(1);
  });

  it('is plain at once where it takes too long to render', async () => {
    const { compose } = harness.reply;
    harness.reply.compose = async (turn) => {
      if (turn.form !== 'plain') throw new Refused('render_timeout');
      return compose(turn);
    };
    await harness.accept();

    await harness.run();

    expect(harness.words()).toEqual(['1', '2', '3', '4', '5']);
  });

  it('that Slack refuses even plain is a failure, which the person is told in the end', async () => {
    refuses = (content) => content !== 'notice';
    await harness.accept();

    await harness.runUntilDone(120_000);

    expect(harness.words()).toEqual(['notice']);
    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'failed' });
  });
});

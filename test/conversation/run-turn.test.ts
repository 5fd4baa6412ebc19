import { beforeEach, describe, expect, it } from 'vitest';
import {
  AssistantOutcomeUnknownError,
  AssistantThrottledError,
  AssistantUnauthorizedError,
} from '../../src/assistant/assistant-errors.ts';
import { TransientError } from '../../src/errors.ts';
import { AccountNotLinkedError, TokenUnreadableError } from '../../src/identity/identity-errors.ts';
import { anAnswer, type Harness, startHarness } from './run-harness.ts';

let harness: Harness;

beforeEach(() => {
  harness = startHarness();
});

const words = () => harness.shown.map((one) => one.words);

describe('a question', () => {
  it('is answered in one message, and neither question nor answer is kept', async () => {
    await harness.accept({ text: 'what?' });

    await harness.run();

    expect(words()).toEqual(['answer to what?']);
    const turn = await harness.turn();
    expect(turn).toMatchObject({ stage: 'done', result: 'answer', question: { text: '', links: [] } });
    expect(JSON.stringify(turn)).not.toContain('answer to');
  });

  it('goes with its asker’s time zone, files and web setting', async () => {
    await harness.accept({
      webSearch: false,
      links: ['https://files.example/a.docx', 'https://elsewhere.example/b.docx'],
    });

    await harness.run();

    expect(harness.asked[0]).toMatchObject({
      timeZone: 'Europe/Berlin',
      files: ['https://files.example/a.docx'],
      webSearch: false,
      accessToken: 'token',
    });
  });

  it('leaves behind with which time zone it was asked, and by which id the service knows it', async () => {
    harness.ports.assistant.ask = async () => {
      harness.pass(4_000);
      return { ...anAnswer('an answer'), requestId: 'r-1' };
    };
    await harness.accept();

    await harness.run();

    const { details, decidedAt = 0, acceptedAt = 0 } = (await harness.turn()) ?? {};
    expect(details).toEqual({ timeZone: 'Europe/Berlin', requestId: 'r-1' });
    expect(decidedAt - acceptedAt).toBe(4_000);
  });

  it('that is edited while it is about to be sent is asked once, as it was edited', async () => {
    const { access } = harness.ports;
    harness.ports.access = async (question) => {
      harness.ports.access = access;
      const { webSearch, links, unusable } = question;
      await harness.store.turns.revise('message:T1:C1:100.1', { text: 'what else?', webSearch, links, unusable });
      return access(question);
    };
    await harness.accept({ text: 'what?' });

    await harness.run();
    await harness.run();

    expect(harness.asked.map(({ text }) => text)).toEqual(['what else?']);
    expect(words()).toEqual(['answer to what else?']);
  });

  it('that is done is not run again', async () => {
    await harness.accept();
    await harness.run();

    await harness.run();

    expect(harness.asked).toHaveLength(1);
    expect(words()).toHaveLength(1);
  });

  it('of somebody who is not admitted is refused to them alone, without asking the service', async () => {
    harness.ports.admit = async () => 'guest';
    await harness.accept();

    await harness.run();

    expect(harness.told).toEqual(['guest']);
    expect(words()).toEqual([]);
    expect(harness.asked).toEqual([]);
  });

  it('that is a call for help gets help', async () => {
    await harness.accept({ text: 'Help' });

    await harness.run();

    expect(harness.told).toEqual(['help']);
    expect(harness.asked).toEqual([]);
  });

  it('with a long answer is answered in several messages, in order', async () => {
    harness.ports.assistant.ask = async () => anAnswer('one|two|three');
    await harness.accept();

    await harness.run();

    expect(words()).toEqual(['one', 'two', 'three']);
  });
});

describe('somebody who has not signed in', () => {
  beforeEach(() => {
    harness.ports.access = async () => {
      throw new AccountNotLinkedError('never');
    };
  });

  it('is asked to once, and the questions wait', async () => {
    await harness.accept({}, 'a');
    await harness.accept({}, 'b');

    await harness.run('a');
    await harness.run('b');

    expect(harness.told).toEqual(['sign in', 'waits as well']);
    expect(await harness.turn('a')).toMatchObject({ stage: 'parked' });
    expect(harness.asked).toEqual([]);
  });
});

describe('a service that is not there', () => {
  it('is waited for as long as it asks, then asked again', async () => {
    let calls = 0;
    harness.ports.assistant.ask = async () => {
      if (++calls === 1) throw new AssistantThrottledError(7_000, {});
      return anAnswer('at last');
    };
    await harness.accept();

    await harness.run();
    expect(await harness.turn()).toMatchObject({ stage: 'waiting', notBefore: 1_007_000 });
    harness.pass(7_000);
    await harness.run();

    expect(words()).toEqual(['at last']);
  });

  it('whose answer is lost is not asked again', async () => {
    let calls = 0;
    harness.ports.assistant.ask = async () => {
      calls++;
      throw new AssistantOutcomeUnknownError('timeout');
    };
    await harness.accept();

    await harness.run();
    await harness.run();

    expect(calls).toBe(1);
    expect(words()).toEqual(['outcome_unknown']);
  });

  it('that refuses the token is asked again with a new one, once', async () => {
    const tokens: string[] = [];
    harness.ports.assistant.ask = async ({ accessToken }) => {
      tokens.push(accessToken);
      if (accessToken === 'token') throw new AssistantUnauthorizedError(undefined, {});
      return anAnswer('with the new one');
    };
    await harness.accept();

    await harness.run();

    expect(tokens).toEqual(['token', 'renewed']);
    expect(words()).toEqual(['with the new one']);
  });
});

describe('Slack', () => {
  it('that asks to wait gets the answer afterwards, and the service is not asked again', async () => {
    const { create } = harness.reply;
    let calls = 0;
    harness.reply.create = async (message, key) => {
      if (++calls === 1) throw new TransientError('slack_rate_limited', 'wait', { retryAfterMs: 30_000 });
      return create(message, key);
    };
    await harness.accept();

    await harness.run();
    expect(await harness.turn()).toMatchObject({ stage: 'answered', notBefore: 1_030_000, parts: [{ step: 'none' }] });
    harness.pass(30_000);
    await harness.run();

    expect(words()).toHaveLength(1);
    expect(harness.asked).toHaveLength(1);
  });
});

describe('a slash command', () => {
  it('shows its question first, then moves into the thread’s lane and is answered there', async () => {
    await harness.accept({ threadTs: undefined, messageTs: undefined }, 'command:1');

    await harness.run('command:1');
    const moved = await harness.turn('command:1');
    expect(moved).toMatchObject({ lane: 'T1:C1:900.1', stage: 'accepted', question: { threadTs: '900.1' } });
    expect(harness.woken).toEqual(['T1:C1:900.1']);
    await harness.run('command:1');

    expect(words()).toEqual(['root: What is on today?', 'answer to What is on today?']);
    expect(await harness.store.threads.isEngaged('T1:C1:900.1', 'UANA')).toBe(true);
  });
});

describe('a slash command that fails before its question is shown', () => {
  it('is told to the one who gave it, and leaves nothing in the channel', async () => {
    harness.reply.create = async () => {
      throw new TransientError('slack_unavailable', 'down');
    };
    await harness.accept({ threadTs: undefined, messageTs: undefined }, 'command:1');

    for (let run = 0; run < 60 && (await harness.turn('command:1'))?.stage !== 'done'; run++) {
      await harness.run('command:1');
      harness.pass(60_000);
    }

    expect(harness.told).toEqual(['unavailable']);
    expect(words()).toEqual([]);
  });
});

describe('a fault of ours', () => {
  it('is tried again a few times, then the person is told', async () => {
    harness.ports.admit = async () => {
      throw new TypeError('cannot read properties of undefined');
    };
    await harness.accept();

    for (let run = 0; run < 10 && (await harness.turn())?.stage !== 'done'; run++) {
      await harness.run();
      harness.pass(120_000);
    }

    expect(words()).toEqual(['failed']);
  });

  it('that trying again cannot mend is told at once, and its code left to the operators', async () => {
    harness.ports.access = async () => {
      throw new TokenUnreadableError('token_tampered', 'sealed text was changed');
    };
    await harness.accept();

    await harness.run();

    expect(words()).toEqual(['failed']);
    expect(await harness.store.turns.deadLetters(10)).toMatchObject([
      { id: 'message:T1:C1:100.1', lastError: 'token_tampered' },
    ]);
  });

  it('that even the apology cannot survive is left to the operators in the end', async () => {
    harness.ports.admit = async () => {
      throw new TypeError('broken');
    };
    harness.reply.compose = () => {
      throw new TypeError('broken, too');
    };
    await harness.accept();

    for (let run = 0; run < 20 && (await harness.turn())?.stage !== 'done'; run++) {
      await harness.run();
      harness.pass(120_000);
    }

    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'abandoned' });
  });
});

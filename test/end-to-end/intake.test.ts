import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ slack: { retry: 'none' } });

let count = 0;

/** A direct message to the app, as Slack would deliver it. */
function aDelivery(change: Record<string, unknown> = {}) {
  count++;
  return {
    token: 'x',
    team_id: 'T0001',
    context_team_id: 'T0001',
    api_app_id: world.slack.appId,
    type: 'event_callback',
    event_id: `Ev${count}`,
    event_time: Math.floor(Date.now() / 1000),
    event: {
      type: 'message',
      channel: world.slack.as('U0ANA').dm,
      channel_type: 'im',
      user: 'U0ANA',
      text: `delivered ${count}`,
      ts: `${Math.floor(Date.now() / 1000)}.${String(count).padStart(6, '0')}`,
    },
    ...change,
  };
}

/** Asks one more: what would have come of anything before it has come once that is answered. */
async function expectNothingElse(before: string[] = []): Promise<void> {
  await world.askAndWait('the last one');
  expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual([...before, 'the last one']);
}

// Hundreds of malformed ones are in faults.test.ts.
describe('a request', () => {
  it.each([
    ['whose signature is wrong', { signature: 'wrong' }],
    ['from six minutes ago', { timestampOffsetSeconds: -360 }],
  ] as const)('%s is refused with 401, and nothing comes of it', async (_, options) => {
    const { status } = await world.slack.deliver(aDelivery(), options);

    expect(status).toBe(401);
    await expectNothingElse();
  });

  it.each([
    ['no JSON', '{"type": "event_callb'],
    ['the JSON null', 'null'],
    ['a list', '[1, 2]'],
    ['a number', '7'],
    ['nothing', ''],
    ['an object of no kind', '{"hello": "world"}'],
    ['an event without a type', '{"type":"event_callback","event":{},"team_id":"T0001","event_id":"E"}'],
    ['an event that is null', '{"type":"event_callback","event":null,"team_id":"T0001","event_id":"E"}'],
    ['an interaction without a user', '{"type":"block_actions","actions":[]}'],
    ['a deep nest', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ])('with %s is refused with 400', async (_, body) => {
    const { status } = await world.slack.deliver(body, { contentType: 'application/json' });

    expect(status).toBe(400);
  });

  it('of a megabyte and more is refused with 413', async () => {
    const { status } = await world.slack.deliver(aDelivery({ padding: 'x'.repeat(1_100_000) }));

    expect(status).toBe(413);
  });

  it('of another method or to another path is refused', async () => {
    expect((await fetch(`${world.publicUrl}/slack/events`)).status).toBe(405);
    expect((await fetch(`${world.publicUrl}/nowhere`, { method: 'POST' })).status).toBe(404);
  });

  it('gives Slack its challenge back', async () => {
    expect(await world.slack.verifyUrl()).toBe(true);
  });
});

describe('the same message', () => {
  it('delivered many times, as mention and as message, is one question', async () => {
    const question = await world.ask('one question', { await: 'none' });
    const envelopes = world.slack.ledger.deliveries({ delivery: 'event' }).map(({ payload }) => payload);
    expect(envelopes).toMatchObject([
      { event: { type: 'app_mention', ts: question.ts } },
      { event: { type: 'message', ts: question.ts } },
    ]);

    const results = await Promise.all(
      [1, 2, 3, 4].flatMap(() => envelopes.map((envelope) => world.slack.deliver(envelope))),
    );
    const replies = await world.waitForReplies(question);
    const late = await Promise.all(envelopes.map((envelope) => world.slack.deliver(envelope)));

    expect([...results, ...late].map(({ status }) => status)).toEqual(Array(10).fill(200));
    await expectNothingElse(['one question']);
    expect(replies).toHaveLength(1);
    expect(world.repliesIn(question)).toHaveLength(1);
  });
});

describe('many questions at once', () => {
  it('are acknowledged before any of them is answered', async () => {
    world.assistant.hold();

    const questions = await Promise.all(Array.from({ length: 30 }, (_, index) => world.ask(`question ${index}`)));
    const deliveries = questions.flatMap((question) => question.deliveries);

    expect(deliveries).toHaveLength(60);
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    // How long that takes on a quiet machine is measured by `npm run faults -- --only acknowledgement`.
    world.assistant.release();
    for (const question of questions) expect(await world.waitForReplies(question)).toHaveLength(1);
  });
});

describe('a store that cannot be written', () => {
  async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    const intruder = new DatabaseSync(String(world.environment.SQLITE_PATH), { timeout: 2_000 });
    intruder.exec('BEGIN IMMEDIATE');
    try {
      return await work();
    } finally {
      intruder.close();
    }
  }

  it('makes Slack send an event again: 503 within its three seconds, and nothing is half-written', async () => {
    const delivery = aDelivery();

    const { status } = await whileLocked(() => world.slack.deliver(delivery));

    expect(status).toBe(503);
    await expectNothingElse();
    world.assistant.ledger.clear();
    expect((await world.slack.deliver(delivery)).status).toBe(200);
    await world.slack.until(() => world.assistant.ledger.chats().length === 1);
  });

  it('tells somebody who gave a command that nothing was done', async () => {
    const { reply, status } = await whileLocked(() =>
      world.slack.as('U0ANA').command('/assistant-web-off', 'what?', CHANNEL),
    );

    expect(status).toBe(200);
    expect(reply && world.slack.render(reply)).toContain('Nothing was done');
    await expectNothingElse();
  });

  it('tells somebody who pressed a button that nothing was done', async () => {
    const { question, answer } = await world.askAndWait('press me');
    world.assistant.ledger.clear();

    await whileLocked(() => world.slack.as('U0ANA').click(answer, 'Ask again without web'));

    const told = await world.find('Nothing was done', { threadTs: question.ts });
    expect(told.ephemeralFor).toBe('U0ANA');
    await expectNothingElse();
  });
});

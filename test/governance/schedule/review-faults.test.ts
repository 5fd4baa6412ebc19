import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { SlackRefusedError, SlackUnavailableError } from '../../../src/slack/web/slack-errors.ts';
import { CHANNEL, createReviewHarness, drift, type ReviewHarness, used } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(() => {
  harness = createReviewHarness();
});

async function beginWithNews() {
  await harness.begin();
  for (const id of ['lab', 'shop']) harness.allocations.set(id, drift(id));
  harness.entitlements.set('lab', [used(900)]);
}

describe('a process that dies', () => {
  /** How many calls a run with news makes. */
  const CALLS = 120;

  /** Dies at one call of a run with news after the other, until the run is over sooner. */
  async function dieAtEach(crash: { when: 'before' | 'after'; staysDown: boolean }, then: () => Promise<void>) {
    for (let call = 1; call <= CALLS; call++) {
      harness = createReviewHarness();
      await beginWithNews();
      harness.crashAt = { call, ...crash };

      await harness.nextDay();
      const hasDied = harness.crashAt === undefined;
      harness.crashAt = undefined;
      await then();

      const channels = harness.posted.map(({ channel }) => channel);
      expect([call, ...channels.toSorted()]).toEqual([call, CHANNEL, 'DULAB', 'DUSHOP']);
      expect(harness.texts('DULAB')[0]).toContain('has used 90 %');
      if (!hasDied) return;
    }
    throw new Error('a run makes more calls than were tried');
  }

  it.each(['before', 'after'] as const)('%s any of its calls says nothing twice and loses nothing', async (when) => {
    await dieAtEach({ when, staysDown: false }, () => harness.work());
  });

  it('after it has kept what it found does not look again', async () => {
    await dieAtEach({ when: 'after', staysDown: true }, async () => {
      if ((await harness.state())?.outbox) harness.inventoryError = new AdminRefusedError('admin_forbidden', 'query');
      await harness.work();
    });
  });
});

describe('a replica that stood still', () => {
  it('claims nothing and writes nothing once it has lost the lane', async () => {
    await beginWithNews();
    harness.now = Date.parse('2026-11-20T07:00:00Z');
    let isHeld = true;
    harness.onRead = () => {
      isHeld = false;
    };
    expect(await harness.start().run(() => isHeld)).toBeUndefined();
    expect((await harness.state())?.outbox).toBeUndefined();

    await harness.work();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB', 'DUSHOP']);
    expect(harness.texts('DULAB')[0]).toContain('has used 90 %');
  });
});

describe('Slack', () => {
  it('that refuses a message to an owner has the next post name what it was about', async () => {
    await beginWithNews();
    harness.onCall = (method, channel) => {
      if (method === 'chat.postMessage' && channel === 'DULAB') throw new SlackRefusedError(method, 'cannot_dm');
    };

    await harness.nextDay();
    await harness.nextDay();

    expect(harness.texts('DULAB')).toEqual([]);
    expect(harness.texts('DUSHOP')).toHaveLength(1);
    expect(harness.texts(CHANNEL)[1]).toContain('No e-mail for the owners of');
    expect(harness.texts(CHANNEL)[1]).toContain('lab');
  });

  it('that does not say who an owner is has the level told the next day', async () => {
    await harness.begin();
    harness.entitlements.set('lab', [used(900)]);
    harness.onCall = (method) => {
      if (method === 'users.lookupByEmail') throw new SlackUnavailableError(method);
    };
    await harness.nextDay();
    expect(harness.texts('DULAB')).toEqual([]);
    expect(harness.texts(CHANNEL)[0]).toContain('lab (90 % used)');

    harness.onCall = () => {};
    await harness.nextDay();
    await harness.nextDay();

    expect(harness.texts('DULAB')).toEqual([expect.stringContaining('has used 90 %')]);
  });

  it('that is away for a while delays what owners read', async () => {
    await beginWithNews();
    let failures = 0;
    harness.onCall = (method, channel) => {
      if (method !== 'chat.postMessage' || channel === CHANNEL || failures >= 12) return;
      failures += 1;
      throw new SlackUnavailableError(method);
    };

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB', 'DUSHOP']);
  });
});

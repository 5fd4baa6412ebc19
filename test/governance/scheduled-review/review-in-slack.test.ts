import { beforeEach, describe, expect, it } from 'vitest';
import { createReviewSchedule } from '../../../src/governance/scheduled-review/review-schedule.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import {
  SlackRateLimitedError,
  SlackRefusedError,
  SlackUnavailableError,
} from '../../../src/slack/web/slack-errors.ts';
import { CHANNEL, createReviewHarness, drift, type ReviewHarness, used } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(() => {
  harness = createReviewHarness();
});

describe('a channel that people of other organisations read', () => {
  beforeEach(async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
  });

  it('reads nothing of a review, and the admin is told why', async () => {
    let reads = 0;
    harness.onRead = () => {
      reads += 1;
    };
    harness.isShared = true;

    await harness.nextDay();

    expect(reads).toBe(0);
    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM']);
    expect(harness.texts('DUKIM')[0]).toContain('People of other organisations read the channel');
  });

  it('reads nothing of what was found before it was shared', async () => {
    harness.onCall = (method, channel) => {
      if (channel !== CHANNEL) return;
      harness.isShared = true;
      throw new SlackUnavailableError(method);
    };

    await harness.nextDay();
    harness.isShared = false;
    harness.onCall = () => {};
    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM', CHANNEL, 'DULAB']);
  });

  it('is not told either why there is no review', async () => {
    harness.ports.openSession = async () => {
      harness.isShared = true;
      throw new AccountNotLinkedError('ended');
    };

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM', 'DUKIM']);
  });
});

describe('a Slack that fails', () => {
  it('is waited for where it has no room, and told all the same', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    let refusals = 0;
    harness.onCall = (method) => {
      if (refusals++ < 12) throw new SlackRateLimitedError(method, 30_000);
    };

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB']);
  });

  it('that takes no message for the channel leaves the review to be told the next time, owners included', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.onCall = (method, channel) => {
      if (channel === CHANNEL) throw new SlackRefusedError(method, 'is_archived');
    };
    await harness.nextDay();
    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM']);
    expect(harness.texts('DUKIM')[0]).toContain('is_archived');
    harness.onCall = () => {};

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM', CHANNEL, 'DULAB']);
  });

  it('that takes no message for the channel leaves also what nobody could be told of', async () => {
    harness.register = harness.register.replace('lab@acme.example', 'lab@elsewhere.example');
    await harness.begin();
    harness.entitlements.set('lab', [used(900)]);
    harness.onCall = (method, channel) => {
      if (channel === CHANNEL) throw new SlackRefusedError(method, 'is_archived');
    };
    await harness.nextDay();
    harness.onCall = () => {};

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('No owner could be told about *lab*')]);
  });

  it('that refuses one owner does not keep the others from being told', async () => {
    await harness.begin();
    for (const id of ['lab', 'shop']) harness.allocations.set(id, drift(id));
    harness.onCall = (method, channel) => {
      if (channel === 'DULAB') throw new SlackRefusedError(method, 'user_disabled');
    };

    await harness.nextDay();
    await harness.nextDay();
    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DUSHOP', CHANNEL]);
    expect(harness.texts(CHANNEL)[1]).toContain('An owner could not be told about *lab*');
  });

  it('that does not answer about one owner keeps nobody else from being told, and them for a while only', async () => {
    await harness.begin();
    for (const id of ['lab', 'shop']) harness.allocations.set(id, drift(id));
    harness.entitlements.set('lab', [used(900)]);
    harness.onCall = (method, channel) => {
      if (channel === 'DULAB') throw new SlackUnavailableError(method);
    };

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DUSHOP', CHANNEL]);
    expect(harness.texts(CHANNEL)[1]).toContain('(90 % used): Slack did not take the message to them for half an hour');
    expect(await harness.hasOutbox()).toBe(false);
    harness.onCall = () => {};
    await harness.nextDay();
    // What was not claimed for them any more is told the next time.
    expect(harness.texts(CHANNEL)[1]).toContain('An owner could not be told about *lab*');
    expect(harness.texts('DULAB')).toEqual([expect.stringContaining('has used 90 %')]);
  });

  it('that answers about an owner a few minutes later has them told then, once', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.onCall = (method, channel) => {
      const isAway = harness.now % 86_400_000 < (7 * 60 + 10) * 60_000;
      if (channel === 'DULAB' && isAway) throw new SlackUnavailableError(method);
    };

    await harness.nextDay();
    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB']);
  });

  it('about an owner does not hold up the next run', async () => {
    await harness.begin();
    harness.ports.schedule = createReviewSchedule('*/5 * * * *', 'UTC');
    harness.allocations.set('lab', drift('lab'));
    harness.onCall = (method, channel) => {
      if (channel === 'DULAB') throw new SlackUnavailableError(method);
      if (channel === CHANNEL) harness.allocations.set('shop', drift('shop'));
    };

    harness.now += 10 * 60_000;
    await harness.work();

    const channels = harness.posted.map(({ channel }) => channel);
    expect(channels.slice(0, 3)).toEqual([CHANNEL, CHANNEL, 'DUSHOP']);
  });

  it('that takes nothing for the channel for half an hour has the admin told, and all of it is told the next time', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.entitlements.set('lab', [used(900)]);
    harness.onCall = (method, channel) => {
      if (channel === CHANNEL) throw new SlackUnavailableError(method);
    };
    await harness.nextDay();
    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM']);
    harness.onCall = () => {};

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual(['DUKIM', CHANNEL, 'DULAB']);
    expect(harness.texts('DULAB')[0]).toContain('has used 90 %');
  });
});

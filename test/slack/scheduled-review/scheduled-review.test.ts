import { beforeEach, describe, expect, it } from 'vitest';
import { AdminForbiddenError, AdminUnreachableError } from '../../../src/admin/admin-errors.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { UnknownWorkspaceError } from '../../../src/slack/installation.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../../src/slack/slack-errors.ts';
import { aCurrency, anAllocation } from '../../governance/review/review-world.ts';
import { CHANNEL, createReviewHarness, type ReviewHarness, toRegister } from './review-harness.ts';

let harness: ReviewHarness;

const drift = (environmentId: string) => ({ ...anAllocation(aCurrency({ rules: { Deny: false } })), environmentId });

beforeEach(() => {
  harness = createReviewHarness();
});

/** The first look of all, and a first review with nothing to say about it. */
async function begin(): Promise<void> {
  await harness.work();
  await harness.nextDay();
  expect(harness.posted).toHaveLength(1);
  harness.posted.length = 0;
}

describe('the lane', () => {
  it('holds nothing at the first look of all, and then what is due', async () => {
    await harness.work();
    expect(harness.posted).toEqual([]);

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('everything is as approved')]);
  });

  it('makes up once for what was missed while everything was down, and not for what is older than a day', async () => {
    await begin();
    harness.allocations.set('lab', drift('lab'));
    harness.now += 3 * 24 * 3_600_000 + 5 * 3_600_000;

    await harness.work();
    await harness.work();

    expect(harness.texts(CHANNEL)).toHaveLength(1);
  });

  it('says nothing of what has not changed but once a week that it is still held', async () => {
    await begin();
    for (let day = 1; day < 7; day++) await harness.nextDay();
    expect(harness.posted).toEqual([]);

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('everything is as approved')]);
  });

  it('asks to be woken at the next run, and never again where it is lost to another replica', async () => {
    await begin();
    const review = harness.start();

    expect(await review.run(() => true)).toBe(Date.parse('2026-11-20T07:00:00Z'));

    harness.now = Date.parse('2026-11-20T07:00:00Z');
    harness.allocations.set('lab', drift('lab'));
    expect(await review.run(() => false)).toBeUndefined();
    expect(harness.posted).toEqual([]);
  });

  it('stops where the process stops, and is to be run again at once', async () => {
    await begin();
    const review = harness.start();
    harness.now = Date.parse('2026-11-20T07:00:00Z');

    review.stop();

    expect(await review.run(() => true)).toBe(harness.now);
    expect(harness.posted).toEqual([]);
    await harness.work();
    expect(harness.posted).toEqual([]);
  });

  it('does nothing where the app was uninstalled, and is held again after it is back', async () => {
    await begin();
    harness.allocations.set('lab', drift('lab'));
    harness.ports.findInstallation = async (workspace) => {
      throw new UnknownWorkspaceError(workspace);
    };
    await harness.nextDay();
    expect(harness.posted).toEqual([]);

    harness.ports = {};
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toHaveLength(1);
  });
});

describe('drift', () => {
  it('is told once to the channel and to its owner, and also that it is over', async () => {
    await begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();
    await harness.nextDay();
    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('1 new finding')]);
    expect(harness.texts('DULAB')).toEqual([expect.stringContaining('is not as approved')]);
    harness.allocations.delete('lab');
    await harness.nextDay();

    expect(harness.texts(CHANNEL)[1]).toContain('In order again: *lab*');
    expect(harness.texts('DULAB')[1]).toContain('is as approved again');
    expect(harness.texts('DUSHOP')).toEqual([]);
  });

  it('of which nobody can be told is named in the channel, without what was found', async () => {
    harness.register = harness.register.replace('lab@acme.example', 'lab@elsewhere.example');
    await begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('No owner could be told about *lab*')]);
    expect(harness.posted).toHaveLength(1);
  });

  it('reaches owners by address, by Slack id and by id in the directory, each once, and no guest', async () => {
    const owners = 'lab@acme.example, ULAB, directory-ben, UGUEST';
    harness.register = harness.register.replace('lab@acme.example', owners);
    await begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel).toSorted()).toEqual([CHANNEL, 'DUBEN', 'DULAB']);
  });
});

describe('a process that dies', () => {
  /** How many calls a run with news makes. */
  const CALLS = 60;

  it.each(['before', 'after'] as const)('%s any of its calls says nothing twice and loses nothing', async (when) => {
    for (let call = 1; call <= CALLS; call++) {
      harness = createReviewHarness();
      await begin();
      harness.allocations.set('lab', drift('lab'));
      harness.allocations.set('shop', drift('shop'));
      harness.crashAt = { call, when };

      await harness.nextDay();
      const hasDied = harness.crashAt === undefined;
      harness.crashAt = undefined;
      await harness.work();

      const told = harness.posted.map(({ channel }) => channel);
      expect([call, ...told.toSorted()]).toEqual([call, CHANNEL, 'DULAB', 'DUSHOP']);
      if (!hasDied) return;
    }
    throw new Error('a run makes more calls than were tried');
  });
});

describe('a Slack that fails', () => {
  it('is waited for where it has no room, and told all the same', async () => {
    await begin();
    harness.allocations.set('lab', drift('lab'));
    let refusals = 0;
    harness.onCall = (method) => {
      if (refusals++ < 12) throw new SlackRateLimitedError(method, 30_000);
    };

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB']);
  });

  it('that takes no message for the channel leaves the review to be told the next time, owners included', async () => {
    await begin();
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

  it('that refuses one owner does not keep the others from being told', async () => {
    await begin();
    for (const id of ['lab', 'shop']) harness.allocations.set(id, drift(id));
    harness.onCall = (method, channel) => {
      if (channel === 'DULAB') throw new SlackRefusedError(method, 'user_disabled');
    };

    await harness.nextDay();
    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DUSHOP']);
  });
});

describe('a review that cannot be held', () => {
  beforeEach(async () => {
    await begin();
    harness.allocations.set('lab', drift('lab'));
  });

  /** Where something is said on the first day, however often it is tried, and on both; and what the channel reads. */
  async function twoDays() {
    await harness.nextDay();
    await harness.work();
    const first = harness.posted.map(({ channel }) => channel);
    await harness.nextDay();
    return { first, all: harness.posted.map(({ channel }) => channel), text: harness.texts(CHANNEL)[0] ?? '' };
  }

  it('because nobody is signed in says so once a day, in the channel and to the admin', async () => {
    harness.ports.openSession = async () => {
      throw new AccountNotLinkedError('ended');
    };

    const { first, all, text } = await twoDays();

    expect(text).toContain('<@UKIM>');
    expect(text).toContain('is not signed in');
    expect(first).toEqual([CHANNEL, 'DUKIM']);
    expect(all).toEqual([CHANNEL, 'DUKIM', CHANNEL, 'DUKIM']);
  });

  it('because they are not an admin any more says so', async () => {
    harness.ports.rules = [];

    const { first, text } = await twoDays();

    expect(text).toContain('is not one of the administrators');
    expect(first).toEqual([CHANNEL, 'DUKIM']);
  });

  it('because they left the workspace says so', async () => {
    harness.ports.people = {
      profile: async () => ({ isMember: false, isWorkspaceAdmin: false, name: '', handle: '' }),
      timeZoneSoon: async () => undefined,
    };

    expect((await twoDays()).text).toContain('is not one of the administrators');
  });

  it('because the service does not let them read says so', async () => {
    harness.inventoryError = new AdminForbiddenError('query');

    expect((await twoDays()).text).toContain('does not let the account of <@UKIM>');
  });

  it('because the register is wrong names its lines', async () => {
    harness.register = toRegister(['lab']).replace('maker-development', 'playground');

    const { first, text } = await twoDays();

    expect(text).toContain('Line 4');
    expect(first).toEqual([CHANNEL]);
  });

  it('because the app is not in the channel tells the admin alone', async () => {
    harness.ports.channels = {
      directMessage: async (_workspace, user) => `D${user}`,
      look: async () => ({ isMember: false }),
    };

    const { first } = await twoDays();

    expect(first).toEqual(['DUKIM']);
    expect(harness.texts('DUKIM')[0]).toContain('Invite it there');
  });

  it('is tried again for a while where the service is away, and then told', async () => {
    harness.inventoryError = new AdminUnreachableError('query');
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('the service did not answer')]);
    expect(harness.now % 86_400_000).toBeGreaterThan(7 * 3_600_000 + 29 * 60_000);
  });

  it('is told as soon as the service is back', async () => {
    harness.inventoryError = new AdminUnreachableError('query');
    const review = harness.start();
    harness.now = Date.parse('2026-11-20T07:00:00Z');
    expect(await review.run(() => true)).toBe(harness.now + 120_000);
    harness.inventoryError = undefined;

    await harness.work(review);

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('1 new finding')]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import { createReviewSchedule } from '../../../src/governance/scheduled-review/review-schedule.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { UnknownWorkspaceError } from '../../../src/slack/installation.ts';
import { CHANNEL, createReviewHarness, drift, type ReviewHarness, toRegister } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(() => {
  harness = createReviewHarness();
});

describe('the lane', () => {
  it('holds nothing at the first look of all, and then what is due', async () => {
    await harness.work();
    expect(harness.posted).toEqual([]);

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('everything is as approved')]);
  });

  it('makes up once for what was missed while everything was down, and not for what is older than a day', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.now += 3 * 24 * 3_600_000 + 5 * 3_600_000;

    await harness.work();
    await harness.work();

    expect(harness.texts(CHANNEL)).toHaveLength(1);
  });

  it('says nothing of what has not changed but once a week that it is still held', async () => {
    await harness.begin();
    for (let day = 1; day < 7; day++) await harness.nextDay();
    expect(harness.posted).toEqual([]);

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('everything is as approved')]);
  });

  it('asks to be woken at the next run, and never again where it is lost to another replica', async () => {
    await harness.begin();
    const review = harness.start();

    expect(await review.run(() => true)).toBe(Date.parse('2026-11-20T07:00:00Z'));

    harness.now = Date.parse('2026-11-20T07:00:00Z');
    harness.allocations.set('lab', drift('lab'));
    expect(await review.run(() => false)).toBeUndefined();
    expect(harness.posted).toEqual([]);
  });

  it('stops where the process stops, and is to be run again at once', async () => {
    await harness.begin();
    const review = harness.start();
    harness.now = Date.parse('2026-11-20T07:00:00Z');

    review.stop();

    expect(await review.run(() => true)).toBe(harness.now);
    expect(harness.posted).toEqual([]);
    await harness.work();
    expect(harness.posted).toEqual([]);
  });

  it('does nothing where the app was uninstalled, and is held again after it is back', async () => {
    await harness.begin();
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
    await harness.begin();
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
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('No owner could be told about *lab*')]);
    expect(harness.posted).toHaveLength(1);
  });

  it('reaches owners by address, by Slack id and by id in the directory, each once, and no guest', async () => {
    const owners = 'lab@acme.example, ULAB, directory-ben, UGUEST';
    harness.register = harness.register.replace('lab@acme.example', owners);
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel).toSorted()).toEqual([CHANNEL, 'DUBEN', 'DULAB']);
  });
});

describe('a review that cannot be held', () => {
  beforeEach(async () => {
    await harness.begin();
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
      profile: async () => ({ isMember: false, isWorkspaceAdmin: false, hasLeft: true, name: '', handle: '' }),
    };

    expect((await twoDays()).text).toContain('is not one of the administrators');
  });

  it('because the service does not let them read says so', async () => {
    harness.inventoryError = new AdminRefusedError('admin_forbidden', 'query');

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
      look: async () => ({ isMember: false, isShared: false }),
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

  it('is told also where the next run is due before the patience is over', async () => {
    harness.ports.schedule = createReviewSchedule('*/10 * * * *', 'UTC');
    harness.inventoryError = new AdminUnreachableError('query');

    harness.now += 10 * 60_000;
    await harness.work();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('the service did not answer')]);
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

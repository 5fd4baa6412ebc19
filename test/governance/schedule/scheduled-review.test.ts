import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import { buildReviewState } from '../../../src/governance/commands/admin-home-views.ts';
import { createReviewSchedule } from '../../../src/governance/schedule/schedule-state.ts';
import type { ScheduledServices } from '../../../src/governance/schedule/slack-delivery.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { UnknownWorkspaceError } from '../../../src/slack/installation.ts';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { approve, CHANNEL, createReviewHarness, drift, type ReviewHarness } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(() => {
  harness = createReviewHarness();
});

describe('the lane', () => {
  it('holds nothing at the first look of all, and then what is due', async () => {
    await harness.work();
    expect(harness.posted).toEqual([]);

    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([
      expect.stringContaining('nothing new; all 2 settings are as policy 1 says'),
    ]);
  });

  it('makes up once for what was missed while everything was down, and not for what is older than a day', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.now += 3 * 24 * 3_600_000 + 5 * 3_600_000;

    await harness.work();
    await harness.work();

    expect(harness.texts(CHANNEL)).toHaveLength(1);
  });

  it('is held again once a clock that was months ahead is set right', async () => {
    await harness.begin();
    harness.now -= 90 * 24 * 3_600_000;

    await harness.nextDay();
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toHaveLength(2);
  });

  it('names owners who were not written to in the next post that arrives, not in one that is dropped', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.onCall = (method, channel) => {
      if (method === 'chat.postMessage' && channel === 'DULAB') throw new SlackRefusedError(method, 'user_disabled');
    };
    await harness.nextDay();
    harness.posted.length = 0;
    harness.isShared = true;
    // The channel is looked at before the review is read, and found shared only before it is posted.
    let looks = 0;
    const channels = {
      look: async () => ({ isMember: true, isShared: ++looks > 1 }),
      directMessage: async (_workspace: string, user: string) => `D${user}`,
    };
    harness.services = { channels } as unknown as Partial<ScheduledServices>;
    await harness.nextDay();
    expect(harness.texts(CHANNEL)).toEqual([]);
    harness.services = {};
    harness.isShared = false;

    await harness.nextDay();

    expect(harness.texts(CHANNEL).join()).toContain('No e-mail for the owners of *lab*');
  });

  it('takes nothing for resolved where the service lists nothing any more', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    await harness.nextDay();
    const { environments } = harness;
    harness.posted.length = 0;
    harness.environments = [];

    await harness.nextDay();

    expect(harness.texts(CHANNEL).join()).not.toContain('resolved');
    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('could not be held')]);
    harness.environments = environments;
    harness.posted.length = 0;
    await harness.nextDay();
    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('nothing new; 1 of 2 differ')]);
  });

  it('asks to be woken at the next run, and never again where it is lost to another replica', async () => {
    await harness.begin();
    const review = harness.start();

    expect(await review.run(() => true)).toBe(Date.parse('2026-11-20T07:00:00Z'));

    harness.now = Date.parse('2026-11-20T07:00:00Z');
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
  });

  it('does nothing where the app was uninstalled, and is held again after it is back', async () => {
    await harness.begin();
    harness.services.findInstallation = async (workspace) => {
      throw new UnknownWorkspaceError(workspace);
    };
    await harness.nextDay();
    expect(harness.posted).toEqual([]);

    harness.services = {};
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toHaveLength(1);
  });

  it('tells the home tab how the last one ended, and when the next one is', async () => {
    await harness.begin();
    const schedule = createReviewSchedule('0 7 * * *', 'UTC');
    const services = { schedule, channelTimeZone: 'UTC', now: () => harness.now };
    harness.allocations.set('lab', drift('lab'));
    await harness.nextDay();

    const once = { peek: async () => JSON.stringify(await harness.state()) };
    const blocks = await buildReviewState({ ...services, once: once as unknown as ScheduledServices['once'] });

    expect(JSON.stringify(blocks)).toContain('1 differed from policy 1, 0 unknown');
    expect(JSON.stringify(blocks)).toContain('The next one is on 21 Nov 2026, 07:00 UTC');
  });
});

describe('the morning news', () => {
  it('are what is new since the day before, one line where that is nothing, and what is over', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));

    await harness.nextDay();
    await harness.nextDay();
    harness.allocations.delete('lab');
    await harness.nextDay();

    const [first = '', second = '', third = ''] = harness.texts(CHANNEL);
    expect(first).toContain('*1 new*');
    expect(first).toContain('*lab*: Deny when used up on → off');
    expect(first).toContain('Set back');
    expect(second).toContain('nothing new; 1 of 2 differ from policy 1 · 0 unknown');
    expect(second).toContain('"All 1"');
    expect(second).not.toContain('Set back');
    expect(third).toContain('1 resolved: *lab*');
    expect(harness.texts('DULAB')).toEqual([expect.stringContaining('*lab*: Deny when used up on → off')]);
    expect(harness.texts('DULAB')[0]).toContain('Questions? Ask <@UKIM>');
    expect(harness.texts('DUSHOP')).toEqual([]);
  });

  it('reach owners by address, by Slack id and by id in the directory, each once, and no guest', async () => {
    harness.policy = approve(['lab', 'shop'], ['lab@acme.example', 'ULAB', 'directory-ben', 'UGUEST']);
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

  /** Where something is said on the first day, and on both; and what the channel reads. */
  async function twoDays() {
    await harness.nextDay();
    await harness.work();
    const first = harness.posted.map(({ channel }) => channel);
    await harness.nextDay();
    return { first, all: harness.posted.map(({ channel }) => channel), text: harness.texts(CHANNEL)[0] ?? '' };
  }

  it('because nobody is signed in says so once, in the channel and to the admin, until it changes', async () => {
    harness.services.openSession = async () => {
      throw new AccountNotLinkedError('ended');
    };

    const { first, all, text } = await twoDays();
    expect(text).toContain('<@UKIM>');
    expect(text).toContain('is not signed in');
    expect(first).toEqual([CHANNEL, 'DUKIM']);
    expect(all).toEqual(first);

    harness.services = {};
    await harness.nextDay();
    expect(harness.texts(CHANNEL)[1]).toContain('1 new');
    harness.services.rules = [];
    await harness.nextDay();
    expect(harness.texts(CHANNEL)[2]).toContain('is not one of the administrators');
  });

  it.each<[string, () => void, string]>([
    [
      'they left the workspace',
      () => {
        harness.services.people = {
          profile: async () => ({ isMember: false }),
        } as unknown as ScheduledServices['people'];
      },
      'is not one of the administrators',
    ],
    [
      'the service does not let them read',
      () => {
        harness.inventoryError = new AdminRefusedError('admin_forbidden', 'query');
      },
      'does not let the account of <@UKIM>',
    ],
    [
      'the policy is empty',
      () => {
        harness.policy = EMPTY_POLICY;
      },
      'The policy is empty',
    ],
    [
      'most environments cannot be read',
      () => {
        for (const id of ['lab', 'shop']) harness.allocations.set(id, new AdminUnreachableError('read'));
      },
      'Most environments could not be read',
    ],
  ])('because %s says so', async (_, breaks, text) => {
    breaks();

    expect((await twoDays()).text).toContain(text);
  });

  it('because the app is not in the channel tells the admin alone, once', async () => {
    harness.services.channels = {
      directMessage: async (_workspace, user) => `D${user}`,
      look: async () => ({ isMember: false, isShared: false }),
    };

    const { all } = await twoDays();

    expect(all).toEqual(['DUKIM']);
    expect(harness.texts('DUKIM')[0]).toContain('Invite it there');
  });

  it('is tried again for a while where the service is away, and then said', async () => {
    harness.inventoryError = new AdminUnreachableError('query');
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('does not answer')]);
    expect(harness.now % 86_400_000).toBeGreaterThan(7 * 3_600_000 + 29 * 60_000);
  });
});

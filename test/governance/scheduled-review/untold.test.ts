import { beforeEach, describe, expect, it } from 'vitest';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { CHANNEL, createReviewHarness, drift, type ReviewHarness, used } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(async () => {
  harness = createReviewHarness();
});

const NO_OWNER = 'neither the register nor the service names one';

describe('an environment without an owner', () => {
  beforeEach(async () => {
    harness.register = harness.register.replace('owners: [lab@acme.example], ', '');
    await harness.begin();
  });

  it('that has used up its credits is told to the channel once a month, with the true figure and the reason', async () => {
    harness.entitlements.set('lab', [used(1_040)]);

    for (let day = 0; day < 4; day++) await harness.nextDay();
    expect(harness.texts(CHANNEL)).toEqual([
      expect.stringContaining(`No owner could be told about *lab* (104 % used): ${NO_OWNER}`),
    ]);
    expect(harness.texts(CHANNEL)[0]).toContain('owners could not be told about 1 environment or agent');
    harness.now = Date.parse('2026-12-02T08:00:00Z');
    await harness.nextDay();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, CHANNEL]);
  });

  it('is told again at a higher level, and to its owner once one is named', async () => {
    harness.entitlements.set('lab', [used(860)]);
    await harness.nextDay();
    harness.entitlements.set('lab', [used(1_300)]);
    await harness.nextDay();
    harness.register = harness.register.replace('id: lab,', 'id: lab, owners: [lab@acme.example],');
    await harness.nextDay();

    const [first, second] = harness.texts(CHANNEL);
    expect([first, second]).toEqual([expect.stringContaining('(86 % used)'), expect.stringContaining('(130 % used)')]);
    expect(harness.texts('DULAB')).toEqual([expect.stringContaining('1,300 of 1,000 credits (130 %)')]);
  });

  it.each(['before', 'after'] as const)('is told once where the process dies %s any call', async (when) => {
    const { register } = harness;
    for (let call = 1; ; call++) {
      harness = createReviewHarness();
      harness.register = register;
      await harness.begin();
      harness.entitlements.set('lab', [used(1_040)]);
      harness.crashAt = { call, when, staysDown: call % 2 === 0 };

      await harness.nextDay();
      const hasDied = harness.crashAt === undefined;
      harness.crashAt = undefined;
      await harness.nextDay();

      expect([call, ...harness.texts(CHANNEL)]).toEqual([call, expect.stringContaining('(104 % used)')]);
      expect(await harness.openReport()).toBeDefined();
      if (!hasDied) break;
    }
  });
});

describe('an owner whom Slack refuses', () => {
  beforeEach(async () => {
    await harness.begin();
    harness.onCall = (method, channel) => {
      if (channel === 'DULAB') throw new SlackRefusedError(method, 'user_disabled');
    };
  });

  it('has the channel told what they were not, once', async () => {
    harness.entitlements.set('lab', [used(1_040)]);

    for (let day = 0; day < 4; day++) await harness.nextDay();

    expect(harness.texts(CHANNEL)).toEqual([
      expect.stringContaining('An owner could not be told about *lab* (104 % used): Slack refused the message to them'),
    ]);
  });

  it.each(['before', 'after'] as const)(
    'has the channel told once where the process dies %s any call',
    async (when) => {
      const refuse = harness.onCall;
      for (let call = 1; ; call++) {
        harness = createReviewHarness();
        await harness.begin();
        harness.onCall = refuse;
        harness.allocations.set('lab', drift('lab'));
        harness.crashAt = { call, when, staysDown: call % 2 === 0 };

        await harness.nextDay();
        const hasDied = harness.crashAt === undefined;
        harness.crashAt = undefined;
        for (let day = 0; day < 2; day++) await harness.nextDay();

        expect([call, ...harness.texts(CHANNEL)]).toEqual([
          call,
          expect.stringContaining('1 new finding'),
          expect.stringContaining('An owner could not be told about *lab*: Slack refused'),
        ]);
        if (!hasDied) break;
      }
    },
  );

  it('has it told also where the channel cannot be told at first', async () => {
    harness.allocations.set('lab', drift('lab'));
    harness.entitlements.set('lab', [used(1_040)]);
    await harness.nextDay();
    const refuse = harness.onCall;
    harness.onCall = (method, channel) => {
      if (channel === CHANNEL) throw new SlackRefusedError(method, 'is_archived');
      refuse(method, channel);
    };
    await harness.nextDay();
    harness.onCall = refuse;
    await harness.nextDay();

    expect(harness.texts(CHANNEL)).toHaveLength(2);
    expect(harness.texts(CHANNEL)[1]).toContain('An owner could not be told about *lab* (104 % used): Slack refused');
  });
});

describe('the report of a scheduled review', () => {
  it('is kept for a week, only where something is posted', async () => {
    await harness.begin();
    const before = harness.countReports();
    await harness.nextDay();
    expect(harness.countReports()).toBe(before);
    harness.allocations.set('lab', drift('lab'));
    await harness.nextDay();
    expect(harness.countReports()).toBe(before + 1);

    harness.now += 6 * 24 * 3_600_000;
    expect(await harness.openReport()).toMatchObject({ keptDays: 7, summary: { environments: { drift: 1 } } });
    harness.now += 24 * 3_600_000;
    expect(await harness.openReport()).toBeUndefined();
  });
});

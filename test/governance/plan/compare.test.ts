import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvesMore, isSameThreshold, toCreditsWay, toLimitWay } from '../../../src/governance/plan/compare.ts';
import { type CompareOptions, EVERYTHING, findDifferences } from '../../../src/governance/plan/find-differences.ts';
import { makePlan } from '../../../src/governance/plan/make-plan.ts';
import { allowsMore, isMany } from '../../../src/governance/plan/plan.ts';
import {
  findThreshold,
  type Seen,
  type SeenAgent,
  type SeenThreshold,
  type Sent,
  type ThresholdState,
  toThresholdState,
} from '../../../src/governance/plan/seen.ts';
import { toThresholdBody } from '../../../src/governance/run/resources.ts';
import { applyEdits, type Edit, endEdit, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/policy/policy.ts';
import type { Credits, Limit } from '../../../src/policy/values.ts';

const CURRENCY = 'ServiceMessages';
const NOW = Date.parse('2026-11-24T09:00:00Z');
const DAY_MS = 24 * 3_600_000;
const LIMIT: Limit = { credits: 100, noticeAt: 80, stopAtLimit: true };
const OTHER: Limit = { credits: 900, noticeAt: 80, stopAtLimit: true };
const AGENT: SeenAgent = {
  ...{ environmentId: 'Env-1', agentId: 'agent-1', resourceId: 'bot-1', name: 'Travel Planner' },
  ...{ environmentName: 'Production', ownerId: undefined, isHarness: false },
};
const TARGET = { environmentId: 'env-1', agentId: 'AGENT-1' };

function aPolicy(...edits: Edit[]): Policy {
  return applyEdits(EMPTY_POLICY, edits, { by: 'U1', reason: 'because', at: NOW });
}

const OPTIONS: CompareOptions = {
  ...{ defaultCurrency: CURRENCY, readSent: () => undefined, trustSentMs: undefined, now: NOW },
};

function aSeen(threshold: Seen['threshold']): Seen {
  return { at: NOW, environments: [], agents: [AGENT], isWhole: true, threshold, credits: () => undefined };
}

function compare(policy: Policy, shown: SeenThreshold, options: Partial<CompareOptions> & { sent?: Sent } = {}) {
  const { sent, ...rest } = options;
  const given = { ...OPTIONS, readSent: () => sent, trustSentMs: 90 * DAY_MS, ...rest };
  return findDifferences(
    policy,
    aSeen(() => shown),
    EVERYTHING,
    given,
  );
}

const limit = (value: Limit) => setEdit('limit', { ...TARGET, currency: CURRENCY.toLowerCase() }, value);
const stop = (value: boolean) => setEdit('stop', TARGET, value);
const maker = [
  setEdit('class', { environmentId: 'ENV-1' }, 'maker'),
  setEdit('standard', { className: 'Maker' }, { limit: LIMIT, credits: {} }),
];
const aSent = (values: Partial<Sent> = {}): Sent => ({
  limit: LIMIT,
  stopped: false,
  at: NOW - DAY_MS,
  run: 'r',
  ...values,
});
const runs = (value: Limit): ThresholdState => ({ limit: value, stopped: false });
const stopped = (value: Limit): ThresholdState => ({ limit: value, stopped: true });

describe('an agent that the service does not show', () => {
  it.each<[string, Policy, Sent | undefined, 'nothing' | 'as_sent' | 'send' | 'maybe_stopped']>([
    ['never sent, nothing approved', EMPTY_POLICY, undefined, 'nothing'],
    ['never sent', aPolicy(limit(LIMIT)), undefined, 'maybe_stopped'],
    ['never sent, said to run', aPolicy(limit(LIMIT), stop(false)), undefined, 'send'],
    ['sent as approved', aPolicy(limit(LIMIT)), aSent(), 'as_sent'],
    ['sent as approved, too long ago', aPolicy(limit(LIMIT)), aSent({ at: NOW - 91 * DAY_MS }), 'send'],
    ['sent as approved, in doubt', aPolicy(limit(LIMIT)), aSent({ inDoubt: true }), 'send'],
    ['sent otherwise', aPolicy(limit(OTHER)), aSent(), 'send'],
    ['stopped by the policy, sent so', aPolicy(stop(true)), aSent({ stopped: true }), 'as_sent'],
    ['stopped by the policy, sent otherwise', aPolicy(stop(true)), aSent(), 'send'],
  ])('%s', (_, policy, sent, expected) => {
    for (const shown of ['hidden', 'unreadable'] as const) {
      const { items, leftOut, asSent } = compare(policy, shown, { ...(sent && { sent }) });

      const found = items.length > 0 ? 'send' : (leftOut[0]?.reason ?? (asSent.length > 0 ? 'as_sent' : 'nothing'));
      expect(found).toBe(expected);
    }
  });

  it('is asked about once: the answer is an entry', () => {
    const policy = aPolicy(limit(LIMIT));
    expect(compare(policy, 'hidden').leftOut).toHaveLength(1);
    expect(compare(policy, 'hidden', { unknownStop: 'runs' }).items).toMatchObject([{ after: runs(LIMIT) }]);
    expect(
      compare(applyEdits(policy, [stop(false)], { by: 'U1', reason: 'it runs', at: NOW }), 'hidden').items,
    ).toHaveLength(1);
  });
});

describe('a limit in another currency', () => {
  const images = setEdit('limit', { ...TARGET, currency: 'Images' }, LIMIT);

  it.each<[string, Policy, SeenThreshold, boolean | 'stopped' | 'maybe_stopped', SeenThreshold?]>([
    ['is sent to an agent that runs', aPolicy(images), runs('none'), false],
    ['does not let an agent run that is stopped', aPolicy(images), stopped('none'), 'stopped'],
    ['nor one that is about to be stopped', aPolicy(images, stop(true)), runs('none'), 'stopped'],
    ['nor one that may be stopped', aPolicy(images), 'hidden', 'maybe_stopped'],
    ['is sent where somebody said that it runs', aPolicy(images, stop(false)), 'hidden', false],
    [
      'is let loose where it was stopped in this currency alone',
      aPolicy(images, stop(false)),
      runs('none'),
      false,
      stopped('none'),
    ],
    ['stays stopped there until somebody says that it runs', aPolicy(images), runs('none'), 'stopped', stopped('none')],
  ])('%s', (_, policy, inDefault, expected, inImages = runs('none')) => {
    const seen = aSeen((_agent, currency) => (currency === CURRENCY ? inDefault : inImages));
    const { items, leftOut } = findDifferences(policy, seen, EVERYTHING, OPTIONS);

    const found = items.flatMap((item) =>
      'currency' in item && item.currency === 'Images' ? [item.after.stopped] : [],
    );
    expect([...found, ...leftOut.map(({ reason }) => reason)]).toEqual([expected]);
  });
});

const limits = fc.oneof(
  fc.constant('none' as const),
  fc.record({
    credits: fc.nat(3),
    noticeAt: fc.oneof(fc.constant('off' as const), fc.integer({ min: 0, max: 100 })),
    stopAtLimit: fc.boolean(),
  }),
);
const states = fc.record({ limit: limits, stopped: fc.boolean() });
const rules = fc.record({ Alert: fc.boolean(), TenantPool: fc.boolean(), PayGo: fc.boolean(), Deny: fc.boolean() });
const credits: fc.Arbitrary<Credits> = fc.record({ allocated: fc.nat(3), rules });

describe('which of two allows more', () => {
  it('is at least one of them, unless they allow the same', () => {
    const isSameAllowance = (one: ThresholdState, other: ThresholdState) => {
      if (one.stopped || other.stopped) return one.stopped && other.stopped;
      if (one.limit === 'none' || other.limit === 'none') return one.limit === other.limit;
      return one.limit.credits === other.limit.credits && one.limit.stopAtLimit === other.limit.stopAtLimit;
    };
    fc.assert(
      fc.property(states, states, (one, other) => {
        const isMore = toLimitWay(one, other) === 'more' || toLimitWay(other, one) === 'more';
        if (!(one.stopped && other.stopped)) expect(isMore).toBe(!isSameAllowance(one, other));
        if (isSameThreshold(one, other)) expect(isMore).toBe(one.stopped && false);
      }),
    );
  });

  it('is the same question for credits', () => {
    fc.assert(
      fc.property(credits, credits, (one, other) => {
        const ways = [toCreditsWay({ A: one }, { A: other }), toCreditsWay({ A: other }, { A: one })];
        const isSame =
          one.allocated === other.allocated &&
          (['TenantPool', 'PayGo', 'Deny'] as const).every((rule) => one.rules[rule] === other.rules[rule]);
        expect(ways.includes('more')).toBe(!isSame);
      }),
    );
  });

  it('is never a stop', () => {
    fc.assert(
      fc.property(states, states, (before, after) => {
        const way = toLimitWay({ ...before, stopped: false }, { ...after, stopped: true });
        expect(way).toBe('less');
      }),
    );
  });
});

describe('a change of the policy', () => {
  const environmentId = 'env-1';
  const credits = (value: Credits) => setEdit('credits', { environmentId, currency: CURRENCY }, value);
  const ofClass = (name: string) => setEdit('class', { environmentId }, name);
  const production = setEdit('standard', { className: 'production' }, { limit: OTHER, credits: {} });
  const policy = aPolicy(
    ...maker,
    production,
    setEdit('stop', { environmentId }, true),
    credits({ allocated: 5, rules: { Deny: true, PayGo: true } }),
  );

  it.each<[string, Edit, boolean]>([
    ['another class, whose limit is higher', ofClass('production'), true],
    ['no class any more', endEdit('class', { environmentId }), true],
    ['the same class', ofClass('maker'), false],
    ['one agent that runs in a stopped environment', stop(false), true],
    ['an amount left open', credits({ rules: { Deny: true, PayGo: true } }), true],
    ['a rule left open that held down', credits({ allocated: 5, rules: { PayGo: true } }), true],
    ['a rule left open that allowed', credits({ allocated: 5, rules: { Deny: true } }), false],
  ])('to %s', (_, edit, isMore) => {
    expect(approvesMore(policy, [edit], OPTIONS)).toBe(isMore);
  });

  const AGENT = { environmentId, agentId: 'a1', currency: CURRENCY };
  const limit = (amount: number, until?: string) =>
    setEdit('limit', AGENT, { credits: amount, noticeAt: 'off', stopAtLimit: true }, until);
  const [today, later, latest] = [0, 9, 99].map((days) => new Date(NOW + days * 86_400_000).toISOString().slice(0, 10));

  it.each<[string, Edit[], boolean]>([
    ['an exception that lasts longer', [limit(800, latest)], true],
    ['an exception for good', [limit(800)], true],
    ['an exception that ends before', [limit(800, today)], false],
    ['a lower one that lasts longer', [limit(300, latest)], false],
    ['a value that an exception hides until it ends', [limit(900), limit(800, later)], true],
  ])('to %s', (_, edits, isMore) => {
    const excepted = aPolicy(limit(500), limit(800, later));

    expect(approvesMore(excepted, edits, OPTIONS)).toBe(isMore);
  });

  it('to a stop that ends before is none: a stop waits for nobody', () => {
    const stopUntil = (until?: string) => setEdit('stop', { environmentId, agentId: 'a1' }, true, until);

    expect(approvesMore(aPolicy(stopUntil(latest)), [stopUntil(later)], OPTIONS)).toBe(false);
  });

  it('to a first class, or to a class whose limit is lower', () => {
    expect(approvesMore(aPolicy(...maker.slice(1)), [ofClass('maker')], OPTIONS)).toBe(false);
    expect(
      approvesMore(aPolicy(...maker.slice(1), production, ofClass('production')), [ofClass('maker')], OPTIONS),
    ).toBe(false);
  });
});

describe('a threshold', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(states, (state) => {
        const capsNothing =
          state.limit !== 'none' &&
          state.limit.credits === 0 &&
          state.limit.noticeAt === 'off' &&
          !state.limit.stopAtLimit;
        const row = { environmentId: 'e', resourceId: 'a', consumption: undefined, ...toThresholdBody(state) };
        expect(toThresholdState(row)).toEqual(capsNothing ? { ...state, limit: 'none' } : state);
      }),
    );
  });

  it('is found under either id of the agent, in its own environment', () => {
    const row = (environmentId: string, resourceId: string) => ({
      ...{ environmentId, resourceId, limit: 1, notifyIfOverCapacity: false, notificationThreshold: 0 },
      ...{ stopIfOverCapacity: true, stopResource: false, consumption: undefined },
    });
    expect(findThreshold([row('ENV-1', 'BOT-1')], AGENT)).toBeDefined();
    expect(findThreshold([row('env-1', 'agent-1')], AGENT)).toBeDefined();
    expect(findThreshold([row('env-2', 'bot-1')], AGENT)).toBeUndefined();
  });
});

describe('a plan', () => {
  it('has an own id for each, and a hash of what it does alone', () => {
    const seen = aSeen(() => runs('none'));
    const make = (id: string, edits: Edit[]) => makePlan(id, EMPTY_POLICY, edits, seen, OPTIONS);

    expect(make('a', [limit(LIMIT)]).hash).toBe(make('b', [limit(LIMIT)]).hash);
    expect(make('a', [limit(LIMIT)]).hash).not.toBe(make('a', [limit(OTHER)]).hash);
    expect(allowsMore(make('a', [limit(LIMIT)]))).toBe(false);
    // A stop never waits for an approver, whatever is known of what it replaces.
    const unknown = (isStop: boolean) =>
      make('a', [limit(LIMIT)]).items.map((item) => ({ ...item, way: 'unknown' as const, isStop }));
    expect([true, false].map((isStop) => allowsMore({ items: unknown(isStop) }))).toEqual([false, true]);
  });

  it.each([
    [5, 5, false],
    [6, 24, false],
    [6, 23, true],
    [50, 1_000, false],
    [51, 1_000, true],
  ])('of %i items of %i has to be typed: %s', (count, all, isTyped) => {
    expect(isMany(count, all)).toBe(isTyped);
  });
});

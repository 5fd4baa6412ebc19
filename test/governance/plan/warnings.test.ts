import { describe, expect, it } from 'vitest';
import type { CreditsItem, ThresholdItem } from '../../../src/governance/plan/plan.ts';
import type { ThresholdState } from '../../../src/governance/plan/seen.ts';
import { listWarnings } from '../../../src/governance/plan/warnings.ts';
import type { Limit, RuleType } from '../../../src/policy/values.ts';

const limit = (credits: number, stopAtLimit = false): Limit => ({ credits, noticeAt: 80, stopAtLimit });
const runs = (of: Limit): ThresholdState => ({ limit: of, stopped: false });
const stopped = (of: Limit): ThresholdState => ({ limit: of, stopped: true });

function anItem(before: ThresholdItem['before'], after: ThresholdState): ThresholdItem {
  const agent = {
    ...{ environmentId: 'env-1', agentId: 'a1', resourceId: 'a1', name: '<!channel>', environmentName: undefined },
    ...{ ownerId: undefined, isHarness: false },
  };
  const isStop = after.stopped && (before === 'unknown' || !before.stopped);
  return { resource: 'threshold', agent, currency: 'Messages', before, after, way: 'unknown', isStop };
}

const OFF: Record<RuleType, boolean> = { Alert: false, TenantPool: false, PayGo: false, Deny: false };
type State = { allocated?: number; rules: Partial<Record<RuleType, boolean>> };
const has = (allocated: number, ...on: RuleType[]): State => ({
  ...{ allocated, rules: { ...OFF, ...Object.fromEntries(on.map((rule) => [rule, true])) } },
});

function credits(before: State | undefined, after: State): CreditsItem {
  return {
    ...{ resource: 'credits', environmentId: 'env-1', environmentName: '<!channel>', way: 'unknown' },
    before: before === undefined ? {} : { Messages: before },
    after: { Messages: after },
  };
}

const texts = (items: Parameters<typeof listWarnings>[0], used?: number) => listWarnings(items, () => used);

describe('what is warned of, of an agent', () => {
  it.each<[string, ThresholdItem['before'], ThresholdState, number | undefined, string[]]>([
    ['a first limit', runs('none'), runs(limit(500)), 10, []],
    ['a higher one', runs(limit(500)), runs(limit(800)), 10, []],
    ['one that stops', runs('none'), runs(limit(500, true)), 10, ['Stops for everybody when the limit is reached']],
    ['one that is used up', runs('none'), runs(limit(100)), 190, ['It has used 190 this month. The limit has no room']],
    [
      'one that stops, and is used up',
      runs('none'),
      runs(limit(100, true)),
      190,
      ['It has used 190 this month. Stops at once'],
    ],
    [
      'a limit of 0 that stops',
      runs('none'),
      runs(limit(0, true)),
      undefined,
      ['A limit of 0 is reached. Stops at once'],
    ],
    ['more, where it stopped already', runs(limit(100, true)), runs(limit(150, true)), 190, ['It has used 190']],
    ['none any more', runs(limit(500)), runs('none'), 10, ['The limit is removed']],
    ['no stop at the limit', runs(limit(500, true)), runs(limit(500)), 10, ['No longer stops']],
    ['what nobody sees', 'unknown', runs(limit(500)), undefined, ['If somebody has stopped it', 'What is set now']],
    ['running again', stopped(limit(500)), runs(limit(500)), undefined, ['Runs again at once']],
    ['a stop', runs(limit(500)), stopped(limit(500)), 600, ['Stops now, for everybody']],
    ['a stop of what nobody sees', 'unknown', stopped('none'), undefined, ['Stops now, for everybody']],
    ['a limit of what is stopped', stopped('none'), stopped(limit(5, true)), 600, []],
  ])('%s', (_, before, after, used, expected) => {
    const found = texts([anItem(before, after)], used);

    expect(found.map(({ text }) => text)).toEqual(expected.map((words) => expect.stringContaining(words)));
    expect(found.every(({ isGrave, text }) => isGrave === text.includes('Stops at once'))).toBe(true);
  });

  it('takes what the threshold says of its use', () => {
    const item = anItem({ ...runs('none'), used: 190 }, runs(limit(100, true)));

    expect(texts([item])).toMatchObject([{ isGrave: true }]);
  });
});

describe('what is warned of, of an environment', () => {
  it.each<[string, State | undefined, State, number | undefined, string[]]>([
    ['Deny with credits left', has(5_000), has(5_000, 'Deny'), 10, ['When the credits are used up']],
    ['Deny without', has(5_000), has(5_000, 'Deny'), 6_000, ['6,000 are used already. All agents']],
    ['Deny with nothing allocated', undefined, has(0, 'Deny'), undefined, ['No credits are allocated. All agents']],
    [
      'Deny without, and the pool helps',
      has(5_000, 'TenantPool'),
      has(5_000, 'TenantPool', 'Deny'),
      6_000,
      ['When the credits are used up'],
    ],
    ['fewer credits, with Deny', has(5_000, 'Deny'), has(4_000, 'Deny'), 10, ['sooner']],
    ['fewer than are used', has(5_000), has(5), 10, ['10 are used already. The credits']],
    ['more credits', has(5_000), has(6_000), 10, []],
    ['the pool, on', has(5), has(5, 'TenantPool'), 0, ['May use credits of the whole']],
    ['the pool, off', has(5, 'TenantPool'), has(5), 0, ['No longer draws']],
    ['pay as you go, on', has(5), has(5, 'PayGo'), 0, ['billed to the subscription']],
    ['pay as you go, off', has(5, 'PayGo'), has(5), 0, ['No longer pays']],
    ['Deny, off', has(5, 'Deny'), has(5), 0, ['Agents go on']],
    ['Alert, off', has(5, 'Alert'), has(5), 0, ['no longer alerted']],
    ['an amount that is not shown', { rules: OFF }, has(5), 0, ['cannot be read']],
    ['a first allocation', undefined, has(5), 0, []],
  ])('%s', (_, before, after, used, expected) => {
    const found = texts([credits(before, after)], used);

    expect(found.map(({ text }) => text)).toEqual(expected.map((words) => expect.stringContaining(words)));
    expect(found.every(({ isGrave, text }) => isGrave === /at once|billed to/.test(text))).toBe(true);
  });
});

describe('several warnings', () => {
  it('are said once each, with their number, the gravest first', () => {
    const items = [
      anItem(stopped('none'), runs('none')),
      anItem(runs('none'), runs(limit(0, true))),
      anItem(runs('none'), runs(limit(0, true))),
      credits(has(5), has(5, 'PayGo')),
    ];

    expect(texts(items)).toEqual([
      { text: '*2 agents*: Stops at once, for everybody who uses it.', isGrave: true },
      { text: expect.stringMatching(/^\*1 environment\*: .*billed/), isGrave: true },
      { text: '*1 agent*: Runs again at once.', isGrave: false },
    ]);
  });

  it('hold nothing that came from outside', () => {
    const items = [anItem('unknown', runs(limit(5, true))), credits(undefined, has(0, 'Deny'))];

    expect(JSON.stringify(texts(items))).not.toContain('<!');
  });
});

import { describe, expect, it } from 'vitest';
import type { CreditsItem, ThresholdItem } from '../../../src/governance/plan/plan.ts';
import type { ThresholdState } from '../../../src/governance/plan/seen.ts';
import { isEnding, toFoundWay } from '../../../src/governance/review/finding.ts';
import type { Credits } from '../../../src/policy/values.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeenAgent, LIMIT } from './a-tenant.ts';

const RUNS: ThresholdState = { limit: LIMIT, stopped: false };

function anItem(approved: ThresholdState, found: ThresholdState | 'unknown'): ThresholdItem {
  const base = { resource: 'threshold', agent: aSeenAgent(), currency: CURRENCY, way: 'less', isStop: false } as const;
  return { ...base, before: found, after: approved };
}

describe('a limit that differs', () => {
  it.each([
    ['a higher limit', { ...RUNS, limit: { ...LIMIT, credits: 501 } }, 'more'],
    ['a lower limit', { ...RUNS, limit: { ...LIMIT, credits: 499 } }, 'less'],
    ['no limit', { ...RUNS, limit: 'none' }, 'more'],
    ['no stop at the limit', { ...RUNS, limit: { ...LIMIT, stopAtLimit: false } }, 'more'],
    ['another notice', { ...RUNS, limit: { ...LIMIT, noticeAt: 'off' } }, 'less'],
    ['a stop that nobody approved', { ...RUNS, stopped: true }, 'less'],
    ['what is not shown', 'unknown', 'unknown'],
  ] as const)('%s', (_, found, way) => {
    expect(toFoundWay(anItem(RUNS, found as ThresholdState | 'unknown'))).toBe(way);
  });

  it('a stop that somebody undid allows more', () => {
    expect(toFoundWay(anItem({ ...RUNS, stopped: true }, RUNS))).toBe('more');
  });

  it('a limit where none is approved allows less', () => {
    expect(toFoundWay(anItem({ limit: 'none', stopped: false }, RUNS))).toBe('less');
  });
});

describe('credits that differ', () => {
  const approved: Credits = { allocated: 5_000, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true } };
  const toItem = (found: Credits | undefined, more: Record<string, Credits> = {}): CreditsItem => ({
    ...{ resource: 'credits', environmentId: 'env-1', environmentName: 'The env-1', way: 'less' },
    before: { ...more, ...(found && { [CURRENCY]: found }) },
    after: { [CURRENCY]: approved },
  });

  it.each([
    ['more credits', { ...approved, allocated: 9_000 }, 'more'],
    ['fewer credits', { ...approved, allocated: 10 }, 'less'],
    ['fewer credits, and the pool', { allocated: 10, rules: { ...approved.rules, TenantPool: true } }, 'more'],
    ['pay as you go', { ...approved, rules: { ...approved.rules, PayGo: true } }, 'more'],
    ['no end when used up', { ...approved, rules: { ...approved.rules, Deny: false } }, 'more'],
    ['no alert', { ...approved, rules: { ...approved.rules, Alert: false } }, 'less'],
    [
      'a rule that cannot be read',
      { allocated: 10, rules: { Alert: true, TenantPool: false, PayGo: false } },
      'unknown',
    ],
    ['no allocation', undefined, 'less'],
  ] as const)('%s', (_, found, way) => {
    expect(toFoundWay(toItem(found))).toBe(way);
  });

  it('is judged in each currency by itself', () => {
    expect(toFoundWay(toItem(undefined, { Other: approved }))).toBe('less');
  });
});

describe('an exception', () => {
  it.each([
    ['2026-11-23', false],
    ['2026-11-24', true],
    ['2026-12-07', true],
    ['2026-12-08', false],
  ])('that ends on %s is listed: %s', (until, isListed) => {
    expect(isEnding(until, NOW)).toBe(isListed);
  });
});

import { describe, expect, it } from 'vitest';
import type { CreditsItem, ThresholdItem } from '../../../src/governance/plan/plan.ts';
import type { ThresholdState } from '../../../src/governance/plan/seen.ts';
import { isEnding, toFoundWay } from '../../../src/governance/review/finding.ts';
import { countDiffering, countUnknown, isInOrder } from '../../../src/governance/review/review.ts';
import { describeFinding } from '../../../src/governance/review/review-words.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import type { Credits } from '../../../src/policy/values.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from './a-tenant.ts';

const MAKER = { limit: LIMIT, credits: {} };
const ENV = { environmentId: 'env-1' };
const AGENT = { ...ENV, agentId: 'env-1-agent-1' };
const POLICY = toPolicy([setEdit('standard', { className: 'maker' }, MAKER), setEdit('class', ENV, 'maker')]);
const RUNS: ThresholdState = { limit: LIMIT, stopped: false };

const shown = (threshold: object) => aSeen({ thresholds: { 'env-1-agent-1': threshold as typeof RUNS } });
const textsOf = ({ findings }: ReturnType<typeof reviewSeen>) =>
  findings.map((finding) => `${finding.group}: ${describeFinding(finding)}`);

describe('a review', () => {
  it('lists an environment without a class as new, with the pool and its agents', () => {
    const rules = { Alert: true, TenantPool: true, PayGo: false, Deny: false };
    const seen = aSeen({
      environments: ['env-1', 'env-2'],
      credits: { 'env-2': { [CURRENCY]: { allocated: 5, rules } } },
    });
    const { head, findings } = reviewSeen(POLICY, { ...seen, agents: [aSeenAgent('env-2')] });

    expect(findings).toEqual([
      {
        group: 'new',
        environmentId: 'env-2',
        name: 'The env-2',
        ownerId: 'owner-of-env-2',
        pool: true,
        agents: 1,
      },
    ]);
    expect(countDiffering(head)).toBe(1);
    expect(head.ungoverned).toBe(1);
  });
});

describe('a service that shows no limits', () => {
  const hidden = aSeen({ thresholds: { 'env-1-agent-1': 'hidden' } });

  it('never has unknown limits that are in order', () => {
    expect(isInOrder(reviewSeen(POLICY, hidden).head)).toBe(false);
  });
});

describe('what was not looked at', () => {
  it('is neither gone nor new where the inventory was read in part', () => {
    const { head } = reviewSeen(POLICY, aSeen({ environments: [], agents: [], isWhole: false }));

    expect(head.gone).toEqual({ count: 0, names: [] });
    expect(head.isPart).toBe(true);
    expect(isInOrder(head)).toBe(false);
  });

  it('is gone where the service lists everything else', () => {
    expect(reviewSeen(POLICY, aSeen({ environments: ['env-2'], agents: [] })).head.gone).toEqual({
      count: 1,
      names: ['env-1'],
    });
  });

  it('is named where credits could not be read', () => {
    const policy = toPolicy([setEdit('credits', { ...ENV, currency: CURRENCY }, { allocated: 1, rules: {} })], POLICY);
    const { head, findings } = reviewSeen(
      policy,
      aSeen({ thresholds: { 'env-1-agent-1': RUNS }, credits: { 'env-1': 'unreadable' } }),
    );

    expect(findings).toEqual([]);
    expect(head.unreadable).toEqual({ count: 1, names: ['The env-1'] });
    expect(countUnknown(head)).toBe(1);
  });
});

describe('an exception', () => {
  const higher = { ...LIMIT, credits: 800 };
  const kept = toPolicy([setEdit('limit', { ...AGENT, currency: CURRENCY }, higher, '2026-12-01')], POLICY);
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

  it('counts through its last day, is listed before it ends, and never comes back', () => {
    const seen = shown({ limit: higher, stopped: false });

    expect(reviewSeen(kept, seen, { now: at('2026-11-10') }).findings).toEqual([]);
    expect(textsOf(reviewSeen(kept, seen, { now: at('2026-12-01') }))).toEqual([
      'ending: *Agent 1* in The env-1: 800 credits · notice at 80 % · stops at the limit until 1 Dec 2026 · “the first policy”',
    ]);
    expect(textsOf(reviewSeen(kept, seen, { now: at('2026-12-02') }))).toEqual([
      'more: *Agent 1* in The env-1: limit 500 credits → 800 credits',
    ]);
  });

  it('costs no look at every agent, however many end', () => {
    let looks = 0;
    const agents = Array.from({ length: 300 }, (_, at) => {
      const { agentId, ...agent } = aSeenAgent('env-1', at + 1);
      return {
        ...agent,
        get agentId() {
          looks += 1;
          return agentId;
        },
      };
    });
    const ending = agents.map(({ agentId }) =>
      setEdit('limit', { ...ENV, agentId, currency: CURRENCY }, higher, '2026-12-01'),
    );
    const { head } = reviewSeen(toPolicy(ending, POLICY), aSeen({ agents }));

    expect(head.counts.ending).toBe(300);
    expect(looks).toBeLessThan(50 * 300);
  });
});

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

describe('an exception that ends', () => {
  it.each([
    ['2026-11-23', false],
    ['2026-11-24', true],
    ['2026-12-07', true],
    ['2026-12-08', false],
  ])('on %s is listed: %s', (until, isListed) => {
    expect(isEnding(until, NOW)).toBe(isListed);
  });
});

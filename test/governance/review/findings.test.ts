import { describe, expect, it } from 'vitest';
import { countDiffering, countUnknown, isInOrder } from '../../../src/governance/review/review.ts';
import { describeFinding } from '../../../src/governance/review/review-words.ts';
import { endEdit, setEdit } from '../../../src/policy/edit.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from './a-tenant.ts';

const MAKER = { limit: LIMIT, credits: {} };
const ENV = { environmentId: 'env-1' };
const AGENT = { ...ENV, agentId: 'env-1-agent-1' };
const POLICY = toPolicy([setEdit('standard', { className: 'maker' }, MAKER), setEdit('class', ENV, 'maker')]);
const RUNS = { limit: LIMIT, stopped: false };
const DAY_MS = 24 * 3_600_000;

const shown = (threshold: object) => aSeen({ thresholds: { 'env-1-agent-1': threshold as typeof RUNS } });
const textsOf = ({ findings }: ReturnType<typeof reviewSeen>) =>
  findings.map((finding) => `${finding.group}: ${describeFinding(finding)}`);

describe('a review', () => {
  it('finds nothing where everything is as the policy says', () => {
    const { head, findings } = reviewSeen(POLICY, shown({ ...RUNS, used: 7 }));

    expect(findings).toEqual([]);
    expect(isInOrder(head)).toBe(true);
    expect(head.compared).toBe(1);
  });

  it('finds a stop that somebody made elsewhere, and one that somebody undid', () => {
    const stopped = toPolicy([setEdit('stop', AGENT, true)], POLICY);

    expect(textsOf(reviewSeen(POLICY, shown({ ...RUNS, stopped: true })))).toEqual([
      'less: *Agent 1* in The env-1: running → stopped',
    ]);
    expect(textsOf(reviewSeen(stopped, shown(RUNS)))).toEqual(['more: *Agent 1* in The env-1: stopped → running']);
    expect(textsOf(reviewSeen(stopped, shown({ ...RUNS, stopped: true })))).toEqual([]);
  });

  it('says what a limit was approved as, and what it is', () => {
    const limit = { credits: 800, noticeAt: 'off', stopAtLimit: false };

    expect(textsOf(reviewSeen(POLICY, shown({ limit, stopped: false })))).toEqual([
      'more: *Agent 1* in The env-1: limit 500 credits → 800 credits · notice at 80 % → off · stops at the limit → goes on at the limit',
    ]);
  });

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

  it('does not govern what the policy does not state', () => {
    const open = toPolicy([
      setEdit('standard', { className: 'maker' }, { credits: {} }),
      setEdit('class', ENV, 'maker'),
    ]);
    const allocated = { allocated: 77, rules: { TenantPool: true } };
    const seen = aSeen({
      thresholds: { 'env-1-agent-1': { ...RUNS, limit: { ...LIMIT, credits: 9 } } },
      credits: { 'env-1': { [CURRENCY]: allocated } },
    });

    expect(reviewSeen(open, seen).findings).toEqual([]);
  });
});

describe('a service that shows no limits', () => {
  const hidden = aSeen({ thresholds: { 'env-1-agent-1': 'hidden' } });
  const sentAt = (at: number) => ({ 'env-1-agent-1': { ...RUNS, at, run: 'r' } });

  it('leaves limits unknown as long as nobody has said whether their agents run', () => {
    const { head } = reviewSeen(POLICY, hidden);

    expect(head.unknown).toEqual({ hidden: 0, unreadable: 0, maybe_stopped: 1 });
    expect(countUnknown(head)).toBe(1);
    expect(countDiffering(head)).toBe(0);
  });

  it('has limits to send where somebody has', () => {
    const { head, findings } = reviewSeen(toPolicy([setEdit('stop', AGENT, false)], POLICY), hidden);

    expect(head.unknown).toEqual({ hidden: 1, unreadable: 0, maybe_stopped: 0 });
    expect(findings[0]).toMatchObject({ group: 'unknown', why: 'hidden', item: { before: 'unknown', after: RUNS } });
  });

  it('takes limits as we sent them, until that is too long ago', () => {
    const { head } = reviewSeen(POLICY, hidden, { sent: sentAt(NOW - 60 * DAY_MS) });
    expect(head.asSent).toEqual({ count: 1, sendAgainBy: NOW + 30 * DAY_MS });
    expect(head.unknown).toEqual({ hidden: 0, unreadable: 0, maybe_stopped: 0 });

    const late = reviewSeen(POLICY, hidden, { sent: sentAt(NOW - 91 * DAY_MS) });
    expect(late.head.unknown.hidden).toBe(1);
  });

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

  it('that was ended is over at once', () => {
    const ended = toPolicy([endEdit('limit', { ...AGENT, currency: CURRENCY })], kept);

    expect(textsOf(reviewSeen(ended, shown({ limit: higher, stopped: false })))).toEqual([
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

  it('of something else is not listed in a review of one environment', () => {
    const seen = aSeen({ environments: ['env-2'], agents: [] });

    expect(reviewSeen(kept, seen, { words: 'env-2' }).findings.filter(({ group }) => group === 'ending')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Seen, Sent } from '../../../src/governance/plan/seen.ts';
import { findNews } from '../../../src/governance/schedule/news.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { aSeen, reviewSeen, type SeenOptions } from '../review/a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from '../review/a-tenant.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';

const ENV = { environmentId: 'env-1' };
const POLICY = toPolicy([
  setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
  setEdit('class', ENV, 'maker'),
  setEdit('credits', { ...ENV, currency: CURRENCY }, { allocated: 5, rules: {} }),
]);
const FINE: SeenOptions = {
  thresholds: { 'env-1-agent-1': { limit: LIMIT, stopped: false } },
  credits: { 'env-1': { [CURRENCY]: { allocated: 5, rules: {} } } },
};
const HIGHER = { limit: { ...LIMIT, credits: 900 }, stopped: false };
const RAISED: SeenOptions = { ...FINE, thresholds: { 'env-1-agent-1': HIGHER } };

const MORE: SeenOptions = { ...RAISED, credits: { 'env-1': { [CURRENCY]: { allocated: 9, rules: {} } } } };

/** Of one review after the other; what is new and what is over in the last one. */
function follow(...days: (Seen | { seen: Seen; sent: Record<string, Sent> })[]) {
  let news: ReturnType<typeof findNews> | undefined;
  for (const day of days) {
    const reviewed = 'seen' in day ? reviewSeen(POLICY, day.seen, { sent: day.sent }) : reviewSeen(POLICY, day);
    news = findNews(news, reviewed);
  }
  if (news === undefined) throw new Error('no day');
  return { fresh: news.fresh.map(({ group }) => group), over: news.over.names, isFirst: news.isFirst };
}

describe('what is new since the day before', () => {
  it('is said once, and again where it changes, whatever was used meanwhile', () => {
    const used = { ...RAISED, thresholds: { 'env-1-agent-1': { ...HIGHER, used: 77 } } };
    const raisedAgain = { 'env-1-agent-1': { limit: { ...LIMIT, credits: 901 }, stopped: false } };

    expect(follow(aSeen(FINE), aSeen(RAISED)).fresh).toEqual(['more']);
    expect(follow(aSeen(FINE), aSeen(RAISED), aSeen(used)).fresh).toEqual([]);
    expect(follow(aSeen(RAISED), aSeen({ ...RAISED, thresholds: raisedAgain })).fresh).toEqual(['more']);
  });

  it('is over where it was set back, and new if it comes back', () => {
    expect(follow(aSeen(RAISED), aSeen(FINE))).toMatchObject({ fresh: [], over: ['Agent 1 in The env-1'] });
    expect(follow(aSeen(RAISED), aSeen(FINE), aSeen(RAISED)).fresh).toEqual(['more']);
  });
});

describe('what was not looked at', () => {
  it.each([
    ['a part of the inventory', aSeen({ environments: [], agents: [], isWhole: false })],
    ['an environment that cannot be read', aSeen({ ...RAISED, credits: { 'env-1': 'unreadable' } })],
    ['limits that cannot be read', aSeen({ ...MORE, thresholds: { 'env-1-agent-1': 'unreadable' } })],
    ['limits that are hidden', aSeen({ ...MORE, thresholds: { 'env-1-agent-1': 'hidden' } })],
  ])('is neither over, nor new once it can be seen again: %s', (_, seen) => {
    expect(follow(aSeen(MORE), seen).over).toEqual([]);
    expect(follow(aSeen(MORE), seen).fresh).toEqual([]);
    expect(follow(aSeen(MORE), seen, aSeen(MORE)).fresh).toEqual([]);
  });

  it('is over where we sent it since', () => {
    const seen = aSeen({ ...FINE, thresholds: { 'env-1-agent-1': 'hidden' } });
    const sent = { 'env-1-agent-1': { limit: LIMIT, stopped: false, at: NOW, run: 'r' } };

    expect(follow(aSeen(RAISED), { seen, sent }).over).toEqual(['Agent 1 in The env-1']);
  });

  it('has the agents of two environments apart', () => {
    const agents = [aSeenAgent('env-1'), { ...aSeenAgent('env-2'), agentId: 'env-1-agent-1' }];
    const { noted } = findNews(undefined, reviewSeen(POLICY, aSeen({ ...RAISED, agents })));

    expect(noted.map(({ target }) => target)).toMatchObject([{ environmentId: 'env-1' }]);
  });
});

import sinon from 'sinon';
import { beforeEach, describe, expect, it } from 'vitest';
import { AdminFailedError } from '../../../src/admin-api/admin-errors.ts';
import { describeRow } from '../../../src/governance/lists/list-message.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { anAgent, anEnvironment, aThreshold, CURRENCY } from '../samples.ts';
import { aListWorld, type ListWorld, NOW } from './list-world.ts';

const LIMIT = { credits: 500, noticeAt: 80, stopAtLimit: false };
const AGENT = { environmentId: 'env-1', agentId: 'a1' };

let world: ListWorld;

beforeEach(() => {
  world = aListWorld();
  world.service.environments = [
    anEnvironment(),
    anEnvironment({ name: 'env-2', displayName: 'Lab', ownerId: undefined }),
  ];
  world.service.agents = [
    anAgent(),
    anAgent({ name: 'a2', displayName: 'Invoice', environmentId: 'env-2', ownerId: 'owner-ben', isHarness: true }),
    anAgent({ name: 'a3', displayName: 'Odd', environmentId: undefined, isHarness: 'unknown' }),
  ];
  world.service.thresholds = [
    aThreshold({ consumption: 900 }),
    aThreshold({ environmentId: 'env-2', resourceId: 'A2', stopResource: true, consumption: 10 }),
  ];
});

describe('the agents', () => {
  it('have their limit beside what the policy says, what they used, and whose they are', async () => {
    await world.approve(
      setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
    );

    const { rows, totals } = await world.rows('agents');

    expect(rows[0]).toMatchObject({
      ...{ agent_id: 'a1', agent_name: 'Travel Planner', environment_name: 'Contoso Production', class: 'maker' },
      ...{ limit: 1_000, notice_at_percent: 80, stops_at_limit: false, limit_as_of: 'service', policy_limit: 500 },
      ...{ is_stopped: false, used: 900, share: 0.9, forecast: 'reaches', owner_id: 'owner-ana', is_harness: false },
    });
    expect(rows.map(({ agent_id }) => agent_id)).toEqual(['a1', 'a2', 'a3']);
    expect(totals).toEqual([
      '2 limits, 2,000 credits a month',
      'used 910',
      '1 stopped',
      '1 with a limit that is unknown',
    ]);
  });

  it('have no share in the file where there is no limit, or one of 0', async () => {
    world.service.thresholds = [
      aThreshold({ limit: 0, notifyIfOverCapacity: false, stopIfOverCapacity: false, consumption: 5 }),
      aThreshold({ environmentId: 'env-2', resourceId: 'a2', limit: 0, stopIfOverCapacity: true, consumption: 5 }),
    ];

    const { rows } = await world.rows('agents');

    expect(rows.slice(0, 2).map(({ limit, used, share }) => [limit, used, share])).toEqual([
      ['none', 5, undefined],
      [0, 5, undefined],
    ]);
    expect((await world.rows('agents', 'over:80')).rows.map(({ agent_id }) => agent_id)).toEqual(['a2']);
  });

  it.each([
    ['travel', ['a1']],
    ['contoso planner', ['a1']],
    ['class:maker', ['a1']],
    ['class:none', ['a2', 'a3']],
    ['env:lab', ['a2']],
    ['owner:ben', ['a2']],
    ['owner:<@U0ANA>', ['a1', 'a3']],
    ['over:80', ['a1']],
    ['over:1', ['a1', 'a2']],
    ['stopped', ['a2']],
    ['harness', ['a2']],
    ['nolimit', []],
    ['stopped travel', []],
    ['ｅｎｖ：ｌａｂ', ['a2']],
    ['over：８０％', ['a1']],
  ])('are filtered: %s', async (typed, ids) => {
    await world.approve(
      setEdit('standard', { className: 'maker' }, { credits: {} }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
    );

    expect((await world.rows('agents', typed)).rows.map(({ agent_id }) => agent_id)).toEqual(ids);
  });

  it('that a filter leaves out because nobody can tell are counted', async () => {
    expect((await world.rows('agents', 'harness')).unsure).toBe(1);
    expect((await world.rows('agents', 'nolimit')).unsure).toBe(1);
  });

  it.each(['owner:<@U0BEN>', 'owner:@ben', 'pool', 'colour:red', '2026-03-09'])('refuse %s', async (typed) => {
    await expect(world.rows('agents', typed)).rejects.toThrow(/`/);
  });

  it.each([
    ['not offered', 'not_offered' as const],
    ['refused', new AdminFailedError('read thresholds')],
  ])('are listed where limits are %s: as last sent, else as the policy says', async (_, thresholds) => {
    world.service.thresholds = thresholds;
    await world.send(AGENT, { limit: LIMIT, stopped: true, at: NOW });
    await world.approve(
      setEdit('limit', { environmentId: 'env-2', agentId: 'a2', currency: CURRENCY }, 'none'),
      setEdit('stop', { environmentId: 'env-2', agentId: 'a2' }, false),
    );

    const { rows } = await world.rows('agents');

    expect(rows).toMatchObject([
      {
        limit: 500,
        limit_as_of: 'sent',
        limit_sent_at: new Date(NOW).toISOString(),
        is_stopped: true,
        used: undefined,
      },
      { limit: 'none', limit_as_of: 'policy', is_stopped: false },
      { limit: undefined, limit_as_of: 'unknown', is_stopped: undefined },
    ]);
  });

  it('say in which year a limit was sent, if not in this one', async () => {
    world.service.thresholds = 'not_offered';
    await world.send(AGENT, { limit: LIMIT, stopped: false, at: Date.parse('2024-11-24T12:00:00Z') });

    const found = await world.read('agents', 'travel');
    if ('problem' in found) throw new Error(found.problem);
    const { list, result } = found;

    expect(result.rows.map((row) => describeRow(list, row, { timeZone: 'utc', now: NOW }))).toEqual([
      expect.stringContaining('limit 500, sent 24 Nov 2024, not shown'),
    ]);
  });

  it('say nothing of a stop where only a class stands for it', async () => {
    Object.assign(world.services, { readsLimits: false });
    await world.approve(
      setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
    );

    expect((await world.rows('agents', 'travel')).rows[0]).toMatchObject({ limit: 500, is_stopped: undefined });
  });

  it('are read once while pages are turned', async () => {
    await world.read('agents', 'a');
    world.service.agents = [];

    const kept = await world.read('agents', 'a', false);
    const fresh = await world.read('agents', 'a');

    expect([kept, fresh]).toMatchObject([{ result: { rows: [{}, {}, {}] } }, { result: { rows: [] } }]);
  });

  it('are read again after five minutes, however often pages are turned', async () => {
    // The cache reads the clock once a millisecond.
    const timers = sinon.useFakeTimers({ toFake: ['setTimeout'] });
    const turnAfter4Minutes = async () => {
      world.passMs(4 * 60_000);
      timers.tick(1);
      return world.read('agents', '', false);
    };
    await world.read('agents', '');
    world.service.agents = [];
    const turned = [await turnAfter4Minutes(), await turnAfter4Minutes()];
    timers.restore();

    expect(turned).toMatchObject([{ result: { rows: [{}, {}, {}] } }, { result: { rows: [] } }]);
  });
});

import { useFakeTimers } from 'sinon';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Metrics } from '../../src/ops/metrics.ts';
import { aMetrics } from './a-metrics.ts';

const NOTHING = { byStage: {}, oldestAcceptedAt: undefined };

/** The figures as `name{labels} → value`, as Prometheus would store them; ours without their prefix. */
async function scrape(metrics: Metrics): Promise<Record<string, number>> {
  const lines = (await metrics.read()).split('\n').filter((line) => line && !line.startsWith('#'));
  const figures = lines.map((line) => /^(?:assistant_bridge_)?(.*) (\S+)$/.exec(line) ?? []);
  return Object.fromEntries(figures.map(([, name, value]) => [name, Number(value)]));
}

describe('what happens is counted', () => {
  const cases: [string, (metrics: Metrics) => void, Record<string, number>][] = [
    [
      'a request of Slack and the time to its answer',
      (metrics) => metrics.slackEvent('message', 'acknowledged', 0.02),
      {
        'slack_events_total{type="message",result="acknowledged"}': 1,
        'ack_seconds_bucket{le="0.01"}': 0,
        'ack_seconds_bucket{le="0.025"}': 1,
      },
    ],
    [
      'an event of a workspace, told apart from others but not named',
      (metrics) => {
        for (const team of ['T0001', 'T0002', 'T0001']) metrics.slackDelivered(team);
      },
      {
        'slack_deliveries_total{workspace="wccc40871"}': 2,
        'slack_deliveries_total{workspace="w932eb26f"}': 1,
      },
    ],
    [
      'what anybody sends, by path and class of status, and connections that were closed',
      ({ publicPort }) => {
        publicPort.serves(['/ready']);
        publicPort.answered('/ready', 503);
        publicPort.answered('other', 404);
        publicPort.closed('pipelined');
      },
      {
        'http_requests_total{path="/ready",status="2xx"}': 0,
        'http_requests_total{path="/ready",status="5xx"}': 1,
        'http_requests_total{path="other",status="4xx"}': 1,
        'http_connections_closed_total{reason="pipelined"}': 1,
      },
    ],
    [
      'an answer',
      (metrics) => metrics.turnEnded('answer', 12),
      { 'turns_total{outcome="answered"}': 1, turn_seconds_sum: 12 },
    ],
    ['an answer that is shared', (metrics) => metrics.turnEnded('shared', 1), { 'turns_total{outcome="answered"}': 1 }],
    [
      'any other end, by its own name',
      (metrics) => metrics.turnEnded('interrupted', 1),
      {
        'turns_total{outcome="interrupted"}': 1,
        'turns_total{outcome="answered"}': 0,
      },
    ],
    ['a repeated question', (metrics) => metrics.turnRepeated(), { 'turns_total{outcome="duplicate"}': 1 }],
    [
      'a call of Slack',
      (metrics) => metrics.slackCalled('chat.update', 'ratelimited'),
      { 'slack_api_total{method="chat.update",code="ratelimited"}': 1 },
    ],
    [
      'a wait that was asked for',
      (metrics) => metrics.askedToWait(7, 'assistant'),
      {
        'retry_after_seconds_bucket{le="5",upstream="assistant"}': 0,
        'retry_after_seconds_bucket{le="10",upstream="assistant"}': 1,
      },
    ],
    ['a sign-in', (metrics) => metrics.signInEnded('wrong_person'), { 'sign_ins_total{result="wrong_person"}': 1 }],
    ['a refresh', (metrics) => metrics.tokenRefreshed('ended'), { 'refresh_total{result="ended"}': 1 }],
    [
      'the latest state of a breaker',
      (metrics) => {
        metrics.breakerChanged('assistant', 'half_open');
        metrics.breakerChanged('assistant', 'open');
      },
      { 'breaker_state{upstream="assistant"}': 2 },
    ],
    ['a replica that fell silent', (metrics) => metrics.laneStalled(), { stalled_total: 1 }],
    ['a lost wake-up', (metrics) => metrics.laneRewoken(), { sweeper_rewakes_total: 1 }],
    ['a lost fence', (metrics) => metrics.fenceLost(), { fence_lost_total: 1 }],
    ['a message that was one too many', (metrics) => metrics.orphanDeleted(), { orphans_deleted_total: 1 }],
  ];

  it.each(cases)('%s', async (_, record, expected) => {
    const metrics = aMetrics();

    record(metrics);

    expect(await scrape(metrics)).toMatchObject(expected);
  });

  it('with the values that are wrong now, and none that was', async () => {
    const metrics = aMetrics();

    metrics.signInChecked(['AUTH_CLIENT_ID', 'PUBLIC_URL']);
    metrics.signInChecked(['PUBLIC_URL']);
    const figures = Object.entries(await scrape(metrics));

    expect(figures.filter(([name]) => name.startsWith('sign_in_values_wrong'))).toEqual([
      ['sign_in_values_wrong{variable="PUBLIC_URL"}', 1],
    ]);
  });

  it('with what alerts watch at 0 from the start', async () => {
    expect(await scrape(aMetrics())).toMatchObject({
      'turns_total{outcome="failed"}': 0,
      'turns_total{outcome="abandoned"}': 0,
      'refresh_total{result="unavailable"}': 0,
      'slack_events_total{type="block_suggestion",result="failed"}': 0,
      'slack_events_total{type="message_action",result="failed"}': 0,
      'sign_ins_total{result="misconfigured"}': 0,
      stalled_total: 0,
    });
  });

  it('with as few series as there are known words, whatever comes', async () => {
    const metrics = aMetrics();

    for (let index = 0; index < 500; index++) metrics.slackCalled('chat.update', `code_${index}`);
    metrics.slackEvent('a "type" of\nseveral words', 'refused', 0);
    const names = Object.keys(await scrape(metrics));

    expect(names.filter((name) => name.startsWith('slack_api_total'))).toHaveLength(61);
    expect(names).toContain('slack_api_total{method="chat.update",code="other"}');
    expect(names).toContain('slack_events_total{type="other",result="refused"}');
  });

  it('without going back where a clock does', async () => {
    const metrics = aMetrics();

    metrics.turnEnded('answer', -3_600);
    metrics.turnEnded('answer', Number.NaN);

    expect(await scrape(metrics)).toMatchObject({
      turn_seconds_sum: 0,
      turn_seconds_count: 2,
    });
  });
});

describe('what is in the store', () => {
  it('is read for each scrape', async () => {
    const counts = {
      byStage: { accepted: 1, waiting: 2, parked: 4, asking: 8, answered: 16, stopped: 32, cancelled: 64 },
      oldestAcceptedAt: 1_000,
    };
    const metrics = aMetrics({ turnCounts: async () => counts, deadLetters: async () => 3, now: () => 61_500 });

    const figures = await scrape(metrics);

    expect(figures).toMatchObject({
      store_up: 1,
      'turns{stage="asking"}': 8,
      queue_depth: 3,
      oldest_pending_seconds: 60.5,
      turns_unaccounted: 1 + 8 + 16 + 32 + 64,
      dead_letters: 3,
      redis_memory_bytes: 4_000,
      redis_memory_limit_bytes: 10_000,
    });
  });

  it('is 0, not missing, where there is nothing to do', async () => {
    expect(await scrape(aMetrics())).toMatchObject({
      'turns{stage="accepted"}': 0,
      queue_depth: 0,
      oldest_pending_seconds: 0,
      turns_unaccounted: 0,
    });
  });

  it('has no memory of Redis where there is none, or where Redis does not say', async () => {
    for (const memory of [async () => undefined, () => Promise.reject(new Error('NOPERM'))]) {
      const figures = await scrape(aMetrics({ memory }));

      expect(figures.store_up).toBe(1);
      expect(Object.keys(figures).filter((name) => name.includes('redis_memory'))).toEqual([]);
    }
  });

  it('is read once for scrapes that overlap', async () => {
    let reads = 0;
    const metrics = aMetrics({
      async turnCounts() {
        reads++;
        return NOTHING;
      },
    });

    await Promise.all([metrics.read(), metrics.read(), metrics.read()]);

    expect(reads).toBe(1);
  });

  it('stays for one scrape that fails, and is not shown as news after that', async () => {
    let now = 0;
    let isUp = true;
    const turnCounts = async () => {
      if (!isUp) throw new Error('no store');
      return { byStage: { accepted: 5 }, oldestAcceptedAt: 0 };
    };
    const metrics = aMetrics({ turnCounts, now: () => now });
    await scrape(metrics);
    isUp = false;

    now = 30_000;
    const soon = await scrape(metrics);
    now = 60_000;
    const later = await scrape(metrics);
    isUp = true;
    const again = await scrape(metrics);

    expect(soon).toMatchObject({
      store_up: 0,
      queue_depth: 5,
      oldest_pending_seconds: 30,
    });
    expect(later).toMatchObject({ store_up: 0, stalled_total: 0 });
    expect(later).not.toHaveProperty('queue_depth');
    expect(later).not.toHaveProperty(['turns{stage="accepted"}']);
    expect(again).toMatchObject({ store_up: 1, queue_depth: 5 });
  });

  it('holds up a scrape for two seconds at most, and the next one not at all', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => clock.restore());
    let isFrozen = true;
    const turnCounts = () => (isFrozen ? new Promise<never>(() => undefined) : Promise.resolve(NOTHING));
    const metrics = aMetrics({ turnCounts });

    const frozen = scrape(metrics);
    await clock.tickAsync(2_000);

    expect(await frozen).toMatchObject({ store_up: 0, stalled_total: 0 });
    isFrozen = false;
    expect(await scrape(metrics)).toMatchObject({ store_up: 1 });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AdminFailedError } from '../../../src/admin-api/admin-errors.ts';
import { endOfMonth } from '../../../src/governance/consumption/consumption-history.ts';
import { findUsage, toCreditUsage } from '../../../src/governance/consumption/credit-usage.ts';
import { createConsumptionRecorder, toFigures } from '../../../src/governance/schedule/record-consumption.ts';
import type { ScheduledServices } from '../../../src/governance/schedule/slack-delivery.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { anAgent, anEntitlement, anEnvironment, aThreshold, CURRENCY } from '../samples.ts';
import { aWorld, KIM, type World } from '../world.ts';

const NOON = Date.parse('2026-03-09T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const TODAY = toDay(NOON);

let world: World;
let services: ScheduledServices;

const countReads = () => world.service.calls.filter((call) => call === 'entitlements').length;

/** What each environment has used, as counted an hour ago. */
function use(environments: Record<string, number | Error>): void {
  const { service } = world;
  const names = Object.keys(environments);
  service.environments = names.map((name) => anEnvironment({ name, displayName: name }));
  const asOf = services.now() - 3_600_000;
  service.entitlements = new Map(
    Object.entries(environments).map(([name, consumed]) => [
      name,
      consumed instanceof Error ? consumed : [anEntitlement({ consumed, asOf })],
    ]),
  );
}

/** What the agent in the lab has used. */
function useOfAgent(consumption: number): void {
  world.service.thresholds = [aThreshold({ environmentId: 'lab', resourceId: 'A1', limit: 10, consumption })];
}

beforeEach(() => {
  world = aWorld(NOON);
  services = Object.assign(world.services, {
    reviewer: { team: 'T1', id: KIM.user },
    people: { profile: async () => ({ isMember: true }) },
    openSession: async () => world.session,
    findInstallation: async () => ({ team: 'T1', workspace: 'T1', botToken: 'x' }),
    wait: async () => {},
  }) as unknown as ScheduledServices;
  world.service.agents = [anAgent({ environmentId: 'Lab' })];
  world.service.thresholds = 'not_offered';
  use({ Lab: 100, production: 5_000 });
});

/** Of the lab. */
const recorded = async () => (await services.history.read(['environment:lab'], 0, TODAY + 10)).get('environment:lab');
const run = (values: Partial<ScheduledServices> = {}) =>
  createConsumptionRecorder({ ...services, ...values }).run(() => true);

describe('the record of consumption', () => {
  it('has what each environment used', async () => {
    await run();

    const read = await services.history.read(['environment:lab', 'environment:production', 'missing'], TODAY, TODAY);
    expect(Object.fromEntries([...read].map(([name, points]) => [name, points[0]?.credits]))).toEqual({
      ...{ 'environment:lab': 100, 'environment:production': 5_000, missing: 0 },
    });
  });

  it('is written once a day, whichever replica comes first', async () => {
    const next = await run();
    await run();
    expect(countReads()).toBe(2);

    world.passMs(DAY_MS);
    use({ Lab: 150, production: 5_200 });
    await run();

    expect(await recorded()).toEqual([
      { day: TODAY, credits: 100 },
      { day: TODAY + 1, credits: 150 },
    ]);
    expect(next).toBe((TODAY + 1) * DAY_MS + 3_600_000);
  });

  it('has what each agent used, once a month, where the service shows limits', async () => {
    useOfAgent(7);
    await run();
    world.passMs(DAY_MS);
    use({ Lab: 150 });
    useOfAgent(9);
    await run();

    const last = await services.history.readLast(endOfMonth(TODAY), endOfMonth(TODAY));
    expect([...last].map(([name, { credits }]) => [name, credits])).toEqual([
      ['agent:["lab","a1"]', 9],
      ['agents', TODAY + 1],
    ]);
  });

  it.each([
    ['goes on in the month before while the service does', 950, [['agent:["lab","a1"]', 950]], []],
    ['is of the new month from when the service counts that', 3, [['agent:["lab","a1"]', 900]], [3]],
  ])('of agents %s, whichever day environments are counted to', async (_, used, march, april) => {
    const [last, first] = ['2026-03-31', '2026-04-01'].map((day) => toDay(Date.parse(day)));
    world.passMs(Date.parse('2026-03-31T01:00:00Z') - NOON);
    use({ Lab: 100 });
    useOfAgent(900);
    await run();
    world.passMs(23.5 * 3_600_000);
    use({ Lab: 100 });
    useOfAgent(used);
    await run();

    const ofMonth = async (day = 0) => [...(await services.history.readLast(endOfMonth(day), endOfMonth(day)))];
    const ofAgents = async (day = 0) => (await ofMonth(day)).filter(([name]) => name.startsWith('agent:'));
    expect((await ofAgents(last)).map(([name, { credits }]) => [name, credits])).toEqual(march);
    expect((await ofAgents(first)).map(([, { credits }]) => credits)).toEqual(april);
  });

  it('says how many environments could not be read', async () => {
    use({ Lab: 100, broken: new AdminFailedError('read entitlements') });

    await run();

    expect((await services.history.read(['missing'], TODAY, TODAY)).get('missing')?.[0]?.credits).toBe(1);
    expect((await recorded())?.[0]?.credits).toBe(100);
  });

  it.each<[string, Record<string, Error>, Partial<ScheduledServices>]>([
    ['nothing can be read', { Lab: new AdminFailedError('read entitlements') }, {}],
    ['nothing is listed', {}, {}],
    ['the reviewer has to sign in', {}, { openSession: () => Promise.reject(new AccountNotLinkedError('ended')) }],
    ['the reviewer is no administrator any more', {}, { rules: [] }],
  ])('is tried again half an hour later where %s', async (_, environments, values) => {
    use(environments);

    expect(await run(values)).toBe(NOON + 30 * 60_000);

    use({ Lab: 100 });
    await run();
    expect((await recorded())?.[0]?.credits).toBe(100);
  });
});

describe('the figures of a day', () => {
  const read = (environmentId: string, asOf: string, consumed: number, isMonthToDate = true) => {
    const entitlement = anEntitlement({ consumed, asOf: Date.parse(asOf), ...(!isMonthToDate && OTHER) });
    return { environmentId, usage: findUsage(toCreditUsage([entitlement], Date.parse(asOf)), CURRENCY) };
  };
  const OTHER = { consumptionType: 'Snapshot' };

  it('are of the day that the service has counted to, without those of another month', () => {
    const figures = toFigures(
      [read('late', '2026-02-27T10:00:00Z', 7_000), read('lab', '2026-03-01T23:00:00Z', 50)],
      toDay(Date.parse('2026-03-02T01:00:00Z')),
    );

    expect(figures?.day).toBe(toDay(Date.parse('2026-03-01')));
    expect([...(figures?.credits ?? [])]).toEqual([['environment:lab', 50]]);
  });

  it('are none where nothing counts from the beginning of the month', () => {
    expect(toFigures([read('lab', '2026-03-09T12:00:00Z', 1, false)], TODAY)).toBeUndefined();
    expect(toFigures([{ environmentId: 'lab', usage: 'unreadable' }], TODAY)).toBeUndefined();
  });
});

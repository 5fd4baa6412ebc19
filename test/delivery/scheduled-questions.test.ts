import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { SlackRefusedError, SlackUnavailableError } from '../../src/slack/web/slack-errors.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { ANA, aSchedule, createScheduling } from './schedule-world.ts';

const HOUR_MS = 3_600_000;
const MONDAY = Date.parse('2026-11-23T07:00:00Z');
const TUESDAY = MONDAY + 24 * HOUR_MS;

let time: number;
let store: Store;

const now = () => time;
const held = () => true;

beforeEach(() => {
  // Sunday.
  time = MONDAY - 20 * HOUR_MS;
  store = createMemoryStore(now);
});

describe('scheduled questions', () => {
  it('are asked at their time, with the rights and in the direct messages of their person', async () => {
    const scheduling = createScheduling(store, now);
    expect(await scheduling.add(aSchedule())).toBe(MONDAY);

    expect(await scheduling.run(held)).toBe(MONDAY);
    time = MONDAY;
    expect(await scheduling.run(held)).toBe(TUESDAY);

    expect([...scheduling.accepted]).toEqual([
      [
        'schedule:T1:UANA:V1:2026-11-23',
        {
          ...{ asker: ANA, workspace: 'T1', channel: 'D1', origin: 'command', audience: 'person', startsThread: true },
          ...{ text: 'What changed in my projects?', webSearch: true, links: [], unusable: [] },
          scheduled: { due: MONDAY },
        },
      ],
    ]);
  });

  it('are at most five of one person, whoever saves them at the same time', async () => {
    const scheduling = createScheduling(store, now);
    const ids = Array.from({ length: 8 }, (_, index) => `V${index}`);
    const saved = await Promise.all(ids.map((id) => scheduling.add(aSchedule({ id }))));

    expect(saved.filter((at) => at === undefined)).toHaveLength(3);
    expect(await scheduling.list(ANA)).toHaveLength(5);
    expect(await scheduling.add(aSchedule({ person: { team: 'T1', user: 'UBEN' } }))).toBe(MONDAY);
  });

  it('come in the order in which the first of each person is due, also once that is changed', async () => {
    const scheduling = createScheduling(store, now);
    const add = (user: string, ...times: string[]) =>
      Promise.all(times.map((time) => scheduling.add(aSchedule({ id: time, person: { team: 'T1', user }, time }))));
    const upcoming = async () => (await store.schedules.upcoming()).map(({ person }) => person.user);
    await add('UANA', '11:00', '10:00');
    await add('UBEN', '09:00');
    await add('UKIM', '09:30');
    expect(await upcoming()).toEqual(['UBEN', 'UKIM', 'UANA']);

    await scheduling.end({ team: 'T1', user: 'UBEN' }, '09:00');
    await add('UBEN', '12:00');

    expect(await upcoming()).toEqual(['UKIM', 'UANA', 'UBEN']);
  });

  it('are saved once, however often Slack sends the window', async () => {
    const scheduling = createScheduling(store, now);
    for (let sent = 0; sent < 6; sent += 1) await scheduling.add(aSchedule());

    expect(await scheduling.list(ANA)).toHaveLength(1);
  });

  it('end one by one, and all at once', async () => {
    const scheduling = createScheduling(store, now);
    for (const id of ['V1', 'V2', 'V3']) await scheduling.add(aSchedule({ id }));

    await scheduling.end(ANA, 'V2');
    await scheduling.end(ANA, 'V9');
    expect((await scheduling.list(ANA)).map(({ id }) => id)).toEqual(['V1', 'V3']);

    expect(await scheduling.endAll(ANA)).toBe(2);
    expect(await scheduling.endAll(ANA)).toBe(0);
    expect(await scheduling.list(ANA)).toEqual([]);
    expect(await scheduling.run(held)).toBeUndefined();
  });

  it('are asked once where a process dies before it has noted that, and where replicas do it together', async () => {
    const broken = createScheduling(
      {
        schedules: {
          ...store.schedules,
          change: () => Promise.reject(new StoreUnavailableError('gone')),
        },
      },
      now,
    );
    const [one, other] = [
      createScheduling(store, now, { accept: async (id, question) => void broken.accepted.set(id, question) }),
      createScheduling(store, now, { accept: async (id, question) => void broken.accepted.set(id, question) }),
    ];
    await one.add(aSchedule());
    time = MONDAY + 1;

    await broken.run(held);
    await Promise.all([one.run(held), other.run(held)]);

    expect([...broken.accepted.keys()]).toEqual(['schedule:T1:UANA:V1:2026-11-23']);
    expect((await one.list(ANA))[0]?.nextAt).toBe(TUESDAY);
  });

  it('come once after an outage of days, for the last time that was missed', async () => {
    const scheduling = createScheduling(store, now);
    await scheduling.add(aSchedule());
    time = MONDAY + 3 * 24 * HOUR_MS + 600_000;

    await scheduling.run(held);

    expect([...scheduling.accepted.values()].map(({ scheduled }) => scheduled?.due)).toEqual([
      MONDAY + 3 * 24 * HOUR_MS,
    ]);
  });

  it('are held without a sign-in, which the first of them says, and go on with one', async () => {
    let isLinked = false;
    const scheduling = createScheduling(store, now, { isLinked: async () => isLinked });
    for (const id of ['V1', 'V2']) await scheduling.add(aSchedule({ id }));

    for (let day = 0; day < 3; day += 1) {
      time = MONDAY + day * 24 * HOUR_MS;
      await scheduling.run(held);
    }
    expect([...scheduling.accepted.keys()]).toEqual(['schedule:T1:UANA:V1:2026-11-23']);

    isLinked = true;
    time = MONDAY + 3 * 24 * HOUR_MS;
    await scheduling.run(held);
    expect([...scheduling.accepted.keys()].slice(1)).toEqual([
      'schedule:T1:UANA:V1:2026-11-26',
      'schedule:T1:UANA:V2:2026-11-26',
    ]);
  });

  it('that are held are held from now on, once another one is added', async () => {
    const scheduling = createScheduling(store, now, { isLinked: async () => false });
    await scheduling.add(aSchedule());
    time = MONDAY;
    await scheduling.run(held);
    const before = await store.schedules.get(ANA);

    await scheduling.add(aSchedule({ id: 'V2' }));

    expect(before?.heldSince).toBe(MONDAY);
    expect((await store.schedules.get(ANA))?.heldSince).toBeUndefined();
  });

  it('of one person that cannot be moved on keep nobody else waiting', async () => {
    const scheduling = createScheduling(store, now);
    const ben = { team: 'T1', user: 'UBEN' };
    for (const person of [ben, ANA]) await scheduling.add(aSchedule({ person }));
    await store.schedules.change(ben, (known) => {
      const questions = known?.questions.map((one) => ({ ...one, zone: 'Nowhere/None' }));
      return known && questions && { ...known, questions };
    });

    time = MONDAY;
    expect(await scheduling.run(held)).toBe(MONDAY + 30_000);

    expect([...scheduling.accepted.keys()]).toEqual(['schedule:T1:UANA:V1:2026-11-23']);
  });

  it('go where nobody came back for them in a quarter of a year', async () => {
    const scheduling = createScheduling(store, now, { isLinked: async () => false });
    await scheduling.add(aSchedule());
    time = MONDAY;
    await scheduling.run(held);

    time = MONDAY + 91 * 24 * HOUR_MS;

    expect(await scheduling.list(ANA)).toEqual([]);
    expect(await scheduling.run(held)).toBeUndefined();
  });

  it('follow their person into another zone, and are asked once a day on the way', async () => {
    let zone = 'Europe/Berlin';
    const scheduling = createScheduling(store, now, { timeZone: async () => zone });
    await scheduling.add(aSchedule());
    time = MONDAY;
    await scheduling.run(held);

    zone = 'America/New_York';
    time = MONDAY + HOUR_MS;
    await scheduling.move(ANA, zone);
    const inNewYork = Date.parse('2026-11-23T13:00:00Z');
    expect((await scheduling.list(ANA))[0]).toMatchObject({ zone, nextAt: inNewYork });
    time = inNewYork;
    await scheduling.run(held);

    expect([...scheduling.accepted.keys()]).toEqual(['schedule:T1:UANA:V1:2026-11-23']);
    expect((await scheduling.list(ANA))[0]?.nextAt).toBe(Date.parse('2026-11-24T13:00:00Z'));
  });

  it('that are due keep their time where their person moves before they are asked', async () => {
    const scheduling = createScheduling(store, now);
    await scheduling.add(aSchedule());
    time = MONDAY;

    await scheduling.move(ANA, 'America/New_York');

    expect((await scheduling.list(ANA))[0]).toMatchObject({ zone: 'Europe/Berlin', nextAt: MONDAY });
  });

  it('wait where Slack does not answer for one person, and hold up nobody else', async () => {
    let isDown = true;
    const scheduling = createScheduling(store, now, {
      async directMessage(_workspace, user) {
        if (isDown && user === 'UANA') throw new SlackUnavailableError('conversations.open');
        return `D${user}`;
      },
    });
    await scheduling.add(aSchedule());
    await scheduling.add(aSchedule({ person: { team: 'T1', user: 'UBEN' } }));
    time = MONDAY;

    expect(await scheduling.run(held)).toBe(MONDAY + 30_000);
    expect([...scheduling.accepted.values()].map(({ channel }) => channel)).toEqual(['DUBEN']);

    isDown = false;
    time += 30_000;
    await scheduling.run(held);
    expect([...scheduling.accepted.values()].map(({ channel }) => channel)).toEqual(['DUBEN', 'DUANA']);
  });

  it('are left out, and held from then on, where Slack refuses the direct message', async () => {
    const scheduling = createScheduling(store, now, {
      async directMessage() {
        throw new SlackRefusedError('conversations.open', 'user_disabled');
      },
    });
    await scheduling.add(aSchedule());
    time = MONDAY;

    expect(await scheduling.run(held)).toBe(TUESDAY);
    expect(scheduling.accepted.size).toBe(0);
    expect((await store.schedules.get(ANA))?.heldSince).toBe(MONDAY);
  });

  it('stop where the lane is lost, or the process is to stop', async () => {
    const scheduling = createScheduling(store, now);
    await scheduling.add(aSchedule());
    time = MONDAY;

    await scheduling.run(() => false);
    scheduling.stop();
    await scheduling.run(held);

    expect(scheduling.accepted.size).toBe(0);
  });

  it('are asked on each of their days once, whenever and however often it is looked', async () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 3 * 24 * 60 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(minutes, fc.boolean(), async (pauses, isTwice) => {
        time = MONDAY - 20 * HOUR_MS;
        const some = createMemoryStore(now);
        const scheduling = createScheduling(some, now);
        await scheduling.add(aSchedule());
        for (const pause of pauses) {
          time += pause * 60_000;
          await Promise.all([scheduling.run(held), ...(isTwice ? [scheduling.run(held)] : [])]);
        }
        const due = [...scheduling.accepted.values()].map(({ scheduled }) => scheduled?.due ?? 0);
        expect(new Set(due).size).toBe(due.length);
        expect(due.every((at) => at <= time && new Date(at).getUTCHours() === 7)).toBe(true);
        expect((await scheduling.list(ANA))[0]?.nextAt).toBeGreaterThan(time);
      }),
      { numRuns: 60 },
    );
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { TransientError } from '../../src/errors.ts';
import { createLeavers } from '../../src/identity/leavers.ts';
import { createLog } from '../../src/log.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let time: number;
let store: Store;
let asked: string[];
let dropped: string[];
let gone: Set<string>;
let failures: Map<string, Error>;
const stopping = new AbortController().signal;

beforeEach(() => {
  time = 1_000_000;
  store = createMemoryStore(() => time);
  asked = [];
  dropped = [];
  gone = new Set();
  failures = new Map();
});

function aReplica() {
  return createLeavers({
    ...store,
    async unlink(person, purpose) {
      await store.links.delete({ ...person, purpose });
      return [purpose];
    },
    dropQuestions: async ({ user }, workspace) => void dropped.push(`${workspace}:${user}`),
    async hasLeft(workspace, user) {
      asked.push(`${workspace}:${user}`);
      const failure = failures.get(user);
      if (failure) throw failure;
      return gone.has(user);
    },
    now: () => time,
    log: createLog('silent'),
  });
}

const link = (user: string, change: Parameters<typeof aLink>[0] = {}) =>
  store.links.save(aLink({ user, ...change }), 0);
const kept = async () => (await store.links.list()).links.map(({ user, purpose }) => `${user}:${purpose}`);

// That both sign-ins and the questions that wait go: below.
it('somebody who has left keeps the sign-in made through another workspace of the organisation, where they still are', async () => {
  await link('UANA', { team: 'E1', workspace: 'T2' });

  await aReplica().remove({ team: 'E1', user: 'UANA' }, 'T1');

  expect(await kept()).toEqual(['UANA:assistant']);
});

describe('the sweep for people who left without an event', () => {
  const users = Array.from({ length: 12 }, (_, index) => `U${String(index).padStart(2, '0')}`);

  it('asks about a few a minute, each person once, and deletes what those have who left', async () => {
    for (const user of users) await link(user);
    await link('U03', { purpose: 'admin' });
    gone.add('U03');
    const leavers = aReplica();

    await leavers.sweep(stopping);
    await leavers.sweep(stopping);
    expect(asked).toHaveLength(5);
    for (let minute = 0; minute < 10; minute++) {
      time += MINUTE_MS;
      await leavers.sweep(stopping);
    }

    expect(asked).toEqual(users.map((user) => `T1:${user}`));
    expect((await kept()).filter((name) => name.startsWith('U03'))).toEqual([]);
    expect(await kept()).toHaveLength(11);
    expect(dropped).toEqual(['T1:U03']);
  });

  it('begins again after a day', async () => {
    await link('UANA');
    const leavers = aReplica();
    await leavers.sweep(stopping);
    gone.add('UANA');

    time += DAY_MS;
    await leavers.sweep(stopping);

    expect(asked).toEqual(['T1:UANA', 'T1:UANA']);
    expect(await kept()).toEqual([]);
  });

  it('goes on where the clock was set back by hours', async () => {
    for (const user of users) await link(user);
    const leavers = aReplica();
    await leavers.sweep(stopping);
    time -= DAY_MS / 4;

    await leavers.sweep(stopping);
    await leavers.sweep(stopping);
    await aReplica().sweep(stopping);

    expect(asked).toEqual(users.map((user) => `T1:${user}`));
  });

  it('is done by one of many replicas, and goes on where another one stopped', async () => {
    for (const user of users) await link(user);
    const replicas = [aReplica(), aReplica(), aReplica()];

    for (let minute = 0; minute < 3; minute++) {
      await Promise.all(replicas.map((replica) => replica.sweep(stopping)));
      replicas.shift();
      time += MINUTE_MS;
    }

    expect(asked).toEqual(users.map((user) => `T1:${user}`));
  });

  it.each([
    ['Slack cannot be asked', new TransientError('slack_unavailable', 'no answer')],
    ['nothing is known any more', new Error('not installed')],
  ])('deletes nobody about whom %s, and is not held up by them', async (_, failure) => {
    for (const user of users) await link(user);
    failures.set('U01', failure);
    const leavers = aReplica();

    await leavers.sweep(stopping);
    time += MINUTE_MS;
    await leavers.sweep(stopping);

    expect(asked.slice(0, 3)).toEqual(['T1:U00', 'T1:U01', 'T1:U02']);
    expect(await kept()).toHaveLength(12);
  });

  it('stops when the app does', async () => {
    await link('UANA');
    const stop = new AbortController();
    stop.abort();

    await aReplica().sweep(stop.signal);

    expect(asked).toEqual([]);
  });
});

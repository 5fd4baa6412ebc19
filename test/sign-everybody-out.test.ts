// `npm run sign-everybody-out` as operators run it: a process of its own.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LinkedEntry } from '../src/audit/audit-log.ts';
import { openRedisStore } from '../src/backend/redis-store.ts';
import { openSqliteStore } from '../src/backend/sqlite-store.ts';
import type { Store } from '../src/backend/store.ts';
import { ENVIRONMENT } from './a-config.ts';
import { ownFolder } from './own-folder.ts';
import { runApart } from './run-script.ts';
import { aLink } from './storage/a-link.ts';
import { useRedis } from './storage/own-redis.ts';

const newKey = () => randomBytes(32).toString('base64');

const ENCRYPTION_KEYS = `k2:${newKey()},k1:${newKey()}`;

const folder = ownFolder('sign-everybody-out');
const redis = useRedis();

type Place = { environment: Record<string, string>; open(): Promise<Store> };

async function newSqlite(): Promise<Place> {
  const path = join(folder, `${randomBytes(6).toString('hex')}.db`);
  const open = () => openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
  return { environment: { SQLITE_PATH: path }, open };
}

async function newRedis(): Promise<Place> {
  return { environment: { REDIS_URL: redis.url }, open: () => openRedisStore({ url: redis.url, now: Date.now }) };
}

/** `typed`: all that comes from the terminal. */
function run({ environment }: Place, args: string[], typed = '') {
  return runApart(['sign-everybody-out.ts', ...args], { ...ENVIRONMENT, ENCRYPTION_KEYS, ...environment }, { typed });
}

async function look<T>({ open }: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const readLog = (place: Place) => look(place, ({ audit }) => audit.list({ limit: 10 }));

/** Who still has tokens. */
const readSignedIn = (place: Place) =>
  look(place, async ({ links }) =>
    (await links.list()).links
      .filter(({ sealedTokens }) => sealedTokens !== '')
      .map(({ user }) => user)
      .sort(),
  );

describe('npm run sign-everybody-out', () => {
  /** Three people: Ana and Ben are sealed with k1, Kim with k2. */
  async function fill(open: () => Promise<Place> = newSqlite): Promise<Place> {
    const place = await open();
    await look(place, async ({ links }) => {
      for (const [user, key] of [
        ['UANA', 'k1'],
        ['UBEN', 'k1'],
        ['UKIM', 'k2'],
      ])
        await links.save(aLink({ user, sealedTokens: `v1.${key}.iv.body`, channelAnswers: 'private' }), 0);
    });
    return place;
  }

  it('counts, and changes nothing', async () => {
    const place = await fill();

    expect(await run(place, ['--count'])).toEqual({
      out: '3 sign-ins: 2 sealed with key k1, 1 sealed with key k2.\n',
      err: '',
      status: 0,
    });
    expect((await run(place, ['--count', '--key', 'k9'])).out).toContain('None is sealed with key k9.');
    expect(await readSignedIn(place)).toEqual(['UANA', 'UBEN', 'UKIM']);
    expect(await readLog(place)).toEqual([]);
  });

  it.each([
    ['SQLite', newSqlite],
    ['Redis', newRedis],
  ])('ends those of one key, once, and logs who did what: in %s', async (_store, open) => {
    const place = await fill(open);

    const first = await run(place, ['--key', 'k1', '--yes']);
    const second = await run(place, ['--key', 'k1', '--yes']);

    const [entry, ...others] = await readLog(place);
    expect(first).toMatchObject({ err: '', status: 0 });
    expect(first.out).toContain(`2 sign-ins were ended. Audit log: ${entry?.seq}:${entry?.hash}\n`);
    expect(second).toEqual({
      out: '1 sign-in: 1 sealed with key k2. None is sealed with key k1.\n',
      err: '',
      status: 0,
    });
    expect(await readSignedIn(place)).toEqual(['UKIM']);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      ...{ what: 'sign_ins_ended', who: { user: 'operator' }, after: { signIns: 2, key: 'k1' } },
      outcome: { kind: 'done' },
    } satisfies Partial<LinkedEntry>);
    const ana = await look(place, ({ links }) => links.get(aLink()));
    expect(ana).toMatchObject({ channelAnswers: 'private', sealedTokens: '' });
  });

  it('ends all once their number is typed', async () => {
    const place = await fill();

    const refused = [await run(place, [], 'yes\n'), await run(place, [], '')];
    const signedIn = await readSignedIn(place);
    const agreed = await run(place, [], '3\n');

    expect(refused.map(({ err, status }) => ({ err, status }))).toEqual(
      Array(2).fill({ err: 'Nothing was ended.\n', status: 1 }),
    );
    expect(signedIn).toHaveLength(3);
    expect(agreed).toMatchObject({ err: '', status: 0 });
    expect(await readSignedIn(place)).toEqual([]);
    expect(await readLog(place)).toMatchObject([{ after: { signIns: 3 } }]);
  });

  it('refuses the key that encrypts new sign-ins, and ends nothing', async () => {
    const place = await fill();

    const { err, status } = await run(place, ['--key', 'k2', '--yes']);

    expect(err).toMatch(/^Key k2 still encrypts new sign-ins\. Put a new key in front of it in ENCRYPTION_KEYS/);
    expect(status).toBe(1);
    expect(await readSignedIn(place)).toHaveLength(3);
  });

  it('ends nothing that cannot be logged', async () => {
    const place = await fill();
    const sealed = { ...place, environment: { ...place.environment, AUDIT_KEY: newKey() } };
    await run(sealed, ['--key', 'k1', '--yes']);

    const { err, status } = await run(place, ['--yes']);

    expect({ err, status }).toEqual({
      err: 'Nothing was ended, because the audit log cannot be written: the audit log is sealed with a key that is not in AUDIT_KEY. Run this with the environment of the app.\n',
      status: 1,
    });
    expect(await readSignedIn(place)).toEqual(['UKIM']);
  });
});

it('does nothing where there is no database, and makes none', async () => {
  const place = await newSqlite();

  const ended = [await run(place, ['--yes']), await run(place, ['--yes'])];

  expect(ended.map(({ status }) => status)).toEqual([1, 1]);
  expect(ended[1]?.err).toMatch(/^There is no database .*SQLITE_PATH/);
});

it('says to stop the app where that has the database, and may count beside it', async () => {
  const place = await newSqlite();

  const { ended, counted } = await look(place, async ({ links }) => {
    await links.save(aLink({ sealedTokens: 'v1.k1.iv.body' }), 0);
    return { ended: await run(place, ['--yes']), counted: await run(place, ['--count']) };
  });

  expect(ended.err).toMatch(/^The app uses \S+ \(SQLITE_PATH\)\. Stop the app first, then run this again\.\n$/);
  expect(ended.status).toBe(1);
  expect(counted).toMatchObject({ out: '1 sign-in: 1 sealed with key k1.\n', status: 0 });
  expect(await readSignedIn(place)).toEqual(['UANA']);
});

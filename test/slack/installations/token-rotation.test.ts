import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstallWorld, startInstallWorld } from './install-world.ts';

const HOUR_MS = 3_600_000;

const NEVER = new AbortController().signal;

let world: InstallWorld;

beforeEach(async () => {
  world = await startInstallWorld();
  world.slack.registration.isRotating = true;
  await world.install(await world.browserOf('U0KIM'));
});
afterEach(() => world.close());

const find = async () => (await world.installations.find('T0001')).botToken;

const refreshes = () =>
  world.slack.ledger.calls('oauth.v2.access').filter((call) => call.arguments.grant_type === 'refresh_token');

/** Of the sandbox's Slack. */
const token = () => world.slack.token();

const check = () => world.installations.call('auth.test', 'T0001', {});

describe('a token that rotates', () => {
  it('is stored with what it is exchanged for, and neither can be read', async () => {
    const stored = await world.store.get('T0001');

    expect(await find()).toBe(token());
    expect(stored?.rotation?.expiresAt).toBeGreaterThan(Date.now() + 11 * HOUR_MS);
    expect(JSON.stringify(world.rows('installation'))).not.toContain('xoxe');
    expect(world.lines.join('')).not.toContain('xoxe');
  });

  it('is not exchanged before its last two hours', async () => {
    world.clock.skewMs = 9.9 * HOUR_MS;
    await find();

    expect(refreshes()).toEqual([]);
  });

  it('is exchanged in its last two hours, once for all who ask, and nobody waits for it', async () => {
    const before = token();
    world.clock.skewMs = 10.1 * HOUR_MS;
    world.slack.faults.next('oauth.v2.access', { kind: 'delay', delayMs: 100 });
    const found = await Promise.all([find(), find(), find()]);

    expect(found).toEqual([before, before, before]);
    await expect.poll(() => world.lines.join('')).toContain('slack token refreshed');
    expect(refreshes()).toHaveLength(1);
    expect(await find()).toBe(token());
    expect(token()).not.toBe(before);
    expect(world.announced.at(-1)).toBe('T0001');
  });

  it('that has expired is exchanged before it is used', async () => {
    world.clock.skewMs = 13 * HOUR_MS;

    expect(await find()).toBe(token());
    expect(refreshes()).toHaveLength(1);
    await expect(check()).resolves.toMatchObject({ ok: true });
  });

  it('that another replica has exchanged is not exchanged again', async () => {
    const stored = await world.store.get('T0001');
    await find();
    world.clock.skewMs = 10.1 * HOUR_MS;
    if (!stored?.rotation) throw new Error('it does not rotate');
    await world.store.put({ ...stored, rotation: { ...stored.rotation, expiresAt: Date.now() + 24 * HOUR_MS } });
    await find();
    await find();

    expect(refreshes()).toEqual([]);
  });

  it('is used to its end where Slack does not answer, and then nobody is answered with it', async () => {
    const before = await find();
    world.slack.faults.always('oauth.v2.access', { kind: 'status', status: 503 });
    world.clock.skewMs = 11 * HOUR_MS;
    expect(await find()).toBe(before);
    await expect.poll(() => world.lines.join('')).toContain('slack token not refreshed');
    expect(await find()).toBe(before);
    expect(refreshes()).toHaveLength(1);
    world.clock.skewMs = 13 * HOUR_MS;
    await expect(find()).rejects.toMatchObject({ code: 'slack_unavailable' });

    world.slack.faults.clear();
    world.clock.skewMs += 31_000;
    expect(await find()).toBe(token());
  });

  it('whose refresh token Slack refuses is used to its end, and Slack is asked once', async () => {
    const before = await find();
    world.slack.faults.always('oauth.v2.access', { kind: 'slackError', error: 'invalid_refresh_token' });
    world.clock.skewMs = 11 * HOUR_MS;
    expect(await find()).toBe(before);
    await expect.poll(() => world.lines.join('')).toContain('install the app there again at /slack/install');
    world.clock.skewMs += 60_000;
    expect(await find()).toBe(before);
    world.clock.skewMs = 13 * HOUR_MS;

    await expect(find()).rejects.toMatchObject({ code: 'slack_reinstall_needed' });
    expect(refreshes()).toHaveLength(1);
    expect((await world.store.get('T0001'))?.rotation?.refusedAt).toBeGreaterThan(Date.now());
  });

  it('is waited for where Slack refuses the secret of the app, also while Slack is not asked again', async () => {
    world.slack.faults.always('oauth.v2.access', { kind: 'slackError', error: 'bad_client_secret' });
    world.clock.skewMs = 13 * HOUR_MS;

    for (const _ of [1, 2]) await expect(find()).rejects.toMatchObject({ code: 'slack_unavailable' });
    expect(refreshes()).toHaveLength(1);
  });

  it('is not asked for while Slack limits the app, whichever workspace that was about', async () => {
    world.slack.faults.next('oauth.v2.access', { kind: 'rateLimited', retryAfterSeconds: 30 });
    world.clock.skewMs = 13 * HOUR_MS;
    await expect(find()).rejects.toThrow();

    expect(world.blocked).toEqual(['oauth.v2.access:app']);
  });

  it('works again after the app was installed again', async () => {
    world.slack.faults.next('oauth.v2.access', { kind: 'slackError', error: 'invalid_refresh_token' });
    world.clock.skewMs = 13 * HOUR_MS;
    await expect(find()).rejects.toThrow();
    world.clock.skewMs = 0;
    await world.slack.uninstall({ events: [] });
    await world.install(await world.browserOf('U0KIM'));

    expect(await find()).toBe(token());
  });

  it('is stored as soon as the store can be written again', async () => {
    world.outage.isOn = true;
    setTimeout(() => (world.outage.isOn = false), 400);
    world.clock.skewMs = 13 * HOUR_MS;

    expect(await find()).toBe(token());
    expect(refreshes()).toHaveLength(1);
  });

  it('does not come back where the app was uninstalled meanwhile', async () => {
    world.clock.skewMs = 10.1 * HOUR_MS;
    const stored = await world.store.get('T0001');
    world.slack.faults.next('oauth.v2.access', { kind: 'delay', delayMs: 100, after: true });
    await find();
    await world.store.remove('T0001', stored?.installedAt ?? 0);
    await expect.poll(() => world.announced.length).toBeGreaterThan(1);

    expect(await world.store.get('T0001')).toBeUndefined();
  });
});

describe('a call with a token that was exchanged in the middle of a run', () => {
  it('is made with the next one', async () => {
    const former = await world.store.get('T0001');
    world.clock.skewMs = 13 * HOUR_MS;
    await find();
    const next = await world.store.get('T0001');
    if (!former || !next) throw new Error('it is not installed');
    // This process still has the former one when another replica exchanges it.
    world.clock.skewMs = 0;
    await world.store.put(former);
    world.installations.forget('T0001');
    await find();
    await world.store.put(next);

    await expect(check()).resolves.toMatchObject({ ok: true });
    expect(world.slack.ledger.calls('auth.test').at(-2)?.response).toMatchObject({ error: 'token_revoked' });
  });

  it('is refused where there is no next one', async () => {
    world.slack.faults.next('auth.test', { kind: 'slackError', error: 'invalid_auth' });
    await expect(check()).rejects.toMatchObject({ slackError: 'invalid_auth' });

    await world.slack.uninstall({ events: [] });
    await expect(check()).rejects.toMatchObject({ slackError: 'account_inactive' });
  });
});

describe('an installation whose token rotates', () => {
  it('is kept while its token is exchanged, and where the exchanged one was not stored', async () => {
    const stored = await world.store.get('T0001');
    world.clock.skewMs = 13 * HOUR_MS;
    await find();
    if (stored) await world.store.put(stored);
    await world.installations.reconcile(NEVER);

    expect(await world.store.get('T0001')).toBeDefined();
    expect(world.purged).toEqual([]);
  });

  it('is removed by a review where the app is gone and the news of it was lost', async () => {
    await world.slack.uninstall({ events: [] });
    await world.installations.reconcile(NEVER);

    expect(await world.store.get('T0001')).toBeUndefined();
    expect(world.purged).toEqual(['T0001']);
  });

  it.each(['token_revoked', 'token_expired', 'invalid_auth'])(
    'whose token is refused (%s) is kept where tokens were revoked, and removed where the app was uninstalled',
    async (error) => {
      const news = { workspace: 'T0001', endedAt: Date.now() + 1_000, isLastTry: true };
      const refuse = () => world.slack.faults.next('auth.test', { kind: 'slackError', error });

      refuse();
      expect(await world.installations.uninstall(news)).toBe('kept');
      refuse();
      expect(await world.installations.uninstall({ ...news, isUninstalled: true })).toBe('uninstalled');

      expect(world.purged).toEqual(['T0001']);
    },
  );
});

it('a replica that was frozen and lost the lock leaves the pair that another one has stored meanwhile', async () => {
  const former = await world.store.get('T0001');
  world.clock.skewMs = 13 * HOUR_MS;
  const next = await find();
  const fresh = await world.store.get('T0001');
  if (!former || !fresh) throw new Error('it is not installed');
  await world.store.put(former);
  world.installations.forget('T0001');
  const stop = world.slack.faults.onProcessed('oauth.v2.access', async () => {
    stop();
    await world.store.put(fresh);
  });

  expect(await find()).toBe(next);
  expect(refreshes().at(-1)?.response).toMatchObject({ error: 'invalid_refresh_token' });
  expect(await world.store.get('T0001')).toEqual(fresh);
});

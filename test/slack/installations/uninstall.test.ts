import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { createOnlyInstallation } from '../../../src/slack/installations/installations.ts';
import { type InstallWorld, startInstallWorld } from './install-world.ts';

const HOUR_MS = 3_600_000;

const NEVER = new AbortController().signal;

let world: InstallWorld;

beforeEach(async () => {
  world = await startInstallWorld();
});
afterEach(() => world.close());

// Twice, and late, it comes in ../../end-to-end/many-workspaces.test.ts.
describe('news of the end', () => {
  beforeEach(async () => {
    await world.install(await world.browserOf('U0KIM'));
    world.announced.length = 0;
  });

  const tell = (change: { endedAt?: number; isLastTry?: boolean; workspace?: string } = {}) =>
    world.installations.uninstall({ workspace: 'T0001', endedAt: Date.now(), isLastTry: false, ...change });

  it('removes the installation and everything of its workspace, and tells the other replicas', async () => {
    await world.installations.find('T0001');
    await world.slack.uninstall({ events: [] });

    expect(await tell()).toBe('uninstalled');

    expect(await world.store.list()).toEqual([]);
    expect(world.purged).toEqual(['T0001']);
    expect(world.announced).toEqual(['T0001']);
    await expect(world.installations.find('T0001')).rejects.toMatchObject({ code: 'unknown_workspace' });
  });

  it('purges what a process that died half-way left behind', async () => {
    await world.store.remove('T0001', (await world.store.get('T0001'))?.installedAt ?? 0);

    expect(await tell()).toBe('uninstalled');

    expect(world.purged).toEqual(['T0001']);
  });

  it('of the same second as a new installation removes nothing, and is asked for again until it is clear', async () => {
    await world.slack.uninstall({ events: [] });
    await world.install(await world.browserOf('U0KIM'));
    const { installedAt = 0 } = (await world.store.get('T0001')) ?? {};
    const endedAt = installedAt - (installedAt % 1000);

    await expect(tell({ endedAt })).rejects.toMatchObject({ code: 'still_installed' });
    expect(await tell({ endedAt, isLastTry: true })).toBe('kept');

    expect(await world.store.list()).toHaveLength(1);
    expect(world.purged).toEqual([]);
  });

  it.each([
    ['removes an installation whose clock was ahead of Slack’s', 'account_inactive', HOUR_MS, 'uninstalled'],
    ['removes one whose clock was ahead and whose token was revoked', 'token_revoked', HOUR_MS, 'uninstalled'],
    ['removes one whose token is refused', 'invalid_auth', 0, 'uninstalled'],
    ['that is late removes nothing for a refusal that may pass', 'invalid_auth', HOUR_MS, 'kept'],
  ])('%s', async (_, error, agoMs, outcome) => {
    world.slack.faults.next('auth.test', { kind: 'slackError', error });

    expect(await tell({ endedAt: Date.now() - agoMs })).toBe(outcome);
  });

  it.each([
    ['does not answer', { kind: 'resetBeforeProcessing' }],
    ['takes too long', { kind: 'delay', delayMs: 2_000 }],
    ['is at fault itself', { kind: 'slackError', error: 'internal_error' }],
  ] as const)('waits where Slack %s', async (_, fault) => {
    await world.slack.uninstall({ events: [] });
    world.slack.faults.next('auth.test', fault);

    await expect(tell()).rejects.toMatchObject({ code: 'slack_unavailable' });
    expect(await world.store.list()).toHaveLength(1);
  });

  it('removes nothing where a new installation came while Slack was asked', async () => {
    await world.slack.uninstall({ events: [] });
    const stop = world.slack.faults.onProcessed('auth.test', async () => {
      stop();
      world.clock.skewMs = 1_000;
      await world.install(await world.browserOf('U0KIM'));
    });

    expect(await tell()).toBe('kept');

    expect(world.purged).toEqual([]);
    expect((await world.installations.find('T0001')).botToken).toBe(world.slack.token());
  });

  it('that was lost is made up for by a review, which touches nothing else', async () => {
    world.slack.addTeam({ id: 'T0002' });
    world.allowed.push('T0002');
    await world.install(await world.browserOf('U0KIM', 'T0002'));
    await world.slack.uninstall({ events: [] });

    await world.installations.reconcile(NEVER);

    expect(await world.store.list()).toEqual(['T0002']);
    expect(world.purged).toEqual(['T0001']);
  });

  it('is left to the next review by one that a stop ends', async () => {
    const other = world.slack.addTeam({ id: 'T0002' });
    world.allowed.push('T0002');
    await world.install(await world.browserOf('U0KIM', 'T0002'));
    await world.slack.uninstall({ events: [] });
    await other.uninstall({ events: [] });
    const stop = new AbortController();
    world.slack.faults.onProcessed('auth.test', async () => stop.abort());

    await world.installations.reconcile(stop.signal);

    expect(await world.store.list()).toEqual(['T0002']);
  });

  it('is not what a review takes a refusal for that may pass', async () => {
    world.slack.faults.next('auth.test', { kind: 'slackError', error: 'invalid_auth' });

    await world.installations.reconcile(NEVER);

    expect(await world.store.list()).toHaveLength(1);
    expect(world.purged).toEqual([]);
  });

  it('of a workspace whose token cannot be read any more goes by its time alone', async () => {
    const stored = await world.store.get('T0001');
    if (stored) await world.store.put({ ...stored, sealedBotToken: stored.sealedBotToken.replace('v1.k1', 'v1.k9') });

    expect(await tell({ endedAt: Date.now() - HOUR_MS })).toBe('kept');
    expect(await tell()).toBe('uninstalled');
  });
});

describe('the app with the token of one installation', () => {
  const createOnly = (workspace: string) =>
    createOnlyInstallation({
      installation: { workspace, team: workspace, botToken: world.slack.install(), botId: 'B', botUserId: 'U' },
      callWithToken: world.callWithToken,
      purge: async (of) => world.purged.push(of),
      announce: (of) => void world.announced.push(of),
      log: createLog('info', { write: (line: string) => void world.lines.push(line) }),
    });

  it('purges what it keeps when it is uninstalled there, and tells the replicas, and the operator what to do', async () => {
    const { uninstall } = createOnly('T0001');
    const news = { workspace: 'T0001', endedAt: Date.now(), isLastTry: true };

    const before = await uninstall(news);
    await world.slack.uninstall({ events: [] });
    const after = await uninstall(news);

    expect([before, after]).toEqual(['kept', 'uninstalled']);
    expect(world.purged).toEqual(['T0001']);
    expect(world.announced).toEqual(['T0001']);
    expect(world.lines.join()).toContain('set SLACK_BOT_TOKEN to the new token');
  });

  it.each([
    ['E1', 'E1', undefined, true],
    ['E1', 'T1', 'E1', true],
    ['E1', 'T1', undefined, false],
    ['T1', 'T2', 'E1', false],
  ])('that of %s serves %s of %s: %s', async (own, workspace, enterprise, isServed) => {
    const finding = createOnly(own).find(workspace, enterprise);

    if (isServed) expect(await finding).toMatchObject({ workspace: own });
    else await expect(finding).rejects.toMatchObject({ code: 'unknown_workspace' });
  });
});

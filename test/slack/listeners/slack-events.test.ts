import { beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createSlackApp, type SlackApp } from '../../../src/slack/bolt-app.ts';
import { UnknownWorkspaceError } from '../../../src/slack/installation.ts';
import { registerAppUninstalled } from '../../../src/slack/listeners/slack-events.ts';

const AT_S = 1_700_000_000;
const UNINSTALLED = { type: 'app_uninstalled' };
const log = createLog('silent');

let told: object[];
let app: SlackApp['interactions'];

beforeEach(() => {
  told = [];
  const { events, interactions } = createSlackApp({
    // Nothing is installed any more: whoever asked would be refused.
    findInstallation: async (workspace) => {
      throw new UnknownWorkspaceError(workspace);
    },
    http: createHttpClient(),
    apiUrl: 'http://127.0.0.1:9/api/',
    log,
  });
  app = interactions;
  registerAppUninstalled(events, {
    async uninstall(ended) {
      told.push(ended);
      return 'uninstalled';
    },
    log,
  });
});

const send = (body: object, retryNum?: number) =>
  app.processEvent({
    body: { type: 'event_callback', event_time: AT_S, ...body },
    ack: async () => undefined,
    ...(retryNum !== undefined && { retryNum }),
  });

describe('the end of an installation', () => {
  it.each([
    ['app_uninstalled', UNINSTALLED, true],
    ['tokens_revoked', { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: ['U2'] } }, false],
  ])('is heard of by %s, though nothing is installed any more', async (_, event, isUninstalled) => {
    await send({ event, team_id: 'T1' });

    expect(told).toEqual([{ workspace: 'T1', endedAt: AT_S * 1000, isLastTry: false, isUninstalled }]);
  });

  it('is heard of again until Slack gives it up', async () => {
    for (const retryNum of [1, 2, 3]) await send({ event: UNINSTALLED, team_id: 'T1' }, retryNum);

    expect(told).toMatchObject([{ isLastTry: false }, { isLastTry: false }, { isLastTry: true }]);
  });

  it('of an organisation is known by its mark, or by naming no team', async () => {
    const authorizations = [{ enterprise_id: 'E1', team_id: 'T1', is_enterprise_install: true }];
    await send({ event: UNINSTALLED, team_id: 'T1', enterprise_id: 'E1', authorizations });
    await send({ event: UNINSTALLED, team_id: null, enterprise_id: 'E1' });

    expect(told).toEqual([
      { workspace: 'E1', endedAt: AT_S * 1000, isLastTry: false, isUninstalled: true },
      { workspace: 'T1', endedAt: 0, isLastTry: true },
      { workspace: 'E1', endedAt: AT_S * 1000, isLastTry: false, isUninstalled: true },
    ]);
  });

  it('of a team of an organisation leaves the organisation’s to what Slack says of its token', async () => {
    await send({ event: UNINSTALLED, team_id: 'T1', enterprise_id: 'E1' });

    expect(told).toEqual([
      { workspace: 'T1', endedAt: AT_S * 1000, isLastTry: false, isUninstalled: true },
      { workspace: 'E1', endedAt: 0, isLastTry: true },
    ]);
  });
});

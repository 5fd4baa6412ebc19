import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lookAtInstallations } from '../../src/doctor/look-at-installations.ts';
import { lookAtSlack } from '../../src/doctor/look-at-slack.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import type { StoredInstallation } from '../../src/slack/installation.ts';
import { BOT_SCOPES } from '../../src/slack/installations/bot-scopes.ts';
import { sealInstallation } from '../../src/slack/installations/find-installation.ts';
import { aConfig } from '../a-config.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];
const http = createHttpClient();

afterAll(() => http.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function startSlack(answer: (token: string, response: ServerResponse, url: string) => void): Promise<string> {
  const server = await listen((request: IncomingMessage, response) => {
    answer(request.headers.authorization?.replace('Bearer ', '') ?? '', response, request.url ?? '');
  });
  servers.push(server);
  return server.url;
}

describe('the doctor and a fault of Slack', () => {
  it.each([
    [200, { ok: false, error: 'internal_error' }, 'error', /Slack has a fault of its own \(internal_error\)/],
    [200, { ok: false, error: 'service_unavailable' }, 'error', /Slack has a fault of its own \(service_unavailable\)/],
    [503, 'upstream connect error', 'error', /Slack has a fault of its own \(status 503\)/],
    [429, { ok: false, error: 'ratelimited' }, 'warning', /Slack limits how often .* Look again in 30 s\./],
  ])('does not take it for a bad token: %i %o', async (status, body, level, sentence) => {
    const SLACK_API_URL = await startSlack((_, response) => {
      response.writeHead(status, { 'retry-after': '30' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });

    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }), http);

    expect(findings).toMatchObject([{ level, sentence: expect.stringMatching(sentence) }]);
    expect(findings[0]?.sentence).toContain('This says nothing of the token: keep it.');
  });

  it('says that Slack cannot be asked where a page of somebody else comes back', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.end('<h1>Please log in to the Wi-Fi</h1>'));

    expect(await lookAtSlack(aConfig({ SLACK_API_URL }), http)).toMatchObject([
      { level: 'error', sentence: expect.stringContaining('Slack cannot be asked at') },
    ]);
  });
});

describe('the doctor and the app-level token', () => {
  const findings = async (error: string | undefined, isAppReady: boolean) => {
    const methods: string[] = [];
    const server = await listen((request: IncomingMessage, response) => {
      methods.push(request.url ?? '');
      const isRefused = request.url === '/apps.connections.open' && error !== undefined;
      response.end(JSON.stringify(isRefused ? { ok: false, error } : { ok: true, team: 'Acme', team_id: 'T1' }));
    });
    servers.push(server);
    const config = aConfig({ SLACK_API_URL: server.url, SLACK_APP_TOKEN: 'xapp-1' });
    const found = await lookAtSlack(config, http, Promise.resolve(isAppReady));
    return { methods: methods.toSorted(), last: found.at(-1) };
  };

  it('asks Slack where the app is not connected', async () => {
    expect((await findings(undefined, false)).last).toMatchObject({ level: 'ok' });
    expect((await findings('invalid_auth', false)).last).toMatchObject({
      level: 'error',
      sentence: expect.stringContaining('Slack does not accept SLACK_APP_TOKEN (invalid_auth).'),
    });
    expect((await findings('ratelimited', false)).last?.sentence).toContain('This says nothing of the token');
  });

  it('leaves it alone where the app is: it may need the one call a minute', async () => {
    const { methods, last } = await findings('invalid_auth', true);

    expect(methods).toEqual(['/auth.test']);
    expect(last?.sentence).toBe('The app is connected to Slack (Socket Mode).');
  });
});

describe('the doctor and the scopes', () => {
  it('says nothing of them where Slack does not tell', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.end('{"ok":true,"team":"Acme","team_id":"T1"}'));

    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }), http);

    expect(findings.map(({ sentence }) => sentence)).toEqual([
      'Slack accepts SLACK_BOT_TOKEN: the app is in Acme (T1).',
    ]);
  });
});

describe('the doctor and the scopes that Slack tells', () => {
  async function look(scopes: string[]) {
    const SLACK_API_URL = await startSlack((_, response) => WELL(response, 'Acme', scopes));
    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }), http);
    return findings.slice(1).map(({ level, sentence }) => [level, sentence]);
  }

  it('are well where they are those of the manifest', async () => {
    expect(await look(BOT_SCOPES)).toEqual([['ok', 'It has every scope of the manifest.']]);
  });

  it('are an error where nobody is answered without them, else a warning', async () => {
    expect(await look(BOT_SCOPES.filter((scope) => scope !== 'chat:write'))).toEqual([
      ['error', expect.stringMatching(/^It lacks chat:write\. Paste .* https:\/\/bridge\.example` .* App Manifest/)],
    ]);
    expect(await look(BOT_SCOPES.filter((scope) => !/email|usergroups/.test(scope)))).toEqual([
      ['warning', expect.stringMatching(/^It lacks usergroups:read, users:read\.email\. /)],
    ]);
  });

  it('are worth a word where they are more', async () => {
    expect(await look([...BOT_SCOPES, 'reactions:write'])).toEqual([
      ['ok', 'It has every scope of the manifest.'],
      [
        'ok',
        expect.stringMatching(/^It also has reactions:write, which is not used\. .* OAuth & Permissions → Scopes/),
      ],
    ]);
  });
});

describe('the doctor and FEEDBACK_CHANNEL', () => {
  async function look(answer: object) {
    const SLACK_API_URL = await startSlack((_, response, url) => {
      if (url.endsWith('/conversations.info')) response.end(JSON.stringify(answer));
      else WELL(response, 'Acme');
    });
    const findings = await lookAtSlack(aConfig({ SLACK_API_URL, FEEDBACK_CHANNEL: 'T1:C9' }), http);
    return findings.slice(2).map(({ level, sentence }) => [level, sentence]);
  }

  it.each([
    ['the app is in', { ok: true, channel: { is_member: true } }, 'ok', /can post to FEEDBACK_CHANNEL/],
    ['the app is not in', { ok: true, channel: { is_member: false } }, 'warning', /not in FEEDBACK_CHANNEL \(C9\)/],
    ['Slack does not show', { ok: false, error: 'channel_not_found' }, 'warning', /not in FEEDBACK_CHANNEL \(C9\)/],
    ['is archived', { ok: true, channel: { is_archived: true } }, 'warning', /archived/],
    ['others read', { ok: true, channel: { is_ext_shared: true } }, 'warning', /shared with other organisations/],
    ['is unknown', { ok: false, error: 'internal_error' }, 'warning', /does not say .* \(internal_error\)/],
  ])('says what is wrong with one that %s', async (_, answer, level, sentence) => {
    expect(await look(answer)).toEqual([[level, expect.stringMatching(sentence)]]);
  });

  it('looks with the token of its workspace where workspaces install the app', async () => {
    const asked: string[] = [];
    const SLACK_API_URL = await startSlack((token, response, url) => {
      if (!url.endsWith('/conversations.info')) return WELL(response, 'Acme');
      asked.push(token);
      response.end(JSON.stringify({ ok: true, channel: { is_member: true } }));
    });
    const config = aConfig({ ...MANY, SLACK_API_URL, FEEDBACK_CHANNEL: 'T2:C9' });

    const findings = await lookAtInstallations(config, install(config, ['T1', 'T2']), http);
    const elsewhere = aConfig({ ...MANY, SLACK_API_URL, FEEDBACK_CHANNEL: 'T3:C9' });
    const missing = await lookAtInstallations(elsewhere, install(elsewhere, ['T1']), http);

    expect(findings.at(-1)?.sentence).toBe('The app can post to FEEDBACK_CHANNEL.');
    expect(asked).toEqual(['xoxb-T2']);
    expect(missing.at(-1)?.sentence).toContain('FEEDBACK_CHANNEL is in T3, where the app is not installed');
  });
});

const MANY = {
  SLACK_BOT_TOKEN: '',
  SLACK_ALLOWED_TEAMS: 'T1,T2,T3,T4',
};

/** The installations of these workspaces, each with the token `xoxb-<workspace>`; those of `T4` with a key that is lost. */
function install(config: ReturnType<typeof aConfig>, workspaces: string[]) {
  const stored = workspaces.map((workspace): [string, StoredInstallation] => {
    const vault = createTokenVault(workspace === 'T4' ? aConfig().ENCRYPTION_KEYS : config.ENCRYPTION_KEYS);
    const draft = { workspace, team: workspace, isOrganisation: false, botId: 'B', botUserId: 'U', installedBy: 'U1' };
    return [workspace, sealInstallation(vault, { ...draft, installedAt: 1 }, `xoxb-${workspace}`)];
  });
  const records = new Map(stored);
  return { list: async () => [...records.keys()], get: async (workspace: string) => records.get(workspace) };
}

const WELL = (response: ServerResponse, team: string, scopes = BOT_SCOPES) => {
  response.setHeader('x-oauth-scopes', scopes.join(','));
  response.end(JSON.stringify({ ok: true, team, team_id: 'T' }));
};

describe('the doctor and the workspaces that have installed the app', () => {
  it('says of each whether Slack accepts its token and which scopes it lacks', async () => {
    const SLACK_API_URL = await startSlack((token, response) => {
      if (token === 'xoxb-T1') return WELL(response, 'Acme');
      if (token === 'xoxb-T2') return WELL(response, 'Blue', BOT_SCOPES.slice(1));
      response.end(JSON.stringify({ ok: false, error: 'account_inactive' }));
    });
    const config = aConfig({ ...MANY, SLACK_API_URL });

    const findings = await lookAtInstallations(config, install(config, ['T3', 'T5', 'T1', 'T2', 'T4']), http);

    const [accepted, ...rest] = findings;
    expect(accepted).toEqual({
      level: 'ok',
      sentence: "Slack accepts the app's token in 2 workspaces:",
      details: ['T1  Acme', 'T2  Blue'],
    });
    expect(rest.map(({ level, sentence }) => [level, sentence])).toEqual([
      [
        'error',
        expect.stringMatching(/^In Blue \(T2\) the app lacks app_mentions:read\. .* at \S+\/slack\/install\.$/),
      ],
      [
        'error',
        expect.stringMatching(/token of T3 \(account_inactive\).* at https:\/\/bridge\.example\/slack\/install\./),
      ],
      ['error', expect.stringContaining('The token of T4 cannot be opened')],
      ['warning', expect.stringContaining('T5 has installed the app, but SLACK_ALLOWED_TEAMS does not name it')],
    ]);
    expect(JSON.stringify(findings)).not.toContain('xoxb-');
  });

  it('tells a fault of Slack once, with those that were not looked at', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.writeHead(503).end());
    const config = aConfig({ ...MANY, SLACK_API_URL });

    const findings = await lookAtInstallations(config, install(config, ['T1', 'T2']), http);

    expect(findings).toMatchObject([
      {
        level: 'error',
        sentence: expect.stringContaining('a fault of its own (status 503)'),
        details: ['not looked at: T1, T2'],
      },
    ]);
  });

  it('asks for fifty, a few at a time, and counts the rest', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `T${100 + index}`);
    const asked: string[] = [];
    const SLACK_API_URL = await startSlack((token, response) => {
      asked.push(token);
      WELL(response, 'Acme');
    });
    const config = aConfig({ ...MANY, SLACK_ALLOWED_TEAMS: names.join(), SLACK_API_URL });

    const findings = await lookAtInstallations(config, install(config, names), http);

    expect(asked).toHaveLength(50);
    expect(findings.at(-1)?.sentence).toBe('The first 50 were looked at, and 10 workspaces more left out.');
  });

  it('asks for no token that has expired, and says where one cannot be exchanged any more', async () => {
    const asked: string[] = [];
    const SLACK_API_URL = await startSlack((token, response) => {
      asked.push(token);
      WELL(response, 'Acme');
    });
    const config = aConfig({ ...MANY, SLACK_ALLOWED_TEAMS: 'T1,T2,T3', SLACK_API_URL });
    const { list, get } = install(config, ['T1', 'T2', 'T3']);
    const rotations: Record<string, StoredInstallation['rotation']> = {
      T1: { sealedRefreshToken: '', expiresAt: Date.now() + 3_600_000 },
      T2: { sealedRefreshToken: '', expiresAt: Date.now() - 1 },
      T3: { sealedRefreshToken: '', expiresAt: Date.now() + 3_600_000, refusedAt: Date.now() },
    };
    const rotating = async (workspace: string) => {
      const stored = await get(workspace);
      const rotation = rotations[workspace];
      return stored && rotation && { ...stored, rotation };
    };

    const findings = await lookAtInstallations(config, { list, get: rotating }, http);

    expect(asked).toEqual(['xoxb-T1']);
    expect(findings.slice(1)).toMatchObject([
      { level: 'ok', sentence: expect.stringContaining('The token of T2 has expired') },
      { level: 'error', sentence: expect.stringMatching(/refresh token of T3 no more.* install the app again/) },
    ]);
  });

  it('says where to install where nobody has yet', async () => {
    const config = aConfig(MANY);

    expect(await lookAtInstallations(config, install(config, []), http)).toMatchObject([
      { level: 'warning', sentence: expect.stringContaining('Open https://bridge.example/slack/install') },
    ]);
  });
});

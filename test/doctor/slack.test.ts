import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { lookAtInstallations } from '../../scripts/doctor/look-at-installations.ts';
import { lookAtSlack } from '../../scripts/doctor/look-at-slack.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import type { StoredInstallation } from '../../src/slack/installation.ts';
import { BOT_SCOPES } from '../../src/slack/installations/bot-scopes.ts';
import { sealInstallation } from '../../src/slack/installations/find-installation.ts';
import { aConfig } from '../a-config.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function startSlack(answer: (token: string, response: ServerResponse) => void): Promise<string> {
  const server = await listen((request: IncomingMessage, response) => {
    answer(request.headers.authorization?.replace('Bearer ', '') ?? '', response);
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

    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }));

    expect(findings).toMatchObject([{ level, sentence: expect.stringMatching(sentence) }]);
    expect(findings[0]?.sentence).toContain('This says nothing of the token: keep it.');
  });

  it('says that Slack cannot be asked where a page of somebody else comes back', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.end('<h1>Please log in to the Wi-Fi</h1>'));

    expect(await lookAtSlack(aConfig({ SLACK_API_URL }))).toMatchObject([
      { level: 'error', sentence: expect.stringContaining('Slack cannot be asked at') },
    ]);
  });
});

describe('the doctor and the scopes', () => {
  it('says nothing of them where Slack does not tell', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.end('{"ok":true,"team":"Acme","team_id":"T1"}'));

    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }));

    expect(findings.map(({ sentence }) => sentence)).toEqual([
      'Slack accepts SLACK_BOT_TOKEN: the app is in Acme (T1).',
    ]);
  });
});

describe('the doctor and the scopes that Slack tells', () => {
  async function look(scopes: string[]) {
    const SLACK_API_URL = await startSlack((_, response) => WELL(response, 'Acme', scopes));
    const findings = await lookAtSlack(aConfig({ SLACK_API_URL }));
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
    expect(await look([...BOT_SCOPES, 'files:read'])).toEqual([
      ['ok', 'It has every scope of the manifest.'],
      ['ok', expect.stringMatching(/^It also has files:read, which is not used\. .* OAuth & Permissions → Scopes/)],
    ]);
  });
});

const MANY = {
  SLACK_BOT_TOKEN: '',
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'secret',
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

    const findings = await lookAtInstallations(config, install(config, ['T3', 'T5', 'T1', 'T2', 'T4']));

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

    const findings = await lookAtInstallations(config, install(config, ['T1', 'T2']));

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

    const findings = await lookAtInstallations(config, install(config, names));

    expect(asked).toHaveLength(50);
    expect(findings.at(-1)?.sentence).toBe('The first 50 were looked at, and 10 workspaces more left out.');
  });

  it('says where to install where nobody has yet', async () => {
    const config = aConfig(MANY);

    expect(await lookAtInstallations(config, install(config, []))).toMatchObject([
      { level: 'warning', sentence: expect.stringContaining('Open https://bridge.example/slack/install') },
    ]);
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { StoreReader } from '../../src/doctor/check.ts';
import { FEEDBACK_CHANNEL } from '../../src/doctor/checks/feedback-channel.ts';
import { APP_TOKEN, BOT_TOKEN, INSTALLATIONS } from '../../src/doctor/checks/slack-tokens.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import type { StoredInstallation } from '../../src/slack/installation.ts';
import { BOT_SCOPES } from '../../src/slack/installations/bot-scopes.ts';
import { sealInstallation } from '../../src/slack/installations/find-installation.ts';
import { aConfig } from '../a-config.ts';
import { nameOf, say, startLooking } from './look.ts';

const { look, listen, findUnseen } = startLooking();

async function startSlack(answer: (token: string, response: ServerResponse, url: string) => void): Promise<string> {
  return listen((request: IncomingMessage, response) => {
    answer(request.headers.authorization?.replace('Bearer ', '') ?? '', response, request.url ?? '');
  });
}

const WITHOUT = (...scopes: string[]) => BOT_SCOPES.filter((scope) => !scopes.includes(scope));

describe('the doctor and SLACK_BOT_TOKEN', () => {
  const ACCEPTED = { ok: true, team: 'Acme', team_id: 'T1' };
  const REFUSED = (error: string) => ({ ok: false, error });

  async function see(status: number, body: object | string, scopes?: string[]) {
    const SLACK_API_URL = await startSlack((_, response) => {
      response.writeHead(status, { 'retry-after': '30', ...(scopes && { 'x-oauth-scopes': scopes.join(',') }) });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    return look(BOT_TOKEN, aConfig({ SLACK_API_URL }));
  }

  it.each<[string, Parameters<typeof see>, words: string[]]>([
    ['no scopes', [200, ACCEPTED], ['accepted']],
    ['every scope', [200, ACCEPTED, BOT_SCOPES], ['accepted', 'complete']],
    ['too few scopes', [200, ACCEPTED, WITHOUT('chat:write')], ['accepted', 'lacks']],
    ['too few for one thing', [200, ACCEPTED, WITHOUT('usergroups:read')], ['accepted', 'without']],
    ['more scopes', [200, ACCEPTED, [...BOT_SCOPES, 'reactions:write']], ['accepted', 'complete', 'superfluous']],
    ['a refusal', [200, REFUSED('invalid_auth')], ['refused']],
    ['a fault', [200, REFUSED('internal_error')], ['faulty']],
    ['an outage', [200, REFUSED('service_unavailable')], ['faulty']],
    ['a proxy in trouble', [503, 'upstream connect error'], ['faulty']],
    ['a limit', [429, REFUSED('ratelimited')], ['limited']],
    ['a page of somebody else', [200, '<h1>Please log in to the Wi-Fi</h1>'], ['unreachable']],
  ])('says so where it gets %s', async (_, answer, words) => {
    expect(nameOf(BOT_TOKEN, await see(...answer))).toEqual(words);
  });

  it('says in which team the app is, which scopes are meant and what they are for, and how long to wait', async () => {
    const lacking = WITHOUT('chat:write', 'users:read.email', 'usergroups:read');
    const [accepted, ...others] = say(await see(200, ACCEPTED, [...lacking, 'reactions:write']));

    expect(accepted).toBe('ok: Slack accepts SLACK_BOT_TOKEN: the app is in Acme (T1).');
    expect(others).toEqual([
      expect.stringMatching(/^error: It lacks chat:write\. Paste .* https:\/\/bridge\.example` .* App Manifest/),
      expect.stringMatching(/^warning: .* optional scope usergroups:read: user groups in ADMIN_USERS .* Reinstall/),
      expect.stringMatching(/^warning: .* optional scope users:read\.email: owners /),
      expect.stringMatching(/^ok: It also has reactions:write, which is not used\./),
    ]);
    expect(say(await see(429, REFUSED('ratelimited')))).toEqual([expect.stringMatching(/doctor again in 30 s\./)]);
  });
});

describe('the doctor and the app-level token', () => {
  async function see(error: string | undefined, isReady: boolean) {
    const methods: string[] = [];
    const SLACK_API_URL = await startSlack((_, response, url) => {
      methods.push(url);
      response.end(JSON.stringify(error ? { ok: false, error } : { ok: true }));
    });
    const app = { ready: { status: 200, word: 'ready' }, health: { status: 200, word: 'ok' }, isReady };
    const [found] = say(await look(APP_TOKEN, aConfig({ SLACK_API_URL, SLACK_APP_TOKEN: 'xapp-1' }), { app }));
    return { methods, found };
  }

  it('asks Slack where the app is not connected', async () => {
    expect((await see(undefined, false)).found).toBe('ok: Slack accepts SLACK_APP_TOKEN.');
    expect((await see('invalid_auth', false)).found).toContain(
      'error: Slack does not accept SLACK_APP_TOKEN (invalid_auth).',
    );
    expect((await see('ratelimited', false)).found).toContain('This says nothing about the token');
  });

  it('leaves it alone where the app is: it may need the one call a minute', async () => {
    const { methods, found } = await see('invalid_auth', true);

    expect(methods).toEqual([]);
    expect(found).toBe('ok: The app is connected to Slack (Socket Mode).');
  });
});

describe('the doctor and FEEDBACK_CHANNEL', () => {
  async function lookAtChannel(answer: object) {
    const SLACK_API_URL = await startSlack((_, response) => response.end(JSON.stringify(answer)));
    return say(await look(FEEDBACK_CHANNEL, aConfig({ SLACK_API_URL, FEEDBACK_CHANNEL: 'T1:C9' })));
  }

  it.each([
    ['the app is in', { ok: true, channel: { is_member: true } }, /^ok: .* can post to FEEDBACK_CHANNEL/],
    ['the app is not in', { ok: true, channel: { is_member: false } }, /^warning: .*not in FEEDBACK_CHANNEL \(C9\)/],
    ['Slack does not show', { ok: false, error: 'channel_not_found' }, /^warning: .*not in FEEDBACK_CHANNEL \(C9\)/],
    ['is archived', { ok: true, channel: { is_archived: true } }, /^warning: .*archived/],
    ['others read', { ok: true, channel: { is_ext_shared: true } }, /^warning: .*shared with other organisations/],
    ['is unknown', { ok: false, error: 'internal_error' }, /^warning: .*does not say .* \(internal_error\)/],
  ])('says what is wrong with one that %s', async (_, answer, sentence) => {
    expect(await lookAtChannel(answer)).toEqual([expect.stringMatching(sentence)]);
  });

  it('looks with the token of its workspace where workspaces install the app', async () => {
    const asked: string[] = [];
    const SLACK_API_URL = await startSlack((token, response, url) => {
      if (!url.endsWith('/conversations.info')) return WELL(response, 'Acme');
      asked.push(token);
      response.end(JSON.stringify({ ok: true, channel: { is_member: true } }));
    });
    const config = aConfig({ ...MANY, SLACK_API_URL, FEEDBACK_CHANNEL: 'T2:C9' });

    const findings = await look(FEEDBACK_CHANNEL, config, withStore(install(config, ['T1', 'T2'])));
    const elsewhere = aConfig({ ...MANY, SLACK_API_URL, FEEDBACK_CHANNEL: 'T3:C9' });
    const missing = await look(FEEDBACK_CHANNEL, elsewhere, withStore(install(elsewhere, ['T1'])));

    expect(findings.at(-1)?.sentence).toBe('The app can post to FEEDBACK_CHANNEL.');
    expect(asked).toEqual(['xoxb-T2']);
    expect(missing.at(-1)?.sentence).toContain('FEEDBACK_CHANNEL is in T3, where the app is not installed');
  });
});

const MANY = {
  SLACK_BOT_TOKEN: '',
  SLACK_ALLOWED_TEAMS: 'T1,T2,T3,T4',
};

/** A store that has these installations. */
function withStore(installations: StoreReader['installations']) {
  return { store: { reader: { installations } as StoreReader, isNew: false, findings: [] } };
}

/** The installations of these workspaces, each with the token `xoxb-<workspace>`; those of `T4` with a key that is lost. */
function install(config: Config, workspaces: string[]) {
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

    const findings = await look(INSTALLATIONS, config, withStore(install(config, ['T3', 'T5', 'T1', 'T2', 'T4'])));
    const [accepted, ...rest] = findings;

    expect(accepted).toEqual({
      level: 'ok',
      sentence: "Slack accepts the app's token in 2 workspaces:",
      details: ['T1  Acme', 'T2  Blue'],
    });
    const sentences = [
      /^error: In Blue \(T2\) the app lacks app_mentions:read\. .* at \S+\/slack\/install\.$/,
      /^error: .*token of T3 \(account_inactive\).* at https:\/\/bridge\.example\/slack\/install\./,
      /^error: The token of T4 cannot be decrypted/,
      /^warning: T5 has installed the app, but SLACK_ALLOWED_TEAMS does not name it/,
    ];
    expect(say(rest)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
    expect(JSON.stringify(findings)).not.toContain('xoxb-');
  });

  it('tells a fault of Slack once, with those that were not looked at', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.writeHead(503).end());
    const config = aConfig({ ...MANY, SLACK_API_URL });

    const findings = await look(INSTALLATIONS, config, withStore(install(config, ['T1', 'T2'])));

    expect(findings).toMatchObject([
      {
        level: 'error',
        sentence: expect.stringContaining('itself has a problem (status 503)'),
        details: ['not checked: T1, T2'],
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

    const findings = await look(INSTALLATIONS, config, withStore(install(config, names)));

    expect(asked).toHaveLength(50);
    expect(findings.at(-1)?.sentence).toBe('The first 50 were checked, and 10 workspaces more left out.');
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

    const findings = await look(INSTALLATIONS, config, withStore({ list, get: rotating }));

    expect(asked).toEqual(['xoxb-T1']);
    expect(findings.slice(1)).toMatchObject([
      { level: 'ok', sentence: expect.stringContaining('The token of T2 has expired') },
      { level: 'error', sentence: expect.stringMatching(/longer accepts .* T3\..* install the app again/) },
    ]);
  });

  it('says where to install where nobody has yet', async () => {
    const config = aConfig(MANY);

    expect(await look(INSTALLATIONS, config, withStore(install(config, [])))).toMatchObject([
      { level: 'warning', sentence: expect.stringContaining('Open https://bridge.example/slack/install') },
    ]);
  });
});

describe('the doctor and Slack', () => {
  it('asks for nothing without a token: it only connects', async () => {
    const SLACK_API_URL = await startSlack((_, response) => response.end());

    const found = await look(BOT_TOKEN, aConfig({ ...MANY, SLACK_API_URL }));

    expect(found).toMatchObject([
      { level: 'ok', sentence: expect.stringMatching(/^Slack at \S+ answers in \d+ ms\.$/) },
    ]);
  });

  it.each([BOT_TOKEN, APP_TOKEN, FEEDBACK_CHANNEL])('has a test for every sentence: $name', (check) => {
    expect(findUnseen(check)).toEqual([]);
  });
});

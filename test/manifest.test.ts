import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { describe, expect, it } from 'vitest';
import { buildManifest } from '../manifest/manifest.ts';
import { CALLBACKS } from '../src/slack/views/callbacks.ts';
import { METHODS } from '../src/slack/web/limits.ts';
import { aConfig } from './a-config.ts';

const src = fileURLToPath(new URL('../src', import.meta.url));
const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(slack|governance)\/.*\.ts$/.test(file))
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n');

const manifest = buildManifest({ publicUrl: 'https://bridge.example' });
const all = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

/** What each method that the code calls needs: https://docs.slack.dev/reference/methods */
const SCOPES_OF_METHODS: Record<string, string[]> = {
  'agents.sessions.setStatus': ['chat:write'],
  'assistant.threads.setStatus': ['assistant:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'conversations.info': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.members': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'users.lookupByEmail': ['users:read.email'],
  'auth.test': [],
  'auth.revoke': [],
  // With the app-level token, whose scope connections:write is not in the manifest.
  'apps.connections.open': [],
  'apps.uninstall': [],
  'views.open': [],
  'views.publish': [],
  'views.update': [],
  'oauth.v2.access': [],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
};

const SCOPES_OF_EVENTS: Record<string, string[]> = {
  agent_session_stopped: ['assistant:write'],
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  channel_shared: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  channel_unshared: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  member_joined_channel: ['channels:read', 'groups:read'],
  member_left_channel: ['channels:read', 'groups:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
  tokens_revoked: [],
  user_change: ['users:read'],
};

const MESSAGES = ['message.channels', 'message.groups', 'message.im', 'message.mpim'];

describe('the manifest', () => {
  it('subscribes to exactly the events that are listened to', () => {
    const events = all(/(?:events\.event\(|onEvent\(events, )'([\w.]+)'/g).flatMap((name) =>
      name === 'message' ? MESSAGES : [name],
    );

    expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual(events.toSorted());
  });

  it('has exactly the commands that are listened to, all at one address', () => {
    const commands = manifest.features.slash_commands;

    expect(commands.map(({ command }) => command).toSorted()).toEqual(all(/(?:app\.command\(|_COMMAND = )'([^']+)'/g));
    expect(new Set(commands.map(({ url }) => url))).toEqual(new Set(['https://bridge.example/slack/events']));
  });

  it('has exactly the shortcuts that are listened to', () => {
    const listened = [...code.matchAll(/app\.shortcut\([^)]*callback_id: CALLBACKS\.(\w+)/g)].map(
      ([, name]) => CALLBACKS[name as keyof typeof CALLBACKS],
    );

    expect(manifest.features.shortcuts.map(({ callback_id }) => callback_id)).toEqual(listened);
  });

  it('asks for exactly the scopes that its methods and events need', () => {
    const methods = Object.keys(METHODS);
    const unknown = methods.filter((method) => !(method in SCOPES_OF_METHODS));
    const needed = [
      'commands',
      ...methods.flatMap((method) => SCOPES_OF_METHODS[method] ?? []),
      ...manifest.settings.event_subscriptions.bot_events.flatMap((event) => SCOPES_OF_EVENTS[event] ?? []),
    ];

    expect(unknown).toEqual([]);
    expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual([...new Set(needed)].toSorted());
  });

  it('lets whoever installs the app leave out what only one thing each needs', () => {
    const { bot, bot_optional: optional } = manifest.oauth_config.scopes;

    expect(optional).toEqual(['files:read', 'files:write', 'usergroups:read', 'users:read.email']);
    expect(optional.filter((scope) => !bot.includes(scope))).toEqual([]);
  });

  it('is what `slack run` gets, which starts the app with the tokens that it brings', async () => {
    const { hooks, config } = JSON.parse(readFileSync(join(src, '../.slack/hooks.json'), 'utf8'));
    const run = (command: string) => {
      const [program = '', ...args] = command.split(' ');
      return runToEnd(program, args, { cwd: join(src, '..'), env: { PUBLIC_URL: 'https://bridge.example' } });
    };

    const { stdout } = await run(hooks['get-manifest']);
    expect(JSON.parse(stdout)).toEqual(buildManifest({ publicUrl: 'https://bridge.example', isSocketMode: true }));
    expect(hooks.start).toBe('npm start');
    expect(config).toEqual({ 'sdk-managed-connection-enabled': true });
    const given = { SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_API_URL: 'https://slack.com/api/' };
    expect(aConfig(given)).toMatchObject({ SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' });
  });

  it('asks for no scope of a person: Sign in with Slack combines its own with no others', () => {
    expect(Object.keys(manifest.oauth_config.scopes)).toEqual(['bot', 'bot_optional']);
  });

  it('lets organisations install the app, with a token that does not rotate', () => {
    const { settings, oauth_config } = manifest;

    expect(settings).toMatchObject({ org_deploy_enabled: true, token_rotation_enabled: false });
    expect(oauth_config.redirect_urls).toContain(`https://bridge.example${all(/REDIRECT_PATH = '([^']+)'/g)}`);
  });

  it('names no address for Slack with Socket Mode, and is the same otherwise', () => {
    const socket = buildManifest({ publicUrl: 'https://bridge.example', isSocketMode: true });
    const paths = (value: unknown, at = ''): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([name, inner]) => paths(inner, `${at}.${name}`))
        : [`${at}=${value}`];
    const [ofRequests, ofSocket] = [new Set(paths(manifest)), new Set(paths(socket))];
    const url = 'https://bridge.example/slack/events';

    expect([...ofSocket.difference(ofRequests)]).toEqual(['.settings.socket_mode_enabled=true']);
    expect([...ofRequests.difference(ofSocket)].toSorted()).toEqual([
      ...[0, 1, 2].map((index) => `.features.slash_commands.${index}.url=${url}`),
      `.settings.event_subscriptions.request_url=${url}`,
      `.settings.interactivity.message_menu_options_url=${url}`,
      `.settings.interactivity.request_url=${url}`,
      '.settings.socket_mode_enabled=false',
    ]);
  });

  it('lets Slackbot ask only where that is switched on, with the one scope more that it needs', () => {
    const open = buildManifest({ publicUrl: 'https://bridge.example', hasSlackbotDoor: true });
    const { mcp_servers, ...rest } = open;
    const { bot } = open.oauth_config.scopes;

    expect(manifest).not.toHaveProperty('mcp_servers');
    expect(mcp_servers).toEqual({
      assistant: { url: 'https://bridge.example/slack/mcp', auth_type: 'slack_identity_auth' },
    });
    expect(bot.filter((scope) => !manifest.oauth_config.scopes.bot.includes(scope))).toEqual(['mcp:connect']);
    expect({ ...rest, oauth_config: manifest.oauth_config }).toEqual(manifest);
  });

  it('keeps to the lengths that Slack takes', () => {
    const { display_information: info, features } = manifest;

    expect(info.name.length).toBeLessThanOrEqual(35);
    expect(info.description.length).toBeLessThanOrEqual(140);
    expect(info.long_description.length).toBeGreaterThanOrEqual(175);
    expect(info.long_description.length).toBeLessThanOrEqual(4_000);
    expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });
});

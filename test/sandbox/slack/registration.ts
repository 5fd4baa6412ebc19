/** What the app is registered for. By default everything the sandbox knows; a manifest narrows it down. */
import { isObject, toObjects } from './json.ts';
import type { Json } from './records.ts';

const ALL_SCOPES = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mcp:connect',
  'mpim:history',
  'mpim:read',
  'team:read',
  'usergroups:read',
  'users:read',
  'users:read.email',
];

const ALL_EVENTS = [
  'agent_session_stopped',
  'agent_session_title_changed',
  'app_context_changed',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_shared',
  'channel_unshared',
  'member_joined_channel',
  'member_left_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'tokens_revoked',
  'user_change',
];

/** What people see of a manifest's `features`. */
type Features = {
  bot_user?: { display_name: string };
  slash_commands?: { command: string; description?: string; usage_hint?: string }[];
  shortcuts?: { name: string; type: string; callback_id: string }[];
  agent_view?: { suggested_prompts?: { title: string; message: string }[] };
};

export type Registration = ReturnType<typeof createRegistration>;

export function createRegistration(scopes: Iterable<string> | undefined) {
  return {
    eventsUrl: undefined as string | undefined,
    /** Where options are asked for: 'events' is the same address; undefined: nowhere. */
    optionsUrl: 'events' as string | undefined,
    scopes: new Set(scopes ?? ALL_SCOPES),
    /** Event names as in a manifest, for example `message.im`. */
    events: new Set(ALL_EVENTS),
    /** Undefined: every command, or shortcut, is taken for registered. */
    commands: undefined as Set<string> | undefined,
    shortcuts: undefined as Set<string> | undefined,
    /** As the manifest has them; empty without one. */
    features: {} as Features,
    /** The server that Slackbot is a client of, where the manifest has one: its only one, by its address. */
    mcpServer: undefined as { url: string; authType: string } | undefined,
    /** Where browsers may be sent back to, or below it; undefined: anywhere on loopback. */
    redirectUrls: undefined as readonly string[] | undefined,
    /** Whether it is declared as an agent (`agent_view`), and so has sessions. */
    isAgent: true,
    hasHomeTab: true,
    /** Whether it may be installed for a whole organisation. */
    isOrgReady: true,
    /** Whether it uses Socket Mode: then nothing is posted to `eventsUrl`. */
    isSocketMode: false,
    /** Whether its tokens rotate: those of installations from now on. */
    isRotating: false,
    /** How long such a token lives. */
    tokenLifeSeconds: 43_200,
  };
}

/** Of Sign in with Slack: no flow combines them with others. https://docs.slack.dev/authentication/sign-in-with-slack */
export const SIGN_IN_SCOPES = ['openid', 'email', 'profile'];

/** Takes over what the app's manifest registers. https://docs.slack.dev/reference/app-manifest */
export function applyManifest(registration: Registration, manifest: Json): void {
  const userScopes = (at(manifest, 'oauth_config', 'scopes', 'user') ?? []) as string[];
  const mixed = userScopes.filter((scope) => SIGN_IN_SCOPES.includes(scope));
  // They would be asked for together with the bot scopes when the app is installed from its settings.
  if (mixed.length > 0) throw new Error(`The manifest combines ${mixed.join(', ')} with bot scopes.`);
  const optional = (at(manifest, 'oauth_config', 'scopes', 'bot_optional') ?? []) as string[];
  const bot = at(manifest, 'oauth_config', 'scopes', 'bot') as string[] | undefined;
  const stray = optional.filter((scope) => !bot?.includes(scope));
  if (stray.length > 0)
    throw new Error(`The manifest has ${stray.join(', ')} as optional, and not among the bot scopes.`);
  registration.scopes = new Set(bot);
  registration.events = new Set(at(manifest, 'settings', 'event_subscriptions', 'bot_events') as string[] | undefined);
  registration.commands = new Set(names(at(manifest, 'features', 'slash_commands'), 'command'));
  registration.shortcuts = new Set(names(at(manifest, 'features', 'shortcuts'), 'callback_id'));
  registration.features = (at(manifest, 'features') ?? {}) as Registration['features'];
  registration.mcpServer = readMcpServer(manifest);
  registration.redirectUrls = (at(manifest, 'oauth_config', 'redirect_urls') as string[] | undefined) ?? [];
  registration.isSocketMode = at(manifest, 'settings', 'socket_mode_enabled') === true;
  // With Socket Mode they come the same way as everything else.
  registration.optionsUrl = registration.isSocketMode
    ? 'events'
    : (at(manifest, 'settings', 'interactivity', 'message_menu_options_url') as string | undefined);
  registration.isAgent = at(manifest, 'features', 'agent_view') !== undefined;
  registration.hasHomeTab = at(manifest, 'features', 'app_home', 'home_tab_enabled') === true;
  registration.isRotating = at(manifest, 'settings', 'token_rotation_enabled') === true;
  registration.isOrgReady = at(manifest, 'settings', 'org_deploy_enabled') === true;
}

/** https://docs.slack.dev/ai/slackbot-mcp-client; of an app with several, the first. */
function readMcpServer(manifest: Json): Registration['mcpServer'] {
  const [server] = Object.values(manifest.mcp_servers ?? {}).filter(isObject);
  if (!server) return undefined;
  const scopes = at(manifest, 'oauth_config', 'scopes', 'bot');
  if (!Array.isArray(scopes) || !scopes.includes('mcp:connect')) {
    throw new Error('The manifest has MCP servers, and lacks the scope mcp:connect.');
  }
  return { url: String(server.url), authType: String(server.auth_type) };
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function names(list: unknown, field: string): string[] {
  return toObjects(list).map((entry) => String(entry[field]));
}

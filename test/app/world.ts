// The app's surroundings in a test: the sandbox, joined with our app, and the settings with which it finds everything there.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '@assistant-bridge/sandbox/sandbox.ts';
import { buildManifest } from '../../manifest/manifest.ts';

export type World = Sandbox & {
  /** Where the app is to listen; nothing listens there until it is started. */
  publicUrl: string;
  /** A new empty folder; it goes with the world. */
  folder: string;
  /** What the app needs to know of this world, as environment variables. */
  environment: Record<string, string>;
};

export type WorldOptions = Omit<SandboxOptions, 'app'> & {
  /** The app's port; a free one unless told otherwise. */
  port?: number;
  /** How Slack reaches the app: by requests, unless told otherwise here or, for a whole run, in SLACK_TRANSPORT. */
  transport?: 'http' | 'socket' | undefined;
  /** Whether Slackbot may ask (SLACKBOT_DOOR). */
  hasSlackbotDoor?: boolean;
};

export async function startWorld({
  port: asked,
  transport,
  hasSlackbotDoor = false,
  ...options
}: WorldOptions = {}): Promise<World> {
  const port = asked ?? (await claimPort());
  const publicUrl = `http://127.0.0.1:${port}`;
  const isSocketMode = (transport ?? process.env.SLACK_TRANSPORT) === 'socket';
  const sandbox = await startSandbox({
    app: {
      eventsUrl: `${publicUrl}/slack/events`,
      redirectUris: [`${publicUrl}/link/account/callback`],
      manifest: buildManifest({ publicUrl, isSocketMode, hasSlackbotDoor }),
    },
    ...options,
  });
  const { slack, assistant, identityProvider, admin } = sandbox;
  const folder = mkdtempSync(join(tmpdir(), 'assistant-bridge-'));
  const environment: Record<string, string> = {
    ...(isSocketMode ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    ...(hasSlackbotDoor && { SLACKBOT_DOOR: 'on', SLACK_SIGNING_SECRET: slack.signingSecret }),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    SLACK_API_URL: slack.apiUrl,
    // This Slack has no limits but those that a test asks for.
    SLACK_BUDGETS: 'off',
    PORT: String(port),
    OPS_PORT: '0',
    PUBLIC_URL: publicUrl,
    SQLITE_PATH: join(folder, 'bridge.db'),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    ASSISTANT_BASE_URL: assistant.url,
    ASSISTANT_SCOPE,
    ASSISTANT_FILE_HOSTS: 'acme.sharepoint.example',
    AUTH_URL: identityProvider.url,
    AUTH_TENANT_ID: identityProvider.tenant,
    AUTH_CLIENT_ID: identityProvider.clientId,
    AUTH_CLIENT_SECRET: identityProvider.clientSecret,
    ADMIN_API_BASE_URL: admin.url,
    ADMIN_SCOPE,
    ADMIN_AGENT_ID_PROPERTY: 'botId',
    ADMIN_USERS: 'U0KIM',
  };
  return {
    ...sandbox,
    publicUrl,
    folder,
    environment,
    async close() {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

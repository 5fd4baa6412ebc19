// The whole local world: Slack, the assistant service, its identity provider and the administrative interface, joined.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildManifest } from '../../manifest/manifest.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from './admin/start-admin.ts';
import type { AssistantOptions } from './assistant/options.ts';
import { type AssistantSandbox, startAssistant } from './assistant/start-assistant.ts';
import { claimPort } from './claim-port.ts';
import type { IdentityProviderOptions } from './identity-provider/options.ts';
import { type IdentityProviderSandbox, startIdentityProvider } from './identity-provider/start-identity-provider.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from './loopback/scopes.ts';
import type { Json } from './slack/records.ts';
import { type SandboxSlack, type SlackOptions, startSlack } from './slack/start-slack.ts';

export type World = {
  slack: SandboxSlack;
  assistant: AssistantSandbox;
  identityProvider: IdentityProviderSandbox;
  admin: AdminSandbox;
  /** Where the app is to listen; nothing listens there until it is started. */
  publicUrl: string;
  /** A new empty folder; it goes with the world. */
  folder: string;
  /** What the app needs to know of this world, as environment variables. */
  environment: Record<string, string>;
  close(): Promise<void>;
};

export type WorldOptions = {
  /** The app's port; a free one unless told otherwise. */
  port?: number;
  /** How Slack reaches the app: by requests, unless told otherwise here or, for a whole run, in SLACK_TRANSPORT. */
  transport?: Transport | undefined;
  /** Another app than ours; the sandbox knows nothing of it but this. */
  otherApp?: OtherApp | undefined;
  slack?: SlackOptions;
  assistant?: AssistantOptions;
  admin?: AdminOptions;
  identityProvider?: Partial<IdentityProviderOptions>;
};

type Transport = 'http' | 'socket';

type OtherApp = {
  /** Where events, commands and interactions are posted, unless it uses Socket Mode. */
  readonly eventsUrl: string;
  /** Where the identity provider may send browsers back to. */
  readonly redirectUris: readonly string[];
  /** Narrows down what it may do; without one every scope, event, command and shortcut is there. */
  readonly manifest?: Json | undefined;
};

/** Slack users and the accounts that their browsers are signed in to. Lena is there in the demo only. */
export const ACCOUNTS = { U0ANA: 'ana', U0BEN: 'ben', U0KIM: 'kim', U0LENA: 'lena' } as const;

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const port = options.port ?? (await claimPort());
  const publicUrl = options.otherApp ? new URL(options.otherApp.eventsUrl).origin : `http://127.0.0.1:${port}`;
  const identityProvider = await startIdentityProvider({
    redirectUris: options.otherApp?.redirectUris ?? [`${publicUrl}/link/account/callback`],
    ...options.identityProvider,
  });
  const { verifyToken } = identityProvider;
  const [slack, assistant, admin] = await Promise.all([
    startSlack({ autoAllow: true, ...options.slack }),
    startAssistant({ verifyToken, ...options.assistant }),
    startAdmin({ verifyToken, ...options.admin }),
  ]);
  const isSocketMode = (options.transport ?? process.env.SLACK_TRANSPORT) === 'socket';
  if (options.otherApp) connectOtherApp(slack, options.otherApp, isSocketMode);
  else slack.connectApp(`${publicUrl}/slack/events`, buildManifest({ publicUrl, isSocketMode }));
  const folder = mkdtempSync(join(tmpdir(), 'assistant-bridge-'));
  const environment: Record<string, string> = {
    ...(isSocketMode ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
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
    slack,
    assistant,
    identityProvider,
    admin,
    publicUrl,
    folder,
    environment,
    async close() {
      await Promise.all([slack.close(), assistant.close(), identityProvider.close(), admin.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function connectOtherApp(slack: SandboxSlack, { eventsUrl, manifest }: OtherApp, isSocketMode: boolean): void {
  slack.connectApp(eventsUrl, manifest);
  slack.registration.isSocketMode ||= isSocketMode;
}

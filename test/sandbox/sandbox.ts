// The whole local world: Slack, the assistant service, its identity provider and the administrative interface, joined.
import { type AdminOptions, startAdmin } from './admin/start-admin.ts';
import { type AssistantOptions, startAssistant } from './assistant/start-assistant.ts';
import type { IdentityProviderOptions } from './identity-provider/options.ts';
import { startIdentityProvider } from './identity-provider/start-identity-provider.ts';
import type { Json } from './slack/records.ts';
import { type SlackOptions, startSlack } from './slack/start-slack.ts';

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export type SandboxOptions = {
  /** All that the sandbox knows of the app. */
  app?: AppOptions | undefined;
  slack?: SlackOptions;
  assistant?: AssistantOptions;
  admin?: AdminOptions;
  identityProvider?: Partial<IdentityProviderOptions>;
};

type AppOptions = {
  /** Where events, commands and interactions are posted, unless it uses Socket Mode. */
  readonly eventsUrl: string;
  /** Where the identity provider may send browsers back to. */
  readonly redirectUris: readonly string[];
  /** Narrows down what it may do; without one every scope, event, command and shortcut is there. */
  readonly manifest?: Json | undefined;
  readonly isSocketMode?: boolean;
};

/** Slack users and the accounts that their browsers are signed in to. Lena is there in the demo only. */
export const ACCOUNTS = { U0ANA: 'ana', U0BEN: 'ben', U0KIM: 'kim', U0LENA: 'lena' } as const;

export type SandboxUser = keyof typeof ACCOUNTS;

export async function startSandbox({ app, ...options }: SandboxOptions = {}) {
  const identityProvider = await startIdentityProvider({
    redirectUris: app?.redirectUris ?? [],
    ...options.identityProvider,
  });
  const { verifyToken } = identityProvider;
  const [slack, assistant, admin] = await Promise.all([
    startSlack({ autoAllow: true, ...options.slack }),
    startAssistant({ verifyToken, ...options.assistant }),
    startAdmin({ verifyToken, ...options.admin }),
  ]);
  if (app) {
    slack.connectApp(app.eventsUrl, app.manifest);
    slack.registration.isSocketMode ||= app.isSocketMode ?? false;
  }
  return {
    slack,
    assistant,
    identityProvider,
    admin,
    async close() {
      await Promise.all([slack.close(), assistant.close(), identityProvider.close(), admin.close()]);
    },
  };
}

import { createIdentity, type Identity, type IdentityOptions } from '../identity/identity.ts';
import { UnknownWorkspaceError } from '../slack/installation.ts';
import { createLinkReceipts } from '../slack/link-receipts.ts';
import type { Parts } from './parts.ts';

/** The sign-in with its pages, and the access tokens. A completed sign-in wakes the questions that waited for it. */
export function connectIdentity(parts: Parts, onRefresh: IdentityOptions['onRefresh']): Identity {
  const { config, http, log, people, findInstallation, now } = parts;
  const { store, dispatcher, withLock } = parts.backend;
  const receipts = createLinkReceipts(parts);
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret = '', SLACK_API_URL: apiUrl } = config;
  const isInstalled = (workspace: string) =>
    findInstallation(workspace).then(
      () => true,
      (error: unknown) => !(error instanceof UnknownWorkspaceError),
    );
  return createIdentity({
    publicUrl: config.PUBLIC_URL,
    once: store.once,
    links: store.links,
    encryptionKeys: config.ENCRYPTION_KEYS,
    provider: {
      authUrl: config.AUTH_URL,
      tenantId: config.AUTH_TENANT_ID,
      clientId: config.AUTH_CLIENT_ID,
      credential: config.AUTH_CLIENT_CERTIFICATE
        ? { certificate: config.AUTH_CLIENT_CERTIFICATE }
        : { secret: config.AUTH_CLIENT_SECRET ?? '' },
      issuer: config.AUTH_ISSUER,
      scopes: { assistant: config.ASSISTANT_SCOPE, admin: config.ADMIN_SCOPE },
    },
    slackClient: clientId ? { apiUrl, clientId, clientSecret } : undefined,
    defaultChannelAnswers: config.CHANNEL_ANSWERS,
    async describePerson({ user }, workspace) {
      const { name, handle } = await people.profile(workspace, user);
      return `${name} (@${handle})`;
    },
    async onLinked({ link }) {
      // Signed in while the app was being uninstalled there: nothing of that workspace is kept.
      if (!(await isInstalled(link.workspace))) return store.links.delete(link);
      if (link.purpose === 'assistant') for (const lane of await store.turns.unpark(link)) dispatcher.wake(lane);
      await receipts.send(link);
    },
    withLock,
    onRefresh,
    http,
    now,
    log,
  });
}

import { randomBytes } from 'node:crypto';
import { type Browser, type BrowserOptions, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { startIdentityProvider } from '@assistant-bridge/sandbox/identity-provider/start-identity-provider.ts';
import { type LoopbackHandler, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createHttpClient } from '../../src/http/http-client.ts';
import type { LinkKey, SavedLink } from '../../src/identity/account-link.ts';
import { createDirectory } from '../../src/identity/directory.ts';
import type { SignInResult } from '../../src/identity/identity-errors.ts';
import { createIdentityProvider, type IdentityProviderOptions } from '../../src/identity/identity-provider.ts';
import { createLinkFlow } from '../../src/identity/link-flow.ts';
import { createLinkRoutes } from '../../src/identity/link-routes.ts';
import type { Ticket } from '../../src/identity/link-ticket.ts';
import { createSlackSignIn } from '../../src/identity/slack-sign-in.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import type { Language } from '../../src/languages/language.ts';
import { createLog } from '../../src/log.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

export type LinkWorld = Awaited<ReturnType<typeof startLinkWorld>>;

export type LinkWorldOptions = {
  describePerson?: (user: string) => Promise<string>;
  /** By Slack user id; English for everybody else. */
  languages?: Record<string, Language>;
  /** By which the identity provider knows itself; default a tenant's id. */
  tenant?: string;
  /** Values that are wrong. */
  provider?: Partial<IdentityProviderOptions>;
  slackClient?: { clientId?: string; clientSecret?: string };
  /** Where people's browsers reach the app, if it is not the address it listens at. */
  publicUrl?: string;
};

export const ANA_TICKET: Ticket = {
  person: { team: 'T0001', user: 'U0ANA' },
  workspace: 'T0001',
  purpose: 'assistant',
  app: 'A0001',
};

/** The sign-in over real HTTP: our pages, the sandbox's Slack and its identity provider, the store in memory. */
export async function startLinkWorld(options: LinkWorldOptions = {}) {
  let handle: LoopbackHandler = () => {};
  const server = await startLoopbackServer((request, response) => handle(request, response));
  const publicUrl = options.publicUrl ?? server.url;
  const redirectUris = [`${publicUrl}/link/account/callback`];
  const [slack, provider] = await Promise.all([
    startSlack({ autoAllow: true }),
    startIdentityProvider({ redirectUris, ...(options.tenant && { tenant: options.tenant }) }),
  ]);
  const http = createHttpClient();
  const clock = { skewMs: 0 };
  const now = () => Date.now() + clock.skewMs;
  const logged: string[] = [];
  const log = createLog('debug', { write: (line) => void logged.push(line) });
  const { links, once, rows } = createMemoryStore(now);
  const vault = createTokenVault([{ id: 'k1', key: randomBytes(32) }]);
  const linked: SavedLink[] = [];
  const identityProvider = createIdentityProvider({
    authUrl: provider.url,
    tenantId: provider.tenant,
    clientId: provider.clientId,
    credential: { secret: provider.clientSecret },
    scopes: { assistant: ASSISTANT_SCOPE, admin: ADMIN_SCOPE },
    issuer: options.tenant && provider.issuer,
    http,
    now,
    ...options.provider,
  });
  const { apiUrl, clientId, clientSecret } = slack;
  const slackClient = { apiUrl, clientId, clientSecret, ...options.slackClient };
  const results: SignInResult[] = [];
  const ended: LinkKey[] = [];
  const directory = createDirectory({ once, links, now });
  const flow = createLinkFlow({
    publicUrl,
    links,
    once,
    vault,
    identityProvider,
    slackSignIn: createSlackSignIn({ ...slackClient, http }),
    directory,
    onLinked: async (saved) => {
      linked.push(saved);
    },
    inBackground: (work) => void work(),
    onEnded: async (key) => void ended.push(key),
    onSignIn: (result) => void results.push(result),
    now,
    log,
  });
  const describePerson = options.describePerson ?? (async (user) => `@${user.slice(2).toLowerCase()} (Acme)`);
  const routes = createLinkRoutes({
    flow,
    publicUrl,
    slackOrigin: slack.url,
    providerOrigin: provider.url,
    describePerson: (person) => describePerson(person.user),
    languageOf: async ({ user }) => options.languages?.[user] ?? 'en',
    defaultLanguage: 'en',
    log,
  });
  handle = routes.handle;

  /** A browser that is signed in to Slack, and to the identity provider, as these people. */
  async function openBrowser(slackUser: string, account: string, browserOptions?: BrowserOptions): Promise<Browser> {
    const browser = createBrowser(browserOptions);
    await browser.open(`${slack.url}/sandbox/login?user=${slackUser}`);
    await browser.open(provider.loginUrl(account));
    return browser;
  }

  /** The same, on the first page of a sign-in. */
  async function openStart(ticket: Ticket = ANA_TICKET, account = 'ana'): Promise<Browser> {
    const browser = await openBrowser(ticket.person.user, account);
    await browser.open(await flow.issueTicket(ticket));
    return browser;
  }

  return {
    ...{ publicUrl, serverUrl: server.url, slack, provider, clock, now, logged, results },
    ...{ links, once, rows, vault, linked, ended, directory, flow, openBrowser, openStart },
    /** How often a code was brought to the identity provider. */
    codeRequests: () => provider.ledger.tokenRequests.filter((each) => each.grantType === 'authorization_code').length,
    /** As it was, with nobody connected. */
    async reset() {
      for (const one of [provider.ledger, provider.faults, slack.faults]) one.clear();
      clock.skewMs = 0;
      linked.length = 0;
      results.length = 0;
      await flow.unlink(ANA_TICKET.person);
      ended.length = 0;
    },
    async close() {
      await Promise.all([server.close(), slack.close(), provider.close(), http.close()]);
    },
  };
}

/** The address of the last step, which the browser did not open yet. */
export async function stopBeforeLastStep(world: LinkWorld, user = 'U0ANA', account = 'ana') {
  const browser = await world.openBrowser(user, account, {
    stopBefore: (url) => url.includes('/link/account/callback'),
  });
  await browser.open(await world.flow.issueTicket(ANA_TICKET));
  const { url } = await browser.submit();
  const open = async (address: string) => {
    // The same cookies, in a browser that does not stop.
    const cookie = browser.cookies.list(world.publicUrl).map(({ name, value }) => `${name}=${value}`);
    const response = await fetch(address, { headers: { cookie: cookie.join('; ') }, redirect: 'manual' });
    return { status: response.status, html: await response.text() };
  };
  return { url, open };
}

/** One world for all tests of a file, with nobody connected before each of them. */
export function shareLinkWorld(options?: LinkWorldOptions): LinkWorld {
  const world = {} as LinkWorld;
  beforeAll(async () => {
    Object.assign(world, await startLinkWorld(options));
  });
  beforeEach(() => world.reset());
  afterAll(() => world.close());
  return world;
}

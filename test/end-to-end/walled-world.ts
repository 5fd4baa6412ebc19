// A company's network: the services have names that only its proxy can resolve, and certificates of its own authority.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { createPrivateAuthority, type PrivateAuthority } from '@assistant-bridge/sandbox/certificates.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { type HttpProxy, startHttpProxy, startTlsFront } from '@assistant-bridge/sandbox/http-proxy.ts';
import { ACCOUNTS, type SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { pressSignIn } from '../app/sign-in.ts';
import { startWorld, type World } from '../app/world.ts';

export const HOSTS = {
  slack: 'slack.test.internal',
  assistant: 'assistant.test.internal',
  login: 'login.test.internal',
  admin: 'admin.test.internal',
  bridge: 'bridge.test.internal',
};

/** The user and the password of the proxy, with what has to be percent-encoded. */
const CREDENTIALS = 'bridge:p@ss/wörd';
const USER = 'bridge:p%40ss%2Fw%C3%B6rd';

export type WalledWorld = World & {
  proxy: HttpProxy;
  /** What the app needs to get out: the proxy. */
  wayOut: Record<string, string>;
  /** What it needs to trust the services: the authority. */
  trust: Record<string, string>;
  startApp(environment: Record<string, string>): Promise<AppProcess>;
  /** Signs somebody in who was asked to by this message. Resolves with the heading of the last page. */
  signIn(user: SandboxUser, prompt: Message): Promise<string | undefined>;
  /** Which hosts the proxy was asked to connect to, each once. */
  askedHosts(): string[];
};

/** `expiresAt`: of the certificate. */
export async function startWalledWorld(options: { expiresAt?: number } = {}): Promise<WalledWorld> {
  const port = await claimPort();
  const world = await startWorld({ slack: { url: `https://${HOSTS.slack}`, port } });
  const urls: Record<string, string> = {
    [HOSTS.slack]: `http://127.0.0.1:${port}`,
    [HOSTS.assistant]: world.assistant.url,
    [HOSTS.login]: world.identityProvider.url,
    [HOSTS.admin]: world.admin.url,
    [HOSTS.bridge]: world.publicUrl,
  };
  const authority: PrivateAuthority = createPrivateAuthority();
  const front = await startTlsFront(authority.issue(Object.values(HOSTS), options), urls);
  const ports = Object.fromEntries(Object.values(HOSTS).map((host) => [host, front.port]));
  const proxy = await startHttpProxy({ ports, credentials: CREDENTIALS });
  const certificates = join(world.folder, 'authority.pem');
  writeFileSync(certificates, authority.certificate);
  const apps: AppProcess[] = [];
  const walled: WalledWorld = {
    ...world,
    environment: {
      ...world.environment,
      SLACK_API_URL: `https://${HOSTS.slack}/api/`,
      ASSISTANT_BASE_URL: `https://${HOSTS.assistant}`,
      AUTH_URL: `https://${HOSTS.login}`,
      AUTH_ISSUER: world.identityProvider.issuer,
      ADMIN_API_BASE_URL: `https://${HOSTS.admin}`,
    },
    proxy,
    wayOut: { HTTPS_PROXY: `http://${USER}@${proxy.host}` },
    trust: { NODE_EXTRA_CA_CERTS: certificates },
    async startApp(environment) {
      const app = await startAppProcess({ ...walled.environment, ...environment });
      apps.push(app);
      return app;
    },
    async signIn(user, prompt) {
      const url = await pressSignIn(world, user, prompt);
      const browser = await openBrowser(`${urls[HOSTS.slack]}/sandbox/login?user=${user}`);
      await browser.open(world.identityProvider.loginUrl(ACCOUNTS[user]));
      await browser.open(url);
      await browser.submit();
      await goOn(browser, urls);
      await browser.submit(0, { decision: 'connect' });
      return browser.page.heading;
    },
    askedHosts: () => [...new Set(proxy.asked)].sort(),
    async close() {
      for (const app of apps) await app.kill('SIGKILL');
      await proxy.close();
      await front.close();
      await world.close();
    },
  };
  return walled;
}

/** A browser that is not behind the wall. It stops at each name, and goes on at the loopback address behind it. */
async function openBrowser(loginUrl: string): Promise<Browser> {
  const browser = createBrowser({ stopBefore: (next) => next.startsWith('https:') });
  await browser.open(loginUrl);
  return browser;
}

async function goOn(browser: Browser, urls: Record<string, string>): Promise<string | undefined> {
  for (let { url } = browser.page; url.startsWith('https:'); { url } = browser.page) {
    const { host, pathname, search } = new URL(url);
    await browser.open(urls[host] + pathname + search);
  }
  return browser.page.heading;
}

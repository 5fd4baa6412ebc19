// The installation flow in the sandbox's Slack, on a real server, with a store in memory.
import { randomBytes } from 'node:crypto';
import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { startPublicServer } from '../../../src/http/public-server.ts';
import { createLog } from '../../../src/log.ts';
import type { InstallationStore } from '../../../src/slack/installation.ts';
import { createInstallations, type Installations } from '../../../src/slack/installations/installations.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';
import type { CallWithToken } from '../../../src/slack/web/methods.ts';
import { createMemoryStore, type MemoryStore } from '../../storage/memory-store.ts';

export type InstallWorld = {
  slack: SandboxSlack;
  /** The app's client for it. */
  callWithToken: CallWithToken;
  /** The buckets that Slack has blocked by a 429. Calls are not counted otherwise. */
  blocked: string[];
  installations: Installations;
  store: InstallationStore;
  rows: MemoryStore['rows'];
  /** `http://127.0.0.1:<port>/slack/install` */
  installUrl: string;
  redirectUrl: string;
  /** The ids that may install; may be changed at any time. */
  allowed: string[];
  /** What was purged, and what was announced, in order. */
  purged: string[];
  announced: string[];
  /** Every line that was logged. */
  lines: string[];
  /** Moves the clock of our side; the sandbox's goes on as it is. */
  clock: { skewMs: number };
  /** While it is true the once store cannot be written, and installations cannot be replaced. */
  outage: { isOn: boolean };
  browserOf(user: string, team?: string): Promise<Browser>;
  /** From the install page to Slack's; with the state that goes along. */
  begin(browser: Browser): Promise<string>;
  /** From the install page to the last one. */
  install(browser: Browser, decision?: Record<string, string>): Promise<Browser>;
  close(): Promise<void>;
};

export async function startInstallWorld(): Promise<InstallWorld> {
  const port = await claimPort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const slack = await startSlack({ isInstalled: false, retry: [0, 0, 0] });
  const redirectUrl = `${publicUrl}/slack/oauth_redirect`;
  slack.registration.redirectUrls = [redirectUrl];
  const installUrl = `${publicUrl}/slack/install`;
  const http = createHttpClient();
  const blocked: string[] = [];
  const buckets = { take: async () => 0, block: async (key: string) => void blocked.push(key) };
  const log = createLog('silent');
  const callWithToken = createSlackClient({ http, apiUrl: slack.apiUrl, buckets, now: Date.now, log });
  const kept = createKept(slack, { http, callWithToken }, publicUrl);
  const server = await startPublicServer({ host: '127.0.0.1', port }, kept.installations.routes);
  const begin = async (browser: Browser) => {
    await browser.open(installUrl);
    await browser.submit();
    return new URL(browser.page.url).searchParams.get('state') ?? '';
  };
  return {
    ...kept,
    slack,
    callWithToken,
    blocked,
    installUrl,
    redirectUrl,
    async browserOf(user, team = 'T0001') {
      const browser = createBrowser();
      await browser.open(`${slack.url}/sandbox/login?user=${user}&team=${team}`);
      return browser;
    },
    begin,
    async install(browser, decision = { decision: 'allow' }) {
      await begin(browser);
      await browser.submit(0, decision);
      return browser;
    },
    async close() {
      await server.close(0);
      await http.close();
      await slack.close();
    },
  };
}

function createKept(
  slack: SandboxSlack,
  client: { http: HttpClient; callWithToken: CallWithToken },
  publicUrl: string,
) {
  const clock = { skewMs: 0 };
  const outage = { isOn: false };
  const now = () => Date.now() + clock.skewMs;
  const { installations: store, once, rows } = createMemoryStore(now);
  const allowed = ['T0001'];
  const purged: string[] = [];
  const announced: string[] = [];
  const lines: string[] = [];
  const installations = createInstallations({
    ...client,
    apiUrl: slack.apiUrl,
    publicUrl,
    hasSlackbotDoor: false,
    clientId: slack.clientId,
    clientSecret: slack.clientSecret,
    installations: {
      ...store,
      async replace(installation, formerToken) {
        if (outage.isOn) throw new StoreUnavailableError('an outage');
        return store.replace(installation, formerToken);
      },
    },
    once: {
      ...once,
      async claim(...entry) {
        if (outage.isOn) throw new StoreUnavailableError('an outage');
        return once.claim(...entry);
      },
    },
    encryptionKeys: [{ id: 'k1', key: randomBytes(32) }],
    allowed,
    withLock: undefined,
    announce: (workspace) => void announced.push(workspace),
    async purge(workspace) {
      purged.push(workspace);
      return 1;
    },
    now,
    log: createLog('debug', { write: (line: string) => void lines.push(line) }),
  });
  return { installations, store, rows, allowed, purged, announced, lines, clock, outage };
}

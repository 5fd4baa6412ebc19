import { TransientError } from '../errors.ts';
import type { Address, BoundedServer } from '../http/bounded-server.ts';
import { startPublicServer } from '../http/public-server.ts';
import type { Log } from '../log.ts';
import { answerProbe } from '../ops/readiness.ts';
import { retry } from '../retry.ts';
import { readInstallation } from '../slack/bolt-app.ts';
import {
  createInstallations,
  createOnlyInstallation,
  type Installations,
} from '../slack/installations/installations.ts';
import { createSlackClient } from '../slack/web/client.ts';
import type { Services } from './services.ts';

/** The Slack client and the app's installations. `onCall`: gets the method of each call, and `ok` or the error code. */
export async function connectSlack({
  onCall,
  ...services
}: Base & { onCall(method: string, code: string): void }): Promise<SlackSide> {
  const { config, backend } = services;
  const apiUrl = `${config.SLACK_API_URL}/`;
  const buckets = config.SLACK_BUDGETS === 'off' ? undefined : backend.buckets;
  const callWithToken = createSlackClient({ ...services, onCall, apiUrl, buckets });
  const installations = await connectInstallations({ ...services, apiUrl, callWithToken });
  return { apiUrl, callWithToken, call: installations.call, installations, findInstallation: installations.find };
}

type Base = Pick<Services, 'config' | 'backend' | 'http' | 'now' | 'log'>;
type SlackSide = Pick<Services, 'apiUrl' | 'callWithToken' | 'call' | 'installations' | 'findInstallation'>;

async function connectInstallations(
  services: Base & Pick<Services, 'apiUrl' | 'callWithToken'>,
): Promise<Installations> {
  const { config, backend, apiUrl, callWithToken, log } = services;
  const { store, announcements } = backend;
  const purge = (workspace: string) => store.purge(workspace);
  const announce = (workspace: string) => announcements.announce('installation-changed', workspace);
  if (config.SLACK_BOT_TOKEN) {
    const botToken = config.SLACK_BOT_TOKEN;
    const ask = () => readInstallation(botToken, { callWithToken, apiUrl });
    const installation = await waitForSlack(ask, { address: { host: config.HOST, port: config.PORT }, log });
    return createOnlyInstallation({ installation, callWithToken, purge, announce, log });
  }
  const installations = createInstallations({
    ...services,
    installations: store.installations,
    once: store.once,
    encryptionKeys: config.ENCRYPTION_KEYS,
    allowed: config.SLACK_ALLOWED_TEAMS,
    publicUrl: config.PUBLIC_URL,
    hasSlackbotDoor: config.SLACKBOT_DOOR === 'on',
    clientId: config.SLACK_CLIENT_ID,
    clientSecret: config.SLACK_CLIENT_SECRET,
    purge,
    withLock: backend.withLock,
    announce,
  });
  announcements.listen('installation-changed', installations.forget);
  return installations;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Asks Slack until it answers: a start during an outage of Slack must not end in a loop of restarts. Meanwhile the port
 * is open, `/health` is good, and `/ready` says why this process takes no requests. Slack repeats its events later. Only
 * a TransientError is retried.
 */
async function waitForSlack<T>(ask: () => Promise<T>, { address, log }: { address: Address; log: Log }): Promise<T> {
  let waiting: BoundedServer | undefined;
  try {
    return await retry(
      ask,
      (error, failures) => toWaitMs(error, failures, log),
      async (ms) => {
        waiting ??= await startPublicServer(address, {
          '/health': (request, response) => answerProbe(request, response, 'ok'),
          '/ready': (request, response) => answerProbe(request, response, 'slack_unavailable'),
          '/': (_request, response) => void response.writeHead(503, { 'retry-after': '30' }).end(),
        });
        await new Promise((resolve) => setTimeout(resolve, ms));
      },
    );
  } finally {
    await waiting?.close(0);
  }
}

function toWaitMs(error: unknown, failures: number, log: Log): number | undefined {
  if (!(error instanceof TransientError)) return undefined;
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  const waitMs = Math.max(backoffMs, error.retryAfterMs ?? 0);
  log.error({ err: error, waitMs }, 'start waits for slack');
  return waitMs;
}

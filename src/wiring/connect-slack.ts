import type { Backend } from '../backend/backend.ts';
import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import { readInstallation } from '../slack/bolt-app.ts';
import {
  createInstallations,
  createOnlyInstallation,
  type Installations,
} from '../slack/installations/installations.ts';
import { createSlackClient } from '../slack/web/client.ts';
import type { CallSlack } from '../slack/web/methods.ts';

/** The Slack client and the app's installations. */
export type SlackSide = { apiUrl: string; call: CallSlack; installations: Installations };

type Ports = {
  config: Config;
  backend: Backend;
  http: HttpClient;
  /** Called for every API call with its method, and `ok` or the error code. */
  onCall(method: string, code: string): void;
  now(): number;
  log: Log;
};

export async function connectSlack(ports: Ports): Promise<SlackSide> {
  const { config, backend } = ports;
  const apiUrl = `${config.SLACK_API_URL}/`;
  const call = createSlackClient({
    ...ports,
    apiUrl,
    buckets: config.SLACK_BUDGETS === 'off' ? undefined : backend.buckets,
    historyLimit: config.SLACK_HISTORY_LIMIT,
  });
  return { apiUrl, call, installations: await connectInstallations(ports, { apiUrl, call }) };
}

async function connectInstallations(
  { config, backend, now, log }: Ports,
  { apiUrl, call }: Pick<SlackSide, 'apiUrl' | 'call'>,
): Promise<Installations> {
  const { store, announcements } = backend;
  const purge = (workspace: string) => store.purge(workspace);
  if (config.SLACK_BOT_TOKEN) {
    const installation = await readInstallation(config.SLACK_BOT_TOKEN, { call, apiUrl });
    return createOnlyInstallation({ installation, call, purge, log });
  }
  const installations = createInstallations({
    installations: store.installations,
    once: store.once,
    encryptionKeys: config.ENCRYPTION_KEYS,
    allowed: config.SLACK_ALLOWED_TEAMS,
    publicUrl: config.PUBLIC_URL,
    // Both are set: config.ts checks it.
    clientId: config.SLACK_CLIENT_ID ?? '',
    clientSecret: config.SLACK_CLIENT_SECRET ?? '',
    apiUrl,
    call,
    purge,
    announce: (workspace) => announcements.announce('installation-changed', workspace),
    now,
    log,
  });
  announcements.listen('installation-changed', installations.forget);
  return installations;
}

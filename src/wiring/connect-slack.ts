import type { Backend } from '../backend.ts';
import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import { readInstallation } from '../slack/bolt-app.ts';
import { createBudgetedCaller } from '../slack/budgeted-caller.ts';
import {
  createInstallations,
  createOnlyInstallation,
  type Installations,
} from '../slack/installations/installations.ts';
import { createSlackCaller, type SlackCaller } from '../slack/slack-caller.ts';
import { toCallCode } from '../slack/slack-errors.ts';
import { withSmallPages } from '../slack/small-pages.ts';

/** The way to Slack, and where the app is installed. */
export type SlackSide = { apiUrl: string; call: SlackCaller; installations: Installations };

type Ports = {
  config: Config;
  backend: Backend;
  http: HttpClient;
  /** Told of every call: its method, and `ok` or the code of the error. */
  onCall(method: string, code: string): void;
  now(): number;
  log: Log;
};

export async function connectSlack(ports: Ports): Promise<SlackSide> {
  const apiUrl = `${ports.config.SLACK_API_URL}/`;
  return { apiUrl, call: connectCaller(ports, apiUrl), installations: await connectInstallations(ports, apiUrl) };
}

function connectCaller({ config, backend, http, onCall, now, log }: Ports, apiUrl: string): SlackCaller {
  const plain = createSlackCaller(http, apiUrl, now);
  // What is held back by a budget is not called, and not counted: this is inside of it.
  const call: SlackCaller = async (method, token, args) => {
    try {
      const answer = await plain(method, token, args);
      onCall(method, 'ok');
      return answer;
    } catch (error) {
      onCall(method, toCallCode(error));
      throw error;
    }
  };
  const historyLimit = config.SLACK_HISTORY_LIMIT;
  const fitting = historyLimit === 'distributed' ? withSmallPages(call) : call;
  if (config.SLACK_BUDGETS === 'off') return fitting;
  return createBudgetedCaller({ call: fitting, buckets: backend.buckets, historyLimit, now, log });
}

async function connectInstallations({ config, backend, now, log }: Ports, apiUrl: string): Promise<Installations> {
  const { store, announcements } = backend;
  const purge = (workspace: string) => store.purge(workspace);
  if (config.SLACK_BOT_TOKEN) {
    const installation = await readInstallation(config.SLACK_BOT_TOKEN, apiUrl);
    return createOnlyInstallation({ installation, apiUrl, purge, log });
  }
  const installations = createInstallations({
    installations: store.installations,
    once: store.once,
    encryptionKeys: config.ENCRYPTION_KEYS,
    allowed: config.SLACK_ALLOWED_TEAMS,
    publicUrl: config.PUBLIC_URL,
    // Both are there, or the configuration would have been refused.
    clientId: config.SLACK_CLIENT_ID ?? '',
    clientSecret: config.SLACK_CLIENT_SECRET ?? '',
    apiUrl,
    purge,
    announce: (workspace) => announcements.announce('installation-changed', workspace),
    now,
    log,
  });
  announcements.listen('installation-changed', installations.forget);
  return installations;
}

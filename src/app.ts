import { createAdminClient } from './admin/admin-client.ts';
import { createRenewingClient } from './admin/renewing-client.ts';
import { createAssistantClient } from './assistant/assistant-client.ts';
import type { Config } from './config.ts';
import { acceptTurn } from './conversation/accept-turn.ts';
import { type RunPorts, runTurn } from './conversation/run-turn.ts';
import { type BackgroundWork, createBackgroundWork } from './delivery/background-work.ts';
import { createInProcessDispatcher } from './delivery/in-process-dispatcher.ts';
import { drainLane } from './delivery/lane.ts';
import { createRunningTurns } from './delivery/running-turns.ts';
import { createSweeper, SWEEPER_LANE } from './delivery/sweeper.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';
import { startPublicServer } from './http/public-server.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { AccountNotLinkedError } from './identity/identity-errors.ts';
import type { Log } from './log.ts';
import { createAdmission } from './slack/admission.ts';
import { createBoltApp, readInstallation } from './slack/bolt-app.ts';
import { type Channels, createChannels } from './slack/channels.ts';
import { type FindInstallation, type Installation, UnknownWorkspaceError } from './slack/installation.ts';
import { createLinkReceipts } from './slack/link-receipts.ts';
import type { AdminPorts } from './slack/listeners/admin-ports.ts';
import type { ListenerPorts } from './slack/listeners/listener-ports.ts';
import { registerListeners } from './slack/listeners/register.ts';
import { createPeople, type People } from './slack/people.ts';
import { createThreadReader } from './slack/read-thread.ts';
import { SlackReceiver } from './slack/receiver.ts';
import { createResponder, type Respond } from './slack/response-url.ts';
import { createSlackCaller, type SlackCaller } from './slack/slack-caller.ts';
import { createSlackReply } from './slack/slack-reply.ts';
import { createGroupReader, type ReadGroupMembers } from './slack/user-groups.ts';
import { forgetOld } from './storage/retention.ts';
import type { Store } from './storage/store.ts';

export type Bridge = {
  /** The port that Slack and browsers reach. */
  port: number;
  /** Stops taking in, lets running questions finish within DRAIN_SECONDS, leaves the rest to the next start. */
  stop(): Promise<void>;
};

const now = Date.now;

/** How long a stop lets requests end that have already arrived, in ms: Slack gives up after three seconds. */
const INTAKE_GRACE_MS = 3_000;

/** Builds the app on a store and starts it. The store stays the caller's to close. */
export async function startBridge(config: Config, store: Store, log: Log): Promise<Bridge> {
  const http = createHttpClient();
  const apiUrl = `${config.SLACK_API_URL}/`;
  const installation = await readInstallation(config.SLACK_BOT_TOKEN, apiUrl);
  const findInstallation = toFindInstallation(installation);
  const call = createSlackCaller(http, apiUrl, now);
  const slack = { call, findInstallation, log };
  const people = createPeople(call, findInstallation);
  const channels = createChannels(call, findInstallation);

  const dispatcher = createInProcessDispatcher(log, now);
  const wake = (lane: string) => dispatcher.wake(lane);
  const identity = connectIdentity({ config, store, http, log, slack, people, channels, wake });
  const running = createRunningTurns();
  const parts = { config, store, http, log, slack, people, channels, wake, ...identity };
  const runPorts = toRunPorts(parts);
  const run = (turnId: string, signal: AbortSignal) => runTurn(turnId, runPorts, signal);

  const receiver = new SlackReceiver({ signingSecret: config.SLACK_SIGNING_SECRET, log });
  const app = createBoltApp({ receiver, findInstallation, apiUrl, log });
  const background = createBackgroundWork(log);
  const groupMembers = createGroupReader(app.client, findInstallation);
  const respond = createResponder({ http, apiUrl, log });
  const admin = connectAdmin({ ...parts, background, groupMembers, respond });
  const listenerPorts: ListenerPorts = {
    respond,
    accept: (id, question) => acceptTurn(id, question, { ...store, wake, now }),
    async endTurn(id, stage) {
      const hasEnded = await store.turns.end(id, stage);
      running.abort(id);
      const turn = hasEnded ? await store.turns.get(id) : undefined;
      if (turn) wake(turn.lane);
      return hasEnded;
    },
    ...store,
    linkFlow: identity.linkFlow,
    findInstallation,
    people,
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    log,
  };
  registerListeners(app, listenerPorts, admin);

  let isDraining = false;
  const lanePorts = { ...store, running, run, isDraining: () => isDraining, now };
  const sweep = createSweeper({
    turns: store.turns,
    isLinked: async (person) => Boolean((await store.links.get({ ...person, purpose: 'assistant' }))?.sealedTokens),
    wake,
    forgetOld: () => forgetOld(store, now()),
    now,
    log,
  });
  const server = await startPublicServer(config.PORT, {
    '/slack/events': (request, response) => receiver.handle(request, response),
    '/link/': (request, response) => identity.linkRoutes.handle(request, response),
  });
  // Only now: where the port is taken, no question must have been sent that nobody would see answered.
  dispatcher.start((lane) => (lane === SWEEPER_LANE ? sweep() : drainLane(lane, lanePorts)));
  wake(SWEEPER_LANE);
  log.info({ port: server.port, workspace: installation.workspace }, 'started');

  return {
    port: server.port,
    async stop() {
      isDraining = true;
      await server.close(INTAKE_GRACE_MS);
      const deadlineMs = config.DRAIN_SECONDS * 1000;
      const done = await Promise.all([dispatcher.drain(deadlineMs), background.drain(deadlineMs)]);
      log.info({ isDone: done.every(Boolean) }, 'stopped');
      await http.close();
    },
  };
}

/** The one workspace that SLACK_BOT_TOKEN is of. Anything that names another is none of ours. */
function toFindInstallation(installation: Installation): FindInstallation {
  return async (workspace) => {
    if (workspace !== installation.workspace) throw new UnknownWorkspaceError(workspace);
    return installation;
  };
}

type Parts = {
  config: Config;
  store: Store;
  http: HttpClient;
  log: Log;
  slack: { call: SlackCaller; findInstallation: FindInstallation; log: Log };
  people: People;
  channels: Channels;
  wake(lane: string): void;
};

function toRunPorts({ config, store, http, log, slack, people, channels, wake, ...parts }: Parts & Identity): RunPorts {
  const { accessTokens, linkFlow } = parts;
  return {
    turns: store.turns,
    threads: store.threads,
    assistant: createAssistantClient({
      http,
      baseUrl: config.ASSISTANT_BASE_URL,
      stage: config.ASSISTANT_STAGE,
      streaming: config.ASSISTANT_STREAMING,
      streamSegment: config.ASSISTANT_STREAM_SEGMENT,
      now,
    }),
    reply: createSlackReply({ ...slack, channels, signIn: linkFlow.variant }),
    ...createThreadReader(slack),
    admit: createAdmission(people, channels),
    accessToken: (person) => accessTokens.accessTokenFor({ ...person, purpose: 'assistant' }),
    renewToken: (person, rejected) => accessTokens.renew({ ...person, purpose: 'assistant' }, rejected),
    async privateChannel({ workspace, asker, audience }) {
      if (audience === 'person') return undefined;
      const link = await store.links.get({ ...asker, purpose: 'assistant' });
      // Signed out a moment ago: where the answer may be shown is not known any more.
      if (!link) throw new AccountNotLinkedError('ended');
      return link.channelAnswers === 'private' ? channels.directMessage(workspace, asker.user) : undefined;
    },
    async timeZone({ workspace, asker }) {
      return (await people.timeZone(workspace, asker.user)) ?? config.DEFAULT_TIME_ZONE;
    },
    fileRules: { allowedHosts: config.ASSISTANT_FILE_HOSTS },
    wake,
    now,
    log,
  };
}

function connectIdentity({ config, store, http, log, slack, people, channels, wake }: Parts): Identity {
  const receipts = createLinkReceipts({ ...slack, channels });
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret = '', SLACK_API_URL: apiUrl } = config;
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
      if (link.purpose === 'assistant') for (const lane of await store.turns.unpark(link)) wake(lane);
      await receipts.send(link);
    },
    http,
    now,
    log,
  });
}

/** Undefined where there is no administrative interface. */
function connectAdmin({
  config,
  store,
  http,
  log,
  slack: { findInstallation },
  people,
  ...parts
}: Parts & Identity & { background: BackgroundWork; groupMembers: ReadGroupMembers; respond: Respond }):
  | AdminPorts
  | undefined {
  if (!config.ADMIN_API_BASE_URL) return undefined;
  const { accessTokens, linkFlow, background, groupMembers, respond } = parts;
  const client = createAdminClient({
    http,
    baseUrl: config.ADMIN_API_BASE_URL,
    apiVersion: config.ADMIN_API_VERSION,
    resourceTypePrefix: config.ADMIN_RESOURCE_PREFIX,
    tableName: config.ADMIN_TABLE_NAME,
    currency: config.ADMIN_CURRENCY,
    agentIdProperty: config.ADMIN_AGENT_ID_PROPERTY,
    now,
  });
  return {
    rules: config.ADMIN_USERS,
    lookups: {
      groupMembers,
      async isWorkspaceAdmin(workspace, user) {
        const { isMember, isWorkspaceAdmin } = await people.profile(workspace, user);
        return isMember && isWorkspaceAdmin;
      },
    },
    isSignedIn: async (person) => Boolean((await store.links.get({ ...person, purpose: 'admin' }))?.sealedTokens),
    async openSession(person) {
      const key = { ...person, purpose: 'admin' } as const;
      const token = await accessTokens.accessTokenFor(key);
      return { client: createRenewingClient(client, (rejected) => accessTokens.renew(key, rejected)), token };
    },
    signInVariant: linkFlow.variant,
    changes: store.changes,
    currency: config.ADMIN_CURRENCY,
    inBackground: (work) => background.start(work),
    respond,
    timeZone: async ({ workspace, user }) => (await people.timeZoneSoon(workspace, user)) ?? config.DEFAULT_TIME_ZONE,
    findInstallation,
    now,
    log,
  };
}

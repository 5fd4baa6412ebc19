import type { Routes } from '../http/public-server.ts';
import { createWebSockets } from '../http/web-socket.ts';
import { MCP_PATH } from '../slack/installations/bot-scopes.ts';
import type { Intake } from '../slack/intake.ts';
import type { IntakeWatch } from '../slack/intake-watch.ts';
import type { ListenerPorts } from '../slack/listeners/ports.ts';
import { createReceiver } from '../slack/receiver.ts';
import type { Envelope } from '../slack/socket-mode/socket-connection.ts';
import { createSocketMode } from '../slack/socket-mode/socket-mode.ts';
import { later } from './later.ts';
import type { Services } from './services.ts';

const loadDoor = () => import('../slack/slackbot/mcp-door.ts');

/** Receives from Slack: HTTP requests or, with SLACK_APP_TOKEN, Socket Mode. */
export type SlackIntake = {
  routes: Routes;
  /** Call once the rest is ready. Throws a PermanentError if Slack refuses the token. */
  start(): Promise<void>;
  /** Acknowledges everything that has arrived, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

type Taking = { take: Intake; accept: ListenerPorts['accept']; watch: IntakeWatch };

export function connectIntake(services: Services, taking: Taking): SlackIntake {
  const intake = connectEvents(services, taking);
  return { ...intake, routes: { ...intake.routes, ...connectSlackbot(services, taking) } };
}

function connectEvents(services: Services, { take, watch }: Omit<Taking, 'accept'>): SlackIntake {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = '' } = services.config;
  if (appToken) return connectSocketMode(appToken, services, { take, watch });
  const receive = createReceiver({
    // It is set: config.ts checks it.
    signingSecret,
    intake: take,
    onAnswered: services.telemetry.answered,
    watch,
  });
  return {
    routes: { '/slack/events': receive },
    start: async () => undefined,
    stop: async () => undefined,
  };
}

function connectSocketMode(
  appToken: string,
  { config, callWithToken, telemetry, log }: Services,
  { take, watch }: Omit<Taking, 'accept'>,
): SlackIntake {
  const socketMode = createSocketMode({
    async openUrl() {
      const { url = '' } = await callWithToken('apps.connections.open', { workspace: 'app', botToken: appToken }, {});
      return url;
    },
    webSockets: createWebSockets(config),
    async take({ payload, retryNum, retryReason }: Envelope) {
      const begunAt = performance.now();
      watch.arrived('event' in payload ? 'event' : 'signed', '');
      const { type, status, acknowledgement } = await take(payload, { retryNum, retryReason });
      telemetry.answered(type, status, performance.now() - begunAt);
      return { acknowledge: status === 200, answer: acknowledgement };
    },
    onCount: telemetry.metrics.slackConnections,
    onReplace: telemetry.metrics.slackReconnected,
    onConnected: watch.connected,
    log,
  });
  telemetry.readiness.watchSlack(socketMode.isConnected);
  return { routes: {}, start: socketMode.start, stop: socketMode.stop };
}

/** The path for Slackbot's calls, if SLACKBOT_DOOR is on, even with Socket Mode. The first call loads the code. */
function connectSlackbot(services: Services, { accept, watch }: Taking): Routes {
  const { config, backend, identity, usage } = services;
  if (config.SLACKBOT_DOOR === 'off') return {};
  const door = later(async () => {
    const { createMcpDoor } = await loadDoor();
    return createMcpDoor({
      ...services,
      ...backend.store,
      // It is set: config.ts checks it.
      signingSecret: config.SLACK_SIGNING_SECRET ?? '',
      buckets: backend.buckets,
      accept,
      watch,
      async signInUrl(person, workspace) {
        const url = await identity.linkFlow.issueTicket({ person, workspace, purpose: 'assistant' });
        usage.signIn('prompted', { ...person, workspace });
        return url;
      },
    });
  });
  return { [MCP_PATH]: async (request, response) => (await door())(request, response) };
}

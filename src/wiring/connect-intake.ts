import type { Routes } from '../http/public-server.ts';
import { createWebSockets } from '../http/web-socket.ts';
import type { Intake } from '../slack/intake.ts';
import type { IntakeWatch } from '../slack/intake-watch.ts';
import { createReceiver } from '../slack/receiver.ts';
import type { Envelope } from '../slack/socket-mode/envelope.ts';
import { createSocketMode } from '../slack/socket-mode/socket-mode.ts';
import type { Services } from './services.ts';

/** The way in for what Slack sends: requests, or with SLACK_APP_TOKEN a connection of Socket Mode. */
export type SlackIntake = {
  routes: Routes;
  /** Call once the rest is ready. Throws a PermanentError if Slack refuses the token. */
  start(): Promise<void>;
  /** Acknowledges what has arrived, within the time (ms). */
  stop(graceMs: number): Promise<void>;
};

type Taking = { take: Intake; watch: IntakeWatch };

export function connectIntake(services: Services, { take, watch }: Taking): SlackIntake {
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
  { config, call, telemetry, log }: Services,
  { take, watch }: Taking,
): SlackIntake {
  const socketMode = createSocketMode({
    async openUrl() {
      const { url = '' } = await call('apps.connections.open', appToken, {});
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from './backend/backend.ts';
import type { Config } from './config.ts';
import { createBackgroundWork } from './delivery/background-work.ts';
import { createRunningTurns } from './delivery/lane.ts';
import { createHttpClient } from './http/http-client.ts';
import { startPublicServer } from './http/public-server.ts';
import type { Log } from './log.ts';
import { createAgentSessions } from './slack/agent-sessions.ts';
import { createChannels } from './slack/channels.ts';
import { createMessenger } from './slack/messenger.ts';
import { createPeople } from './slack/people.ts';
import { VERSION } from './version.ts';
import { connectIdentity, startSignInChecks } from './wiring/connect-identity.ts';
import { connectLanes } from './wiring/connect-lanes.ts';
import { connectListeners } from './wiring/connect-listeners.ts';
import { connectSlack } from './wiring/connect-slack.ts';
import { connectTelemetry } from './wiring/connect-telemetry.ts';
import { createLateReview } from './wiring/later.ts';
import { listenToReplicas, type Parts } from './wiring/parts.ts';

export type Bridge = {
  /** The port that Slack and browsers reach. */
  port: number;
  /** Resolves once everything is loaded, also the lazily loaded code. */
  loaded: Promise<unknown>;
  /** Stops intake and lets running questions finish within DRAIN_SECONDS. Other replicas or the next start do the rest. */
  stop(): Promise<void>;
};

const now = Date.now;

/** How long a stop waits for open requests, in ms: Slack gives up after three seconds. */
const INTAKE_GRACE_MS = 3_000;

/** How long after the start the lazily loaded code is loaded, in ms: readiness probes are answered first. */
const LOAD_REST_AFTER_MS = 100;

/** Builds the app on a backend and starts it. The caller closes the backend. */
export async function startBridge(config: Config, backend: Backend, log: Log): Promise<Bridge> {
  const telemetry = await connectTelemetry(config, backend.store);
  const http = createHttpClient({
    onChange(origin, state) {
      log.warn({ origin, state }, 'circuit changed');
      telemetry.circuitChanged(origin, state);
    },
  });
  const { slackCalled: onCall, tokenRefreshed: onRefresh, signInEnded: onSignIn } = telemetry.metrics;
  const { call, apiUrl, installations } = await connectSlack({ config, backend, http, onCall, now, log });
  const { find: findInstallation } = installations;
  const people = createPeople(call, findInstallation);
  const channels = createChannels(call, findInstallation);
  const messenger = createMessenger({ call, findInstallation, channels });
  const sessions = createAgentSessions({ call, findInstallation, log });
  const parts: Parts = {
    config,
    backend,
    http,
    log,
    call,
    findInstallation,
    people,
    channels,
    messenger,
    sessions,
    now,
  };

  const identity = connectIdentity(parts, { onRefresh, onSignIn });
  const running = createRunningTurns();
  listenToReplicas(parts, running);
  const background = createBackgroundWork(log);
  const { receiver, governance } = connectListeners(parts, { identity, installations, background, telemetry, apiUrl });
  const review = createLateReview(config, async () => (await governance()).review);
  const reconcileInstallations = installations.reconcile;
  const lanes = connectLanes(parts, { identity, running, background, telemetry, review, reconcileInstallations });

  const server = await startPublicServer(config.PORT, {
    '/slack/events': (request, response) => receiver.handle(request, response),
    '/link/': (request, response) => identity.linkRoutes.handle(request, response),
    ...installations.routes,
    '/health': telemetry.health,
    '/ready': telemetry.readiness.handle,
  });
  // After the port is open: if it is taken, no question must have been sent.
  lanes.start();
  log.info({ version: VERSION, port: server.port, opsPort: config.OPS_PORT }, 'started');
  const signInChecks = startSignInChecks(parts, telemetry.metrics.signInChecked);

  return {
    port: server.port,
    loaded: pause(LOAD_REST_AFTER_MS).then(() => Promise.all([lanes.load(), governance()])),
    async stop() {
      signInChecks.stop();
      await telemetry.readiness.startDraining();
      const deadlineMs = config.DRAIN_SECONDS * 1000;
      // Before the server closes: otherwise new runs would begin here.
      const drained = lanes.drain(deadlineMs);
      const begunAt = performance.now();
      await server.close(INTAKE_GRACE_MS);
      const leftMs = Math.max(0, deadlineMs - (performance.now() - begunAt));
      const done = await Promise.all([drained, background.drain(leftMs)]);
      log.info({ isDone: done.every(Boolean) }, 'stopped');
      await telemetry.close();
      await http.close();
    },
  };
}

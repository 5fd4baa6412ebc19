import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from './backend/backend.ts';
import type { Config } from './config.ts';
import { createWaitClock } from './conversation/waits.ts';
import { createBackgroundWork } from './delivery/background-work.ts';
import { createRunningTurns } from './delivery/lane.ts';
import { createConnectionLog } from './http/connection-fault.ts';
import { createHttpClient } from './http/http-client.ts';
import { startPublicServer } from './http/public-server.ts';
import type { Log } from './log.ts';
import { createAgentSessions } from './slack/agent-sessions.ts';
import { createChannelAudience } from './slack/channel-audience.ts';
import { createChannels } from './slack/channels.ts';
import { createMessenger } from './slack/messenger.ts';
import { createPeople } from './slack/people.ts';
import { createGroups } from './slack/user-groups.ts';
import { VERSION } from './version.ts';
import { connectIdentity, connectLeavers, startSignInChecks } from './wiring/connect-identity.ts';
import { connectLanes, connectScheduling } from './wiring/connect-lanes.ts';
import { connectListeners } from './wiring/connect-listeners.ts';
import { connectSlack } from './wiring/connect-slack.ts';
import { connectTelemetry, warnIfUnreachable } from './wiring/connect-telemetry.ts';
import { connectUsage } from './wiring/connect-usage.ts';
import { createLate } from './wiring/later.ts';
import { connectRules, listenToReplicas, type Services } from './wiring/services.ts';

export type Bridge = {
  /** The port that Slack and browsers reach. */
  port: number;
  /** Resolves once all code is loaded, including lazily loaded code, and questions run. */
  loaded: Promise<unknown>;
  /** Stops intake and lets running questions finish within DRAIN_SECONDS. Other replicas or the next start go on. */
  stop(): Promise<void>;
};

const now = Date.now;

/** How long a stop waits for open requests, in ms: Slack gives up after three seconds. */
const INTAKE_GRACE_MS = 3_000;

/**
 * How long after the start the rest is loaded and questions begin to run, in ms. Readiness probes are answered first.
 * Meanwhile questions are accepted.
 */
const BEGIN_AFTER_MS = 100;

/** Builds the app on a backend and starts it. The caller closes the backend. */
export async function startBridge(config: Config, backend: Backend, log: Log): Promise<Bridge> {
  const telemetry = await connectTelemetry(config, backend.store);
  const http = createHttpClient({
    proxies: config,
    onFault: createConnectionLog(log),
    onChange(origin, state) {
      log.warn({ origin, state }, 'circuit changed');
      telemetry.circuitChanged(origin, state);
    },
  });
  const { slackCalled: onCall, tokenRefreshed: onRefresh, signInEnded: onSignIn } = telemetry.metrics;
  const background = createBackgroundWork(log);
  const own = {
    config,
    backend,
    http,
    telemetry,
    background,
    running: createRunningTurns(),
    waitClock: createWaitClock(),
    now,
    log,
  };
  const slack = { ...own, ...(await connectSlack({ ...own, onCall })) };
  const people = createPeople(slack.call, slack.findInstallation, config.DEFAULT_LANGUAGE);
  const channels = createChannels(slack.call);
  const groups = createGroups(slack.call);
  const parts = {
    ...slack,
    people,
    channels,
    groups,
    audience: createChannelAudience({ ...slack, channels }),
    messenger: createMessenger({ ...slack, channels }),
    sessions: createAgentSessions({ ...slack, people, channels, groups }),
    ...connectRules({ backend, now }),
    usage: connectUsage(own),
  };
  const identity = connectIdentity(parts, {
    onRefresh,
    onSignIn,
    onChanged: ({ team, user }) => background.start(() => homeTab.refresh({ team, user })),
    settleClick: (...click) => signInClicks.settle(...click),
    takeWaiting: async (person) => (await governance()).takeWaiting(person),
  });
  const known = { ...parts, identity, leavers: connectLeavers({ ...parts, identity }) };
  const services: Services = { ...known, scheduling: connectScheduling(known) };
  listenToReplicas(services);
  const hasReview = config.REVIEW_CRON !== undefined;
  const hasAdmins = Boolean(config.ADMIN_API_BASE_URL || config.ADMIN_USERS.length > 0);
  const lanes = connectLanes(services, {
    review: createLate(hasReview, async () => (await governance()).review),
    consumption: createLate(hasReview, async () => (await governance()).consumption),
    runs: createLate(hasAdmins, async () => (await governance()).runs),
  });
  const { intake, governance, homeTab, signInClicks } = connectListeners(services, lanes);

  const { linkRoutes } = identity;
  const server = await startPublicServer(
    { host: config.HOST, port: config.PORT },
    {
      ...intake.routes,
      ...Object.fromEntries(linkRoutes.paths.map((path) => [path, linkRoutes.handle])),
      '/link/': linkRoutes.handle,
      ...services.installations.routes,
      '/health': telemetry.health,
      '/ready': telemetry.readiness.handle,
    },
    telemetry.metrics.publicPort,
  );
  await intake.start();
  log.info({ version: VERSION, port: server.port, opsPort: config.OPS_PORT }, 'started');
  const signInChecks = startSignInChecks(services, telemetry.metrics.signInChecked);

  return {
    port: server.port,
    // Only after the port is open: if the port is taken, no question may have been sent.
    loaded: pause(BEGIN_AFTER_MS).then(() => {
      void warnIfUnreachable(config, log);
      return Promise.all([lanes.start(), governance()]);
    }),
    async stop() {
      const stoppingAt = performance.now();
      signInChecks.stop();
      await telemetry.readiness.startDraining();
      const deadlineMs = config.DRAIN_SECONDS * 1000;
      // Drain before the server closes: otherwise new runs would begin here.
      const drained = lanes.drain(deadlineMs);
      const begunAt = performance.now();
      await Promise.all([intake.stop(INTAKE_GRACE_MS), server.close(INTAKE_GRACE_MS)]);
      const leftMs = Math.max(0, deadlineMs - (performance.now() - begunAt));
      const done = await Promise.all([drained, background.drain(leftMs)]);
      await services.usage.close();
      log.info({ isDone: done.every(Boolean), ms: Math.round(performance.now() - stoppingAt) }, 'stopped');
      await telemetry.close();
      await http.close();
    },
  };
}

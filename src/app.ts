import type { Backend } from './backend.ts';
import type { Config } from './config.ts';
import { acceptTurn } from './conversation/accept-turn.ts';
import { runTurn } from './conversation/run-turn.ts';
import type { Turn } from './conversation/turn.ts';
import { createBackgroundWork } from './delivery/background-work.ts';
import { drainLane } from './delivery/lane.ts';
import { createRunningTurns } from './delivery/running-turns.ts';
import { createSweeper, SWEEPER_LANE } from './delivery/sweeper.ts';
import { createHttpClient } from './http/http-client.ts';
import { startPublicServer } from './http/public-server.ts';
import type { Log } from './log.ts';
import { createBoltApp } from './slack/bolt-app.ts';
import { createChannels } from './slack/channels.ts';
import type { AppUninstalledPorts } from './slack/listeners/app-uninstalled.ts';
import type { ListenerPorts } from './slack/listeners/listener-ports.ts';
import { registerListeners } from './slack/listeners/register.ts';
import { createPeople } from './slack/people.ts';
import { SlackReceiver } from './slack/receiver.ts';
import { createResponder } from './slack/response-url.ts';
import { createGroupReader } from './slack/user-groups.ts';
import { forgetOld } from './storage/retention.ts';
import { connectAdmin } from './wiring/connect-admin.ts';
import { connectIdentity } from './wiring/connect-identity.ts';
import { connectSight } from './wiring/connect-sight.ts';
import { connectSlack } from './wiring/connect-slack.ts';
import { connectTurns } from './wiring/connect-turns.ts';
import type { Parts } from './wiring/parts.ts';

export type Bridge = {
  /** The port that Slack and browsers reach. */
  port: number;
  /** Stops taking in, lets running questions finish within DRAIN_SECONDS, leaves the rest to others or the next start. */
  stop(): Promise<void>;
};

const now = Date.now;

/** How long a stop lets requests end that have already arrived, in ms: Slack gives up after three seconds. */
const INTAKE_GRACE_MS = 3_000;

/** Builds the app on a backend and starts it. The backend stays the caller's to close. */
export async function startBridge(config: Config, backend: Backend, log: Log): Promise<Bridge> {
  const { store, dispatcher, announcements } = backend;
  const sight = await connectSight(config, store);
  const http = createHttpClient({
    onChange(origin, state) {
      log.warn({ origin, state }, 'circuit changed');
      sight.circuitChanged(origin, state);
    },
  });
  const { call, apiUrl, installations } = await connectSlack({
    config,
    backend,
    http,
    onCall: sight.metrics.slackCalled,
    now,
    log,
  });
  const { find: findInstallation } = installations;
  const people = createPeople(call, findInstallation);
  const channels = createChannels(call, findInstallation);
  const parts: Parts = { config, backend, http, log, call, findInstallation, people, channels, now };
  const wake = (lane: string) => dispatcher.wake(lane);

  const identity = connectIdentity(parts, sight.metrics.tokenRefreshed);
  const runPorts = connectTurns(parts, identity, sight.tell);
  const running = createRunningTurns();
  announcements.listen('installation-changed', channels.forget);
  announcements.listen('turn-ended', running.abort);
  announcements.listen('person-changed', (person) => {
    const [workspace = '', user = ''] = person.split(':');
    people.forget(workspace, user);
  });

  const receiver = new SlackReceiver({ signingSecret: config.SLACK_SIGNING_SECRET, log, onAnswered: sight.answered });
  const app = createBoltApp({ receiver, findInstallation, apiUrl, log });
  const background = createBackgroundWork(log);
  const respond = createResponder({ http, apiUrl, log });
  const listenerPorts: ListenerPorts & AppUninstalledPorts = {
    respond,
    async accept(id, question) {
      const result = await acceptTurn(id, question, { ...store, wake, now });
      if (result === 'duplicate') sight.metrics.turnRepeated();
      return result;
    },
    async endTurn(id, stage) {
      const hasEnded = await store.turns.end(id, stage);
      announcements.announce('turn-ended', id);
      const turn = hasEnded ? await store.turns.get(id) : undefined;
      if (turn) wake(turn.lane);
      return hasEnded;
    },
    ...store,
    linkFlow: identity.linkFlow,
    findInstallation,
    uninstall: installations.uninstall,
    people,
    personChanged: (workspace, user) => announcements.announce('person-changed', `${workspace}:${user}`),
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    log,
  };
  const groupMembers = createGroupReader(app.client, findInstallation);
  registerListeners(app, listenerPorts, connectAdmin(parts, identity, { background, groupMembers, respond }));

  let isDraining = false;
  const lanePorts = {
    ...store,
    running,
    run: (turn: Turn, signal: AbortSignal, isHeld: () => boolean) => runTurn(turn, { ...runPorts, isHeld }, signal),
    isDraining: () => isDraining,
    now,
  };
  const sweep = createSweeper({
    turns: store.turns,
    isLinked: async (person) => Boolean((await store.links.get({ ...person, purpose: 'assistant' }))?.sealedTokens),
    wake,
    remind: dispatcher.remind,
    everyMs: backend.sweepEveryMs,
    forgetOld() {
      // Not waited for: a Slack that hangs must not keep the sweeper from its lanes.
      background.start(installations.review);
      return forgetOld(store, now());
    },
    now,
    log,
  });
  const server = await startPublicServer(config.PORT, {
    '/slack/events': (request, response) => receiver.handle(request, response),
    '/link/': (request, response) => identity.linkRoutes.handle(request, response),
    ...installations.routes,
    '/health': sight.health,
    '/ready': sight.readiness.handle,
  });
  // Only now: where the port is taken, no question must have been sent that nobody would see answered.
  dispatcher.start(
    (lane, isHeld) => (lane === SWEEPER_LANE ? sweep() : drainLane(lane, isHeld, lanePorts)),
    sight.laneEvent,
  );
  wake(SWEEPER_LANE);
  // What finds lost wake-ups must not hang on one itself.
  const reminder = setInterval(() => dispatcher.remind(SWEEPER_LANE), 3 * backend.sweepEveryMs);
  log.info({ port: server.port, opsPort: config.OPS_PORT }, 'started');

  return {
    port: server.port,
    async stop() {
      await sight.readiness.startDraining();
      isDraining = true;
      clearInterval(reminder);
      const deadlineMs = config.DRAIN_SECONDS * 1000;
      // At once: a lane that is left now would only begin here again.
      const drained = dispatcher.drain(deadlineMs);
      await server.close(INTAKE_GRACE_MS);
      const done = await Promise.all([drained, background.drain(deadlineMs)]);
      log.info({ isDone: done.every(Boolean) }, 'stopped');
      await sight.close();
      await http.close();
    },
  };
}

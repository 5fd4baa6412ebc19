import { acceptTurn } from '../conversation/accept-turn.ts';
import { createAnswerClicks } from '../slack/answer-clicks.ts';
import { createResponder, createSlackApp } from '../slack/bolt-app.ts';
import { encodeAudienceChange } from '../slack/channel-audience.ts';
import { createFeedbackChannel } from '../slack/feedback-channel.ts';
import { createIntake } from '../slack/intake.ts';
import { createIntakeWatch } from '../slack/intake-watch.ts';
import type { ListenerPorts } from '../slack/listeners/ports.ts';
import { registerListeners } from '../slack/listeners/register.ts';
import { answerRetired } from '../slack/listeners/retired.ts';
import type { AppUninstalledPorts } from '../slack/listeners/slack-events.ts';
import { createThreadReader } from '../slack/read-thread.ts';
import { createSignInClicks } from '../slack/sign-in-clicks.ts';
import { createGroupReader } from '../slack/user-groups.ts';
import { connectHome } from './connect-home.ts';
import { connectIntake } from './connect-intake.ts';
import type { Lanes } from './connect-lanes.ts';
import { countSignIns } from './connect-usage.ts';
import { later } from './later.ts';
import type { Services } from './services.ts';

const loadGovernance = () => import('./connect-governance.ts');

/** Everything that listens to Slack. Nothing arrives before the intake is started. */
export function connectListeners(services: Services, lanes: Pick<Lanes, 'reserve'>) {
  const { config, backend, call, findInstallation, messenger, telemetry, now, log } = services;
  const apps = createSlackApp(services);
  const clicks = createAnswerClicks({ ...services, respond: createResponder(services) });
  const { interactions } = apps;
  const groupMembers = createGroupReader(call, findInstallation);
  const governance = later(async () => {
    const { connectGovernance } = await loadGovernance();
    return connectGovernance(services, { groupMembers, clicks, interactions });
  });
  // Bolt looks up listeners after its middleware, so it also finds those added here.
  interactions.use(async ({ next }) => {
    await governance();
    await next();
  });
  const common = toListenerPorts(services, lanes);
  const home = connectHome(services, { endTurn: common.endTurn, governance });
  const place = config.FEEDBACK_CHANNEL;
  const reader = createThreadReader(services);
  const sendFeedback = place && createFeedbackChannel({ ...services, ...reader, place });
  const { once } = backend.store;
  const signInClicks = createSignInClicks({ ...services, clicks, once });
  const takeFile: ListenerPorts['takeFile'] = async (...file) => (await governance()).takeFile(...file);
  const ports = { ...common, ...home, ...reader, takeFile, clicks, signInClicks, sendFeedback, messenger };
  registerListeners(apps, ports);
  const watch = createIntakeWatch({ store: once, count: telemetry.metrics.slackRefused, now, log });
  const takeBody = createIntake({ app: interactions, log, answerRetired: (body) => answerRetired(body, ports), watch });
  const take: typeof takeBody = (body, resent) => {
    if ('event' in body) {
      telemetry.metrics.slackDelivered(String(body.team_id ?? body.enterprise_id));
      const sentAt = Number((body.event as { event_ts?: unknown } | null)?.event_ts) * 1000;
      // What is sent again says how long we were away.
      if (resent.retryNum === undefined && sentAt > 0) watch.delivered(sentAt);
    }
    return takeBody(body, resent);
  };
  const intake = connectIntake(services, { ...common, take, watch });
  return {
    intake,
    /** Loads the admin features. Interactions that arrive earlier wait for it. */
    governance,
    homeTab: home.homeTab,
    signInClicks,
  };
}

function toListenerPorts(
  services: Services,
  lanes: Pick<Lanes, 'reserve'>,
): Omit<ListenerPorts, 'clicks' | 'signInClicks' | 'sendFeedback' | 'takeFile'> & AppUninstalledPorts {
  const { config, backend, call, people, sessions, channelSettings, usage, findInstallation, now, log } = services;
  const { identity, leavers, scheduling, installations, background, telemetry } = services;
  const { store, dispatcher, announcements } = backend;
  const wake = (lane: string) => void dispatcher.wake(lane);
  return {
    async accept(id, question) {
      const result = await acceptTurn(id, question, { ...store, ...lanes, wake, now });
      if (result === 'duplicate') telemetry.metrics.turnRepeated();
      return result;
    },
    async endTurn(id, stage) {
      const hasEnded = await store.turns.end(id, stage);
      announcements.announce('turn-ended', id);
      const turn = hasEnded ? await store.turns.get(id) : undefined;
      if (turn) wake(turn.lane);
      return hasEnded;
    },
    clearSession: sessions.clear,
    ...store,
    linkFlow: countSignIns(identity.linkFlow, usage),
    scheduling,
    channelSettings: channelSettings.of,
    findInstallation,
    call,
    inBackground: (work) => background.start(work),
    uninstall: installations.uninstall,
    people,
    personChanged: (workspace, user) => announcements.announce('person-changed', `${workspace}:${user}`),
    personLeft: leavers.remove,
    channelChanged: (workspace, channel) => announcements.announce('channel-changed', `${workspace}:${channel}`),
    audienceChanged: (change) => announcements.announce('audience-changed', encodeAudienceChange(change)),
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    now,
    tell: telemetry.tell,
    countFeedback: usage.feedback,
    log,
  };
}

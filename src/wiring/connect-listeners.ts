import { acceptTurn } from '../conversation/accept-turn.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { Identity } from '../identity/identity.ts';
import type { Leavers } from '../identity/leavers.ts';
import { createAnswerClicks } from '../slack/answer-clicks.ts';
import { createBoltApps, createResponder } from '../slack/bolt-app.ts';
import { encodeAudienceChange } from '../slack/channel-audience.ts';
import { createFeedbackChannel } from '../slack/feedback-channel.ts';
import type { Installations } from '../slack/installations/installations.ts';
import { createIntake } from '../slack/intake.ts';
import { createIntakeWatch } from '../slack/intake-watch.ts';
import type { HomePorts } from '../slack/listeners/home.ts';
import type { ListenerPorts } from '../slack/listeners/message.ts';
import { registerListeners } from '../slack/listeners/register.ts';
import { answerRetired } from '../slack/listeners/retired.ts';
import type { AppUninstalledPorts } from '../slack/listeners/slack-events.ts';
import { createThreadReader } from '../slack/read-thread.ts';
import { createSignInClicks, type SignInClicks } from '../slack/sign-in-clicks.ts';
import { createGroupReader } from '../slack/user-groups.ts';
import type { Governance } from './connect-governance.ts';
import { connectHome } from './connect-home.ts';
import { connectIntake, type SlackIntake } from './connect-intake.ts';
import type { Telemetry } from './connect-telemetry.ts';
import { countSignIns } from './connect-usage.ts';
import { later } from './later.ts';
import type { Parts } from './parts.ts';

const loadGovernance = () => import('./connect-governance.ts');

export type Listeners = {
  intake: SlackIntake;
  /** Loads the admin features. Interactions that arrive earlier wait for it. */
  governance(): Promise<Governance>;
  homeTab: HomePorts['homeTab'];
  signInClicks: SignInClicks;
};

type Rest = {
  identity: Identity;
  leavers: Leavers;
  installations: Installations;
  background: BackgroundWork;
  telemetry: Telemetry;
  /** SLACK_API_URL with its slash at the end. */
  apiUrl: string;
};

/** Everything that listens to Slack. Nothing arrives before the intake is started. */
export function connectListeners(parts: Parts, rest: Rest): Listeners {
  const { http, log, findInstallation } = parts;
  const { identity, background, telemetry, apiUrl } = rest;
  const apps = createBoltApps({ findInstallation, http, apiUrl, log });
  const clicks = createAnswerClicks({ ...parts, respond: createResponder({ http, apiUrl, log }) });
  const { interactions } = apps;
  const groupMembers = createGroupReader(parts.call, findInstallation);
  const governance = later(async () => {
    const { connectGovernance } = await loadGovernance();
    return connectGovernance(parts, { identity, background, groupMembers, clicks, interactions });
  });
  // Bolt looks up listeners after its middleware, so it also finds those added here.
  interactions.use(async ({ next }) => {
    await governance();
    await next();
  });
  const common = toListenerPorts(parts, rest);
  const home = connectHome(parts, { identity, endTurn: common.endTurn, governance });
  const place = parts.config.FEEDBACK_CHANNEL;
  const feedbackChannel = place && createFeedbackChannel({ ...parts, ...createThreadReader(parts), place });
  const { once } = parts.backend.store;
  const signInClicks = createSignInClicks({ ...parts, clicks, once });
  const ports = { ...common, ...home, clicks, signInClicks, feedbackChannel, messenger: parts.messenger };
  registerListeners(apps, ports);
  const watch = createIntakeWatch({ store: once, count: telemetry.metrics.slackRefused, now: parts.now, log });
  const intake = createIntake({ apps, log, answerRetired: (body) => answerRetired(body, ports), watch });
  const take: typeof intake = (body, resent) => {
    if ('event' in body) telemetry.metrics.slackDelivered(String(body.team_id ?? body.enterprise_id));
    return intake(body, resent);
  };
  return { intake: connectIntake(parts, { take, watch, telemetry }), governance, homeTab: home.homeTab, signInClicks };
}

function toListenerPorts(
  { config, backend, log, call, people, sessions, rules, usage, findInstallation, now }: Parts,
  { identity, leavers, installations, background, telemetry }: Rest,
): Omit<ListenerPorts, 'clicks' | 'signInClicks' | 'feedbackChannel'> & AppUninstalledPorts {
  const { store, dispatcher, announcements } = backend;
  const wake = (lane: string) => dispatcher.wake(lane);
  return {
    async accept(id, question) {
      const result = await acceptTurn(id, question, { ...store, wake, now });
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
    pauseOf: rules.pauseOf,
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

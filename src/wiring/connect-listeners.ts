import { acceptTurn } from '../conversation/accept-turn.ts';
import { createPersonalData } from '../identity/personal-data.ts';
import { createAnswerClicks } from '../slack/answer-clicks.ts';
import { createResponder, createSlackApp, type SlackApp } from '../slack/bolt-app.ts';
import { encodeAudienceChange } from '../slack/channel-audience.ts';
import { createFeedbackChannel } from '../slack/feedback-channel.ts';
import { createHomeTab } from '../slack/home-tab.ts';
import { createIntake } from '../slack/intake.ts';
import { createIntakeWatch } from '../slack/intake-watch.ts';
import { registerAnswerButtons } from '../slack/listeners/answer-buttons.ts';
import { registerAskAbout } from '../slack/listeners/ask-about.ts';
import { registerAssistantCommand } from '../slack/listeners/assistant-command.ts';
import { registerAskEdited, registerChangedMessages } from '../slack/listeners/changed-messages.ts';
import { forgetFeedback, registerFeedback } from '../slack/listeners/feedback.ts';
import { registerHome } from '../slack/listeners/home.ts';
import { registerMessage } from '../slack/listeners/message.ts';
import { registerMyData } from '../slack/listeners/my-data.ts';
import type { ListenerPorts } from '../slack/listeners/ports.ts';
import { answerRetired } from '../slack/listeners/retired.ts';
import { registerSchedules } from '../slack/listeners/schedules.ts';
import { registerSignIn } from '../slack/listeners/sign-in.ts';
import { registerAppUninstalled, registerSlackEvents } from '../slack/listeners/slack-events.ts';
import { registerWebOff } from '../slack/listeners/web-off.ts';
import { createOnboarding } from '../slack/onboarding.ts';
import { createThreadReader } from '../slack/read-thread.ts';
import { createSignInClicks, type SignInClicks } from '../slack/sign-in-clicks.ts';
import type { Governance } from './connect-governance.ts';
import { connectIntake } from './connect-intake.ts';
import type { Lanes } from './connect-lanes.ts';
import { countSignIns } from './connect-usage.ts';
import { later } from './later.ts';
import type { Services } from './services.ts';

const loadGovernance = () => import('./connect-governance.ts');
const loadToolReply = () => import('../slack/slackbot/tool-reply.ts');

/** Everything that listens to Slack. Nothing arrives before the intake is started. */
export function connectListeners(services: Services, lanes: Pick<Lanes, 'reserve'>) {
  const { config, backend, telemetry, now, log } = services;
  const apps = createSlackApp(services);
  const clicks = createAnswerClicks({ ...services, respond: createResponder(services) });
  const { interactions } = apps;
  const governance = later(async () => {
    const { connectGovernance } = await loadGovernance();
    return connectGovernance(services, { clicks, interactions });
  });
  // Bolt looks up listeners after its middleware, so it also finds those added here.
  interactions.use(async ({ next }) => {
    await governance();
    await next();
  });
  const common = toListenerPorts(services, lanes);
  const { once } = backend.store;
  const signInClicks = createSignInClicks({ ...services, clicks, once });
  const home = connectHome(services, { endTurn: common.endTurn, governance, signInClicks });
  const place = config.FEEDBACK_CHANNEL;
  const reader = createThreadReader(services);
  const sendFeedback = place && createFeedbackChannel({ ...services, ...reader, place });
  const takeFile: ListenerPorts['takeFile'] = async (...file) => (await governance()).takeFile(...file);
  const ports = { ...common, ...home, ...reader, takeFile, clicks, signInClicks, sendFeedback };
  registerListeners(apps, ports);
  const watch = createIntakeWatch({ store: once, count: telemetry.metrics.slackRefused, now, log });
  const takeBody = createIntake({ app: interactions, log, answerRetired: (body) => answerRetired(body, ports), watch });
  const take: typeof takeBody = (body, resent) => {
    if ('event' in body) {
      telemetry.metrics.slackDelivered(String(body.team_id ?? body.enterprise_id));
      const sentAt = Number((body.event as { event_ts?: unknown } | null)?.event_ts) * 1000;
      // A repeated delivery would measure our outage, not Slack's delay.
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

/**
 * All listeners except those for administrators: see registerAdminListeners. The manifest subscribes to exactly these
 * events and commands.
 */
function registerListeners(apps: SlackApp, ports: ListenerPorts): void {
  const { events, interactions: app } = apps;
  registerMessage(events, ports);
  registerChangedMessages(events, ports);
  registerSlackEvents(events, ports);
  registerAppUninstalled(events, ports);
  registerAssistantCommand(app, ports);
  registerWebOff(app, ports);
  registerAskAbout(app, ports);
  registerAnswerButtons(app, ports);
  registerAskEdited(app, ports);
  registerFeedback(app, ports);
  registerSignIn(app, ports);
  registerHome(apps, ports);
  registerSchedules(app, ports);
  registerMyData(app, ports);
}

/** The ports that do not depend on other ports. */
type Common = Omit<
  ListenerPorts,
  'clicks' | 'signInClicks' | 'sendFeedback' | 'takeFile' | 'readQuestion' | 'homeTab' | 'onboarding' | 'personalData'
>;

function toListenerPorts(services: Services, lanes: Pick<Lanes, 'reserve'>): Common {
  const { config, backend, sessions, channelSettings, usage, now } = services;
  const { identity, leavers, installations, background, telemetry } = services;
  const { store, dispatcher, announcements } = backend;
  const wake = (lane: string) => void dispatcher.wake(lane);
  return {
    ...services,
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
    channelSettings: channelSettings.of,
    inBackground: (work) => background.start(work),
    uninstall: installations.uninstall,
    personChanged: (workspace, user) => announcements.announce('person-changed', `${workspace}:${user}`),
    personLeft: leavers.remove,
    channelChanged: (workspace, channel) => announcements.announce('channel-changed', `${workspace}:${channel}`),
    audienceChanged: (change) => announcements.announce('audience-changed', encodeAudienceChange(change)),
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    tell: telemetry.tell,
    countFeedback: usage.feedback,
  };
}

type Home = {
  endTurn: ListenerPorts['endTurn'];
  governance(): Promise<Governance>;
  signInClicks: Pick<SignInClicks, 'forget'>;
};

/** The home tab, the greeting of newcomers, and what people can do with their data. */
function connectHome(services: Services, { endTurn, governance, signInClicks }: Home) {
  const { config, identity, channelSettings, log } = services;
  const { store } = services.backend;
  const common = { ...services, ...store };
  const onboarding = createOnboarding(common);
  const homeTab = createHomeTab({
    ...common,
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    async capsOf(person) {
      const counted = await store.caps.listCounted(person);
      const caps = await Promise.all(
        counted.map(async (one) => {
          const { personCap: most } = await channelSettings.of({ ...one, audience: 'channel' });
          return most === undefined ? [] : [{ ...one, most }];
        }),
      );
      return caps.flat();
    },
    async adminBlocks(owner) {
      try {
        const { adminBlocks } = await governance();
        return await adminBlocks(owner);
      } catch (error) {
        log.info({ err: error }, 'home tab shown without the review');
        return [];
      }
    },
  });
  return {
    onboarding,
    homeTab,
    personalData: createPersonalData({
      ...common,
      unlink: (person) => identity.linkFlow.unlink(person),
      endTurn,
      async forgetTraces(person, turnIds) {
        await forgetFeedback(person, turnIds, store.once);
        const { forgetToolAnswers } = await loadToolReply();
        await forgetToolAnswers(turnIds, store);
        await signInClicks.forget(person);
        await onboarding.forget(person);
        // Once more without what is deleted: from then on nothing publishes it.
        await homeTab.refresh(person);
        await homeTab.forget(person);
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
  };
}

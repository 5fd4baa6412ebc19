import { acceptTurn } from '../conversation/accept-turn.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { Identity } from '../identity/identity.ts';
import { createAnswerClicks } from '../slack/answer-clicks.ts';
import { createBoltApps, createResponder } from '../slack/bolt-app.ts';
import type { Installations } from '../slack/installations/installations.ts';
import { createIntakeWatch } from '../slack/intake-watch.ts';
import type { ListenerPorts } from '../slack/listeners/message.ts';
import { registerListeners } from '../slack/listeners/register.ts';
import { answerRetired } from '../slack/listeners/retired.ts';
import type { AppUninstalledPorts } from '../slack/listeners/slack-events.ts';
import { SlackReceiver } from '../slack/receiver.ts';
import { createGroupReader } from '../slack/user-groups.ts';
import type { Governance } from './connect-governance.ts';
import type { Telemetry } from './connect-telemetry.ts';
import { later } from './later.ts';
import type { Parts } from './parts.ts';

const loadGovernance = () => import('./connect-governance.ts');

export type Listeners = {
  receiver: SlackReceiver;
  /** Loads the admin features. Interactions that arrive earlier wait for it. */
  governance(): Promise<Governance>;
};

type Rest = {
  identity: Identity;
  installations: Installations;
  background: BackgroundWork;
  telemetry: Telemetry;
  /** SLACK_API_URL with its slash at the end. */
  apiUrl: string;
};

/** Everything that listens to Slack. Nothing arrives before the receiver gets requests. */
export function connectListeners(parts: Parts, rest: Rest): Listeners {
  const { config, http, log, findInstallation } = parts;
  const { identity, background, telemetry, apiUrl } = rest;
  const apps = createBoltApps({ findInstallation, apiUrl, log });
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
  const ports = { ...toListenerPorts(parts, rest), clicks };
  registerListeners(apps, ports);
  const { once } = parts.backend.store;
  const watch = createIntakeWatch({ store: once, count: telemetry.metrics.slackRefused, now: parts.now, log });
  const receiver = new SlackReceiver({
    signingSecret: config.SLACK_SIGNING_SECRET,
    apps,
    log,
    answerRetired: (body) => answerRetired(body, ports),
    onAnswered: telemetry.answered,
    watch,
  });
  return { receiver, governance };
}

function toListenerPorts(
  { config, backend, log, call, people, sessions, findInstallation, now }: Parts,
  { identity, installations, background, telemetry }: Rest,
): Omit<ListenerPorts, 'clicks'> & AppUninstalledPorts {
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
    linkFlow: identity.linkFlow,
    findInstallation,
    call,
    inBackground: (work) => background.start(work),
    uninstall: installations.uninstall,
    people,
    personChanged: (workspace, user) => announcements.announce('person-changed', `${workspace}:${user}`),
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    log,
  };
}

import type { Backend } from '../backend/backend.ts';
import type { Config } from '../config.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { RunningTurns } from '../delivery/lane.ts';
import type { ScheduledQuestions } from '../delivery/scheduled-questions.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Identity } from '../identity/identity.ts';
import type { Leavers } from '../identity/leavers.ts';
import { type ChannelSettingsReader, createChannelSettings } from '../policy/channel-settings.ts';
import { applyAudienceChange } from '../slack/channel-audience.ts';
import type { Installations } from '../slack/installations/installations.ts';
import type { SlackServices } from '../slack/services.ts';
import type { CallWithToken } from '../slack/web/methods.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';
import type { Telemetry } from './connect-telemetry.ts';

/** The parts of the app. app.ts makes each of them once, and each file of wiring takes from here what it connects. */
export type Services = Omit<SlackServices, 'turns' | 'links' | 'once'> & {
  config: Config;
  backend: Backend;
  http: HttpClient;
  telemetry: Telemetry;
  background: BackgroundWork;
  running: RunningTurns;
  /** See createWaitClock. */
  waitClock(): number;
  callWithToken: CallWithToken;
  installations: Installations;
  /** What administrators have set for questions. */
  channelSettings: ChannelSettingsReader;
  usage: UsageCounter;
  identity: Identity;
  leavers: Leavers;
  scheduling: ScheduledQuestions;
};

/** What administrators have set for questions, kept in memory. */
export function connectRules({
  backend: { store },
  now,
}: Pick<Services, 'backend' | 'now'>): Pick<Services, 'channelSettings'> {
  return { channelSettings: createChannelSettings({ policy: store.policy, now }) };
}

/** Clears caches and aborts runs when a replica announces that they are outdated. */
export function listenToReplicas(services: Services): void {
  const { backend, channels, audience, people, channelSettings, usage, running } = services;
  const { announcements } = backend;
  announcements.listen('installation-changed', (workspace) => {
    usage.forget(workspace);
    channels.forget();
    audience.forget();
  });
  announcements.listen('policy-changed', channelSettings.forget);
  announcements.listen('audience-changed', (change) => applyAudienceChange(change, audience));
  announcements.listen('turn-ended', running.abort);
  announcements.listen('person-changed', (person) => {
    const [workspace = '', user = ''] = person.split(':');
    people.forget(workspace, user);
  });
  announcements.listen('channel-changed', (place) => {
    const [workspace = '', channel = ''] = place.split(':');
    channels.forgetLook(workspace, channel);
  });
}

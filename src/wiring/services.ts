import type { Backend } from '../backend/backend.ts';
import type { Config } from '../config.ts';
import type { RuleReader } from '../conversation/question-rules.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { RunningTurns } from '../delivery/lane.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Identity } from '../identity/identity.ts';
import type { Leavers } from '../identity/leavers.ts';
import { applyAudienceChange } from '../slack/channel-audience.ts';
import type { Installations } from '../slack/installations/installations.ts';
import type { SlackServices } from '../slack/services.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';
import type { Telemetry } from './connect-telemetry.ts';

/** What the app consists of. Each is made once, in app.ts, and each file of wiring takes what it connects from here. */
export type Services = Omit<SlackServices, 'turns' | 'links' | 'once'> & {
  config: Config;
  backend: Backend;
  http: HttpClient;
  telemetry: Telemetry;
  background: BackgroundWork;
  running: RunningTurns;
  installations: Installations;
  /** What administrators have set for questions. */
  rules: RuleReader;
  usage: UsageCounter;
  identity: Identity;
  leavers: Leavers;
};

/** Clears caches and aborts runs when a replica announces that they are outdated. */
export function listenToReplicas({ backend, channels, audience, people, rules, usage, running }: Services): void {
  const { announcements } = backend;
  announcements.listen('installation-changed', (workspace) => {
    rules.forget(workspace);
    usage.forget(workspace);
    channels.forget();
    audience.forget();
  });
  announcements.listen('rules-changed', rules.forget);
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

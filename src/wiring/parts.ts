import type { Backend } from '../backend/backend.ts';
import type { Config } from '../config.ts';
import type { RuleReader } from '../conversation/question-rules.ts';
import type { RunningTurns } from '../delivery/lane.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import type { AgentSessions } from '../slack/agent-sessions.ts';
import { applyAudienceChange, type ChannelAudience } from '../slack/channel-audience.ts';
import type { Channels } from '../slack/channels.ts';
import type { FindInstallation } from '../slack/installation.ts';
import type { Messenger } from '../slack/messenger.ts';
import type { People } from '../slack/people.ts';
import type { CallSlack } from '../slack/web/methods.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';

/** The parts that most of the app uses. */
export type Parts = {
  config: Config;
  backend: Backend;
  http: HttpClient;
  log: Log;
  call: CallSlack;
  findInstallation: FindInstallation;
  people: People;
  channels: Channels;
  audience: ChannelAudience;
  messenger: Messenger;
  sessions: AgentSessions;
  /** What administrators have set for questions. */
  rules: RuleReader;
  usage: UsageCounter;
  now(): number;
};

/** Clears caches and aborts runs when a replica announces that they are outdated. */
export function listenToReplicas(
  { backend, channels, audience, people, rules, usage }: Parts,
  running: RunningTurns,
): void {
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

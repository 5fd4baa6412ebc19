import type { Backend } from '../backend/backend.ts';
import type { Config } from '../config.ts';
import type { RunningTurns } from '../delivery/lane.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import type { AgentSessions } from '../slack/agent-sessions.ts';
import type { Channels } from '../slack/channels.ts';
import type { FindInstallation } from '../slack/installation.ts';
import type { Messenger } from '../slack/messenger.ts';
import type { People } from '../slack/people.ts';
import type { CallSlack } from '../slack/web/methods.ts';

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
  messenger: Messenger;
  sessions: AgentSessions;
  now(): number;
};

/** Clears caches and aborts runs when a replica announces that they are outdated. */
export function listenToReplicas({ backend, channels, people }: Parts, running: RunningTurns): void {
  const { announcements } = backend;
  announcements.listen('installation-changed', channels.forget);
  announcements.listen('turn-ended', running.abort);
  announcements.listen('person-changed', (person) => {
    const [workspace = '', user = ''] = person.split(':');
    people.forget(workspace, user);
  });
}

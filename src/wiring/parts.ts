import type { Backend } from '../backend.ts';
import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import type { AgentSessions } from '../slack/agent-sessions.ts';
import type { Channels } from '../slack/channels.ts';
import type { FindInstallation } from '../slack/installation.ts';
import type { People } from '../slack/people.ts';
import type { SlackCaller } from '../slack/slack-caller.ts';

/** What most of the app is connected to. */
export type Parts = {
  config: Config;
  backend: Backend;
  http: HttpClient;
  log: Log;
  call: SlackCaller;
  findInstallation: FindInstallation;
  people: People;
  channels: Channels;
  sessions: AgentSessions;
  now(): number;
};

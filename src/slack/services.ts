import type { TurnStore } from '../conversation/stores.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { ClaimStore, LinkStore } from '../identity/account-link.ts';
import type { Log } from '../log.ts';
import type { AgentSessions } from './agent-sessions.ts';
import type { ChannelAudience } from './channel-audience.ts';
import type { Channels } from './channels.ts';
import type { FindInstallation } from './installation.ts';
import type { Messenger } from './messenger.ts';
import type { People } from './people.ts';
import type { Groups } from './user-groups.ts';
import type { CallSlack } from './web/methods.ts';

/** The services of the Slack side, each created once. Users name the ones they need: `Uses<'call' | 'log'>`. */
export type SlackServices = {
  http: Pick<HttpClient, 'send'>;
  /** SLACK_API_URL with a slash at the end. */
  apiUrl: string;
  call: CallSlack;
  findInstallation: FindInstallation;
  people: People;
  channels: Channels;
  groups: Groups;
  audience: ChannelAudience;
  messenger: Messenger;
  sessions: AgentSessions;
  turns: Pick<TurnStore, 'get'>;
  links: Pick<LinkStore, 'get'>;
  once: ClaimStore;
  now(): number;
  log: Log;
};

export type Uses<Name extends keyof SlackServices> = Pick<SlackServices, Name>;

/** What the parts of the sandbox share. Each team is a world; all of one Slack share what is not a team's own. */
import type { Delivery } from './delivery.ts';
import type { Events } from './events.ts';
import type { FaultSource } from './faults.ts';
import type { Install, Installs } from './installs.ts';
import type { LedgerWriter } from './ledger.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Registration } from './registration.ts';
import type { ResponseUrls, Triggers } from './response-urls.ts';
import type { Signal } from './signal.ts';
import type { SocketMode } from './socket-mode/socket-mode.ts';
import type { Views } from './views.ts';
import type { Warning } from './warnings.ts';
import type { Workspace } from './workspace.ts';

export type Credentials = {
  signingSecret: string;
  botToken: string;
  clientId: string;
  clientSecret: string;
  appToken: string;
};

export type World = {
  /** Empty until the server listens. */
  readonly url: string;
  /** All teams of this Slack, the first one first. */
  teams(): readonly World[];
  readonly installs: Installs;
  /** Through which installation the app is in this team: its own, else its organisation's. */
  install(): Install | undefined;
  readonly credentials: Credentials;
  readonly registration: Registration;
  readonly workspace: Workspace;
  readonly ledger: LedgerWriter;
  readonly faults: FaultSource;
  readonly rateLimits: RateLimits;
  readonly changed: Signal;
  readonly views: Views;
  readonly warnings: Warning[];
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly delivery: Delivery;
  readonly socketMode: SocketMode;
  readonly events: Events;
  /** Whether the app gets events about its own messages, as in Slack. */
  readonly echoOwnMessages: boolean;
};

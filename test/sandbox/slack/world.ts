/** What the parts of the sandbox share. Each team is a world; all of one Slack share what is not a team's own. */
import type { Delivery } from './delivery.ts';
import type { Events } from './events.ts';
import type { FaultSource } from './faults.ts';
import type { Install, Installs } from './installs.ts';
import type { LedgerWriter } from './ledger.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Signal } from './signal.ts';
import type { SocketMode } from './socket-mode/socket-mode.ts';
import type { Triggers } from './triggers.ts';
import type { Views } from './views.ts';
import type { Warning } from './warnings.ts';
import type { Workspace } from './workspace.ts';

/** What people see of a manifest's `features`. */
type Features = {
  bot_user?: { display_name: string };
  slash_commands?: { command: string; description?: string; usage_hint?: string }[];
  shortcuts?: { name: string; type: string; callback_id: string }[];
  agent_view?: { suggested_prompts?: { title: string; message: string }[] };
};

export type Registration = {
  eventsUrl: string | undefined;
  /** Where options are asked for: 'events' is the same address; undefined: nowhere. */
  optionsUrl: string | 'events' | undefined;
  scopes: Set<string>;
  /** Event names as in a manifest, for example `message.im`. */
  events: Set<string>;
  /** Undefined: every command, or shortcut, is taken for registered. */
  commands: Set<string> | undefined;
  shortcuts: Set<string> | undefined;
  /** As the manifest has them; empty without one. */
  features: Features;
  /** The server that Slackbot is a client of, where the manifest has one: its only one, by its address. */
  mcpServer: { url: string; authType: string } | undefined;
  /** Where browsers may be sent back to, or below it; undefined: anywhere on loopback. */
  redirectUrls: readonly string[] | undefined;
  /** Whether it is declared as an agent (`agent_view`), and so has sessions. */
  isAgent: boolean;
  /** Whether its home tab is enabled. */
  hasHomeTab: boolean;
  /** Whether it may be installed for a whole organisation. */
  isOrgReady: boolean;
  /** Whether it uses Socket Mode: then nothing is posted to `eventsUrl`. */
  isSocketMode: boolean;
  /** Whether its tokens rotate: those of installations from now on. */
  isRotating: boolean;
  /** How long such a token lives. */
  tokenLifeSeconds: number;
};

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
  /** How long every Web API call takes at least. */
  readonly latencyMs: number;
  /** Whether the app gets events about its own messages, as in Slack. */
  readonly echoOwnMessages: boolean;
};

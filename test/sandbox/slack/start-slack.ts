/** A strict local stand-in for Slack. See README.md in this folder. */

import { readLiveParts } from './blocks/live-parts.ts';
import type { Link } from './blocks/markup.ts';
import { createShared } from './create-world.ts';
import type { DeliverOptions, DeliveryResult, RetrySchedule } from './delivery.ts';
import { createNames, describeWorld, renderThread } from './describe-world.ts';
import type { Faults } from './faults.ts';
import { createPost } from './http-post.ts';
import { createSlackServer, listen, stop } from './http-server.ts';
import type { Ledger, LedgerMode } from './ledger.ts';
import { createOAuth } from './oauth/oauth.ts';
import { createOpenId, type OpenIdSettings } from './openid/openid.ts';
import type { ReadingLimit } from './rate-limits.ts';
import type { Json, Message, View } from './records.ts';
import { applyManifest } from './registration.ts';
import { renderMessage, renderView } from './render-message.ts';
import { createTeamControls, type SandboxTeam } from './sandbox-team.ts';
import type { Signal } from './signal.ts';
import { createConnectionMethods } from './socket-mode/connection-methods.ts';
import type { SocketModeControls } from './socket-mode/socket-mode.ts';
import { type UntilOptions, until } from './until.ts';
import type { Enterprise, Team } from './workspace.ts';
import type { Credentials, Registration, World } from './world.ts';

export type SlackOptions = {
  /** A free one unless told otherwise. */
  port?: number;
  /** How the app knows it, where something in between leads there. */
  url?: string;
  /** How long every Web API call takes at least. */
  latencyMs?: number;
  /** People and channels to begin with (true). */
  seedWorld?: boolean;
  /** Whether the app is installed in the first team from the beginning (true). */
  isInstalled?: boolean;
  rateLimits?: 'off' | 'documented';
  /** How much of its history the app may read, where that is less than `rateLimits` say; see DISTRIBUTED_READING. */
  reading?: ReadingLimit;
  /** The app's bot scopes; `connectApp` with a manifest replaces them. */
  scopes?: Iterable<string>;
  /** When an event is sent again: three quick retries unless told otherwise; `documented` is Slack's schedule. */
  retry?: RetrySchedule;
  /** How long the app has to acknowledge: Slack's 3 s. */
  ackTimeoutMs?: number;
  /** `off` keeps nothing, for benchmarks; `{ keep }` the latest records only. */
  ledger?: LedgerMode;
  /** Whether Sign in with Slack skips its consent page. */
  autoAllow?: boolean;
  /** Whether the app gets events about its own messages, as in Slack (true). */
  echoOwnMessages?: boolean;
  /** Secrets, where they have to be known before the start. */
  credentials?: Partial<Credentials>;
};

/** The Slack as a whole, and its first team. */
export type SandboxSlack = Credentials &
  SandboxTeam & {
    /** `http://127.0.0.1:<port>`, unless it was given another address. */
    readonly url: string;
    /** `<url>/api/` */
    readonly apiUrl: string;
    readonly appId: string;
    readonly botUserId: string;
    readonly botId: string;
    /** Mentions the app: `<@U…>`, in every team. */
    readonly mention: string;
    readonly ledger: Ledger;
    readonly faults: Faults;
    /** Scopes, events, commands and shortcuts; may be changed at any time. */
    readonly registration: Registration;
    readonly openId: OpenIdSettings;
    /** The app's connections, where it uses Socket Mode: with a manifest that says so, or `registration.isSocketMode`. */
    readonly socketMode: SocketModeControls;
    /** Says that something may look different to somebody. */
    readonly changed: Signal;
    /** One more team, with the same people and channels under the same ids, and without the app. */
    addTeam(team: { id: string; name?: string; enterprise?: Enterprise }): SandboxTeam;
    /** Where events, commands and interactions are posted; a manifest registers exactly what it names. */
    connectApp(eventsUrl: string, manifest?: Json): void;
    /** Posts any payload to the app: duplicated, unsigned, stale, malformed. A text is sent as it is. */
    deliver(payload: Json | string, options?: DeliverOptions): Promise<DeliveryResult>;
    /** What Slack does when a request URL is saved; answers whether the app gave the challenge back. */
    verifyUrl(): Promise<boolean>;
    until<T>(predicate: () => T, options?: UntilOptions): Promise<NonNullable<Exclude<T, false | 0 | ''>>>;
    /** What everybody sees, and the last traffic, as text. */
    describe(): string;
    /** With people's and channels' names. */
    render(shown: Message | View): string;
    /** The thread as this person of the first team sees it, with who wrote what, and the status line. */
    renderThread(userId: string, channel: string, threadTs: string): string;
    /** The links in a message that a click would follow. */
    links(message: Message): Link[];
    close(): Promise<void>;
  };

const TEAM: Team = { id: 'T0001', name: 'Acme', domain: 'acme' };

export async function startSlack(options: SlackOptions = {}): Promise<SandboxSlack> {
  const post = createPost();
  const shared = createShared(options, post);
  const world = shared.addTeam(TEAM);
  if (options.isInstalled !== false)
    shared.installs.add({ id: TEAM.id, isEnterprise: false }, shared.credentials.botToken);
  const openId: OpenIdSettings = { redirectUrls: new Set(), autoAllow: options.autoAllow ?? false };
  const server = createSlackServer(world, [
    createOpenId(world, openId),
    createOAuth(world),
    createConnectionMethods(world),
  ]);
  const url = await listen(server, options.port ?? 0);
  shared.url = options.url ?? url;
  return {
    ...parts(world),
    addTeam: (team) => createTeamControls(shared.addTeam({ domain: team.id.toLowerCase(), name: team.id, ...team })),
    openId,
    async close() {
      world.delivery.close();
      world.socketMode.close();
      post.close();
      await stop(server);
    },
  };
}

function parts(world: World): Omit<SandboxSlack, 'addTeam' | 'openId' | 'close'> {
  const names = createNames(world.workspace);
  const { app } = world.workspace;
  const describe = () => world.teams().map(describeWorld).join('\n');
  return {
    ...world.credentials,
    ...app,
    ...createTeamControls(world),
    url: world.url,
    apiUrl: `${world.url}/api/`,
    mention: `<@${app.botUserId}>`,
    ledger: world.ledger,
    faults: world.faults,
    registration: world.registration,
    socketMode: world.socketMode,
    changed: world.changed,
    connectApp(eventsUrl, manifest) {
      world.registration.eventsUrl = eventsUrl;
      if (manifest) applyManifest(world.registration, manifest);
    },
    deliver: (payload, options = {}) => world.delivery.send(describePayload(payload, options)),
    verifyUrl: () => verifyUrl(world),
    until: (predicate, options) => until(predicate, world.changed, describe, options),
    describe,
    renderThread: (userId, channel, threadTs) => renderThread(world, userId, { channel, threadTs }),
    links: (message) => readLiveParts(message).links,
    render: (shown) => ('ts' in shown ? renderMessage(shown, names) : renderView(shown, names)),
  };
}

async function verifyUrl(world: World): Promise<boolean> {
  if (world.registration.isSocketMode) return false;
  const challenge = world.workspace.identifiers.secret();
  const payload = { token: 'sandbox-verification-token', challenge, type: 'url_verification' };
  const sent = await world.delivery.send({
    kind: 'url_verification',
    type: payload.type,
    payloadId: challenge,
    payload,
  });
  return sent.ok && sent.body.includes(challenge);
}

function describePayload(payload: Json | string, options: DeliverOptions) {
  const kind = options.kind ?? (typeof payload === 'string' ? 'raw' : 'event');
  if (typeof payload === 'string') return { kind, type: 'raw', payloadId: '', payload, options };
  const event = payload.event as Json | undefined;
  const type = String(event?.type ?? payload.command ?? payload.type);
  return { kind, type, payloadId: String(payload.event_id ?? payload.trigger_id ?? ''), payload, options };
}

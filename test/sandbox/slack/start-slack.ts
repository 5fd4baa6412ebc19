/** A strict local stand-in for Slack. See README.md in this folder. */
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { readLiveParts } from './blocks/markup.ts';
import { createShared } from './create-world.ts';
import type { DeliverOptions, RetrySchedule } from './delivery.ts';
import { createNames, describeWorld } from './describe-world.ts';
import type { Faults } from './faults.ts';
import { createPost } from './http-post.ts';
import { createSlackHandler } from './http-server.ts';
import type { Ledger, LedgerMode } from './ledger.ts';
import { createOAuth } from './oauth/oauth.ts';
import { createOpenId, type OpenIdSettings } from './openid/openid.ts';
import type { ReadingLimit } from './rate-limits.ts';
import type { Json, Message, View } from './records.ts';
import { applyManifest } from './registration.ts';
import { renderMessage, renderView } from './render-message.ts';
import { createTeamControls } from './sandbox-team.ts';
import { createConnectionMethods, type SocketModeControls } from './socket-mode/socket-mode.ts';
import { type UntilOptions, until } from './until.ts';
import type { Enterprise, Team } from './workspace.ts';
import type { Credentials, World } from './world.ts';

export type SlackOptions = {
  /** A free one unless told otherwise. */
  port?: number;
  /** How the app knows it, where something in between leads there. */
  url?: string;
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
export type SandboxSlack = Awaited<ReturnType<typeof startSlack>>;

const TEAM: Team = { id: 'T0001', name: 'Acme', domain: 'acme' };

export async function startSlack(options: SlackOptions = {}) {
  const post = createPost();
  const shared = createShared(options, post);
  const world = shared.addTeam(TEAM);
  if (options.isInstalled !== false)
    shared.installs.add({ id: TEAM.id, isEnterprise: false }, shared.credentials.botToken);
  const openId: OpenIdSettings = { redirectUrls: new Set(), autoAllow: options.autoAllow ?? false };
  const pages = [createOpenId(world, openId), createOAuth(world), createConnectionMethods(world)];
  const server = await startLoopbackServer(createSlackHandler(world, pages), options.port, world.socketMode.upgrade);
  shared.url = options.url ?? server.url;
  const names = createNames(world.workspace);
  const { app } = world.workspace;
  const describe = () => world.teams().map(describeWorld).join('\n');
  return {
    ...world.credentials,
    ...app,
    ...createTeamControls(world),
    /** `http://127.0.0.1:<port>`, unless it was given another address. */
    url: world.url,
    /** `<url>/api/` */
    apiUrl: `${world.url}/api/`,
    /** Mentions the app: `<@U…>`, in every team. */
    mention: `<@${app.botUserId}>`,
    ledger: world.ledger as Ledger,
    faults: world.faults as Faults,
    /** Scopes, events, commands and shortcuts; may be changed at any time. */
    registration: world.registration,
    openId,
    /** The app's connections, where it uses Socket Mode: with a manifest that says so, or `registration.isSocketMode`. */
    socketMode: world.socketMode as SocketModeControls,
    /** Says that something may look different to somebody. */
    changed: world.changed,
    /** One more team, with the same people and channels under the same ids, and without the app. */
    addTeam: (team: { id: string; name?: string; enterprise?: Enterprise }) =>
      createTeamControls(shared.addTeam({ domain: team.id.toLowerCase(), name: team.id, ...team })),
    /** Where events, commands and interactions are posted; a manifest registers exactly what it names. */
    connectApp(eventsUrl: string, manifest?: Json): void {
      world.registration.eventsUrl = eventsUrl;
      if (manifest) applyManifest(world.registration, manifest);
    },
    /** Posts any payload to the app: duplicated, unsigned, stale, malformed. A text is sent as it is. */
    deliver: (payload: Json | string, options: DeliverOptions = {}) =>
      world.delivery.send(describePayload(payload, options)),
    /** What Slack does when a request URL is saved; answers whether the app gave the challenge back. */
    verifyUrl: () => verifyUrl(world),
    until: <T>(predicate: () => T, options?: UntilOptions) => until(predicate, world.changed, describe, options),
    /** What everybody sees, and the last traffic, as text. */
    describe,
    /** With people's and channels' names. */
    render: (shown: Message | View) => ('ts' in shown ? renderMessage(shown, names) : renderView(shown, names)),
    /** The links in a message that a click would follow. */
    links: (message: Message) => readLiveParts(message).links,
    async close(): Promise<void> {
      world.delivery.close();
      world.socketMode.close();
      post.close();
      await server.close();
    },
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

/** A strict local stand-in for Slack. See README.md in this folder. */

import { readLiveParts } from './blocks/live-parts.ts';
import type { Link } from './blocks/markup.ts';
import type { DeliverOptions, DeliveryResult, RetrySchedule } from './delivery.ts';
import { createDelivery } from './delivery.ts';
import { createNames, describeWorld, renderThread } from './describe-world.ts';
import { createEvents, type EventOptions } from './events.ts';
import { createFaults, type Faults } from './faults.ts';
import { createPost } from './http-post.ts';
import { createSlackServer, listen, stop } from './http-server.ts';
import { createLedger, type Ledger, type LedgerMode } from './ledger.ts';
import { createOpenId, type OpenIdSettings } from './openid/openid.ts';
import { createPerson, type Person } from './people/person.ts';
import { createRateLimits } from './rate-limits.ts';
import type { Json, Message, View } from './records.ts';
import { applyManifest, createRegistration } from './registration.ts';
import { renderMessage, renderView } from './render-message.ts';
import { createResponseUrls } from './response-urls.ts';
import { seedWorld } from './seeds.ts';
import { createSignal, type Signal } from './signal.ts';
import { createTriggers } from './triggers.ts';
import { type UntilOptions, until } from './until.ts';
import { createViews } from './views.ts';
import { createWorkspace, type Workspace } from './workspace.ts';
import type { Credentials, Registration, World } from './world.ts';

export type SlackOptions = {
  /** A free one unless told otherwise. */
  port?: number;
  /** How long every Web API call takes at least. */
  latencyMs?: number;
  /** People and channels to begin with (true). */
  seedWorld?: boolean;
  rateLimits?: 'off' | 'documented';
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

export type SandboxSlack = Credentials & {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `<url>/api/` */
  readonly apiUrl: string;
  readonly teamId: string;
  readonly appId: string;
  readonly botUserId: string;
  readonly botId: string;
  /** Mentions the app: `<@U…>`. */
  readonly mention: string;
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly faults: Faults;
  /** Scopes, events, commands and shortcuts; may be changed at any time. */
  readonly registration: Registration;
  readonly openId: OpenIdSettings;
  /** Where events, commands and interactions are posted; a manifest registers exactly what it names. */
  connectApp(eventsUrl: string, manifest?: Json): void;
  as(userId: string): Person;
  /** Posts any payload to the app: duplicated, unsigned, stale, malformed. A text is sent as it is. */
  deliver(payload: Json | string, options?: DeliverOptions): Promise<DeliveryResult>;
  /** Sends any event in a fresh envelope, if the app subscribed to it. */
  emit(event: Json & { type: string }, options?: EventOptions): Promise<DeliveryResult[]>;
  /** What Slack does when a request URL is saved; answers whether the app gave the challenge back. */
  verifyUrl(): Promise<boolean>;
  until<T>(predicate: () => T, options?: UntilOptions): Promise<NonNullable<Exclude<T, false | 0 | ''>>>;
  /** What everybody sees, and the last traffic, as text. */
  describe(): string;
  /** With people's and channels' names. */
  render(shown: Message | View): string;
  /** The thread as this person sees it, with who wrote what, and the status line. */
  renderThread(userId: string, channel: string, threadTs: string): string;
  /** The links in a message that a click would follow. */
  links(message: Message): Link[];
  close(): Promise<void>;
};

const APP = { appId: 'A0BRIDGE', botUserId: 'U0BRIDGE', botId: 'B0BRIDGE', teamId: 'T0001' };
const TEAM = { id: APP.teamId, name: 'Acme', domain: 'acme' };
const QUICK_RETRIES_MS = [0, 100, 300];
const CREDENTIALS: Credentials = {
  signingSecret: 'sandbox-signing-secret',
  botToken: 'xoxb-sandbox-bot-token',
  clientId: '1000.2000',
  clientSecret: 'sandbox-client-secret',
};

export async function startSlack(options: SlackOptions = {}): Promise<SandboxSlack> {
  const post = createPost();
  const world = createWorld(options, post);
  const openId: OpenIdSettings = { redirectUrls: new Set(), autoAllow: options.autoAllow ?? false };
  const server = createSlackServer(world, createOpenId(world, openId));
  world.url = await listen(server, options.port ?? 0);
  return {
    ...parts(world),
    openId,
    async close() {
      world.delivery.close();
      post.close();
      await stop(server);
    },
  };
}

function createFilledWorkspace(options: SlackOptions, changed: Signal): Workspace {
  const workspace = createWorkspace(TEAM, APP, changed);
  workspace.addUser({
    id: APP.botUserId,
    name: 'bridge',
    realName: 'Assistant Bridge',
    isBot: true,
    appId: APP.appId,
    botId: APP.botId,
  });
  if (options.seedWorld !== false) seedWorld(workspace);
  return workspace;
}

function createWorld(options: SlackOptions, post: ReturnType<typeof createPost>): World {
  const changed = createSignal();
  const workspace = createFilledWorkspace(options, changed);
  const credentials = { ...CREDENTIALS, ...options.credentials };
  const registration = createRegistration(options.scopes);
  const ledger = createLedger(options.ledger ?? 'on', changed);
  const delivery = createDelivery({
    eventsUrl: () => registration.eventsUrl,
    signingSecret: credentials.signingSecret,
    ackTimeoutMs: options.ackTimeoutMs ?? 3_000,
    retry: options.retry ?? QUICK_RETRIES_MS,
    ledger,
    post,
  });
  const events = createEvents(workspace, registration, delivery);
  workspace.onUserChanged((user) => void events.userChanged(user));
  const world: World = {
    url: '',
    credentials,
    registration,
    workspace,
    ledger,
    faults: createFaults(),
    rateLimits: createRateLimits(options.rateLimits ?? 'off'),
    changed,
    views: createViews(changed),
    triggers: createTriggers(workspace.identifiers),
    responseUrls: createResponseUrls(() => world),
    delivery,
    events,
    latencyMs: options.latencyMs ?? 0,
    echoOwnMessages: options.echoOwnMessages ?? true,
  };
  return world;
}

function parts(world: World): Omit<SandboxSlack, 'openId' | 'close'> {
  const names = createNames(world.workspace);
  const people = new Map<string, Person>();
  return {
    ...world.credentials,
    ...APP,
    url: world.url,
    apiUrl: `${world.url}/api/`,
    mention: `<@${APP.botUserId}>`,
    workspace: world.workspace,
    ledger: world.ledger,
    faults: world.faults,
    registration: world.registration,
    connectApp(eventsUrl, manifest) {
      world.registration.eventsUrl = eventsUrl;
      if (manifest) applyManifest(world.registration, manifest);
    },
    as(userId) {
      const person = people.get(userId) ?? createPerson(world, world.workspace.user(userId).id);
      people.set(userId, person);
      return person;
    },
    deliver: (payload, options = {}) => world.delivery.send(describePayload(payload, options)),
    emit: (event, options) => world.events.emit(event, options),
    verifyUrl: () => verifyUrl(world),
    until: (predicate, options) => until(predicate, world.changed, () => describeWorld(world), options),
    describe: () => describeWorld(world),
    renderThread: (userId, channel, threadTs) => renderThread(world, userId, { channel, threadTs }),
    links: (message) => readLiveParts(message).links,
    render: (shown) => ('ts' in shown ? renderMessage(shown, names) : renderView(shown, names)),
  };
}

async function verifyUrl(world: World): Promise<boolean> {
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

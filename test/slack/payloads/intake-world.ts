// The real receiver and the real listeners, all of them, on a real store in memory. Only Slack's Web API is a stand-in,
// which takes every call. Questions are written down and not asked: what is looked at is what a payload becomes.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { listen, stop } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Backend } from '../../../src/backend/backend.ts';
import type { ReplyMode } from '../../../src/conversation/channel-settings.ts';
import type { Question } from '../../../src/conversation/question.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { createWaitClock } from '../../../src/conversation/waits.ts';
import { createLocalAnnouncements, type Topic } from '../../../src/delivery/announcements.ts';
import { type BackgroundWork, createBackgroundWork } from '../../../src/delivery/background-work.ts';
import { createRunningTurns } from '../../../src/delivery/lane.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createHttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createAgentSessions } from '../../../src/slack/agent-sessions.ts';
import { createChannelAudience } from '../../../src/slack/channel-audience.ts';
import { createChannels } from '../../../src/slack/channels.ts';
import { type Installation, UnknownWorkspaceError } from '../../../src/slack/installation.ts';
import type { Installations } from '../../../src/slack/installations/installations.ts';
import { createMessenger } from '../../../src/slack/messenger.ts';
import { createPeople } from '../../../src/slack/people.ts';
import { createGroups } from '../../../src/slack/user-groups.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { connectIdentity } from '../../../src/wiring/connect-identity.ts';
import { connectScheduling } from '../../../src/wiring/connect-lanes.ts';
import { connectListeners } from '../../../src/wiring/connect-listeners.ts';
import { connectTelemetry } from '../../../src/wiring/connect-telemetry.ts';
import { connectUsage } from '../../../src/wiring/connect-usage.ts';
import { connectRules, type Services } from '../../../src/wiring/services.ts';
import { aConfig } from '../../a-config.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const SECRET = '0123456789abcdef0123456789abcdef';

/** Shortly after the messages of the payloads. */
const NOW = 1_795_000_100_000;

/** Channels whose messages the app answers in another way than usual. In C0DARK nobody can tell. */
const REPLY_MODES: Record<string, ReplyMode> = { C0ALL: 'all', C0FEW: 'mentions' };

/** What one payload became. */
type Seen = {
  status: number;
  /** The acknowledgement, where it says anything. */
  reply: string;
  /** In order, a word or two for each thing that happened; nothing at all is `[]`. */
  effects: string[];
  /** Written down by this payload, the first time. */
  questions: Question[];
  /** Lines of the log from `warn` upwards. */
  complaints: string[];
};

export type IntakeWorld = {
  deliver(body: Json, headers?: Record<string, string>): Promise<Seen>;
  /** Forgets what was written down. */
  reset(): void;
  /** Ends the question that was written down last, with this result. */
  end(result: string): Promise<void>;
  close(): Promise<void>;
};

/** A workspace of its own, a workspace of a Grid organisation, and a whole organisation. */
const INSTALLED: Record<string, Installation> = Object.fromEntries(
  [
    { workspace: 'T0ACME', team: 'T0ACME' },
    { workspace: 'T0GRID', team: 'E0ORG' },
    { workspace: 'E0WIDE', team: 'E0WIDE' },
  ].map((place) => [
    place.workspace,
    { ...place, botToken: `xoxb-${place.workspace}`, botId: 'B0BRIDGE', botUserId: 'U0BRIDGE' },
  ]),
);

export async function startIntakeWorld(): Promise<IntakeWorld> {
  const seen = createNotes();
  const log = createLog('warn', { write: (line: string) => void seen.complaints.push(line.trim()) });
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/response/')) return void intake.routes['/slack/events']?.(request, response);
    seen.effects.push('response_url');
    response.end('ok');
  });
  const url = await listen(server, 0);
  const apiUrl = `${url}/api/`;
  const { background, idle } = watchBackground(log);
  let store = createStore(seen);
  const backend = createBackend(
    seen,
    follow(() => store),
  );
  const parts = await createParts(seen, { log, apiUrl, background, backend });
  const identity = connectIdentity(parts, {
    onRefresh: () => undefined,
    onSignIn: () => undefined,
    onChanged: () => undefined,
    settleClick: async () => undefined,
    takeWaiting: async () => [],
  });
  const leavers: Services['leavers'] = {
    ...NO_LEAVERS,
    async remove({ user }) {
      seen.effects.push(`left ${user}`);
    },
  };
  const known = { ...parts, identity, leavers };
  const services: Services = { ...known, scheduling: connectScheduling(known) };
  const { intake, governance } = connectListeners(services, { reserve: () => undefined });
  await governance();
  return {
    async deliver(given, headers = {}) {
      seen.clear();
      const body = 'response_url' in given ? { ...given, response_url: `${url}/response/1` } : given;
      const isForm = !('event' in body) && body.type !== 'app_rate_limited';
      const sent = isForm ? toForm(body) : JSON.stringify(body);
      const response = await fetch(url, {
        method: 'POST',
        body: sent,
        headers: { ...sign(sent, isForm), ...headers },
      });
      const reply = await response.text();
      await idle();
      return { status: response.status, reply, ...seen.copy() };
    },
    reset() {
      store = createStore(seen);
      seen.last = undefined;
    },
    async end(result) {
      if (seen.last) await parts.backend.store.turns.save({ ...seen.last, stage: 'done', result });
    },
    async close() {
      await stop(server);
      await parts.http.close();
    },
  };
}

const NO_LEAVERS = { sweep: async () => undefined, remove: async () => undefined } as unknown as Services['leavers'];

type Notes = Pick<Seen, 'effects' | 'questions' | 'complaints'> & {
  /** The turn of the question that was written down last. */
  last: Turn | undefined;
  clear(): void;
  copy(): Pick<Seen, 'effects' | 'questions' | 'complaints'>;
};

function createNotes(): Notes {
  const notes: Notes = {
    effects: [],
    questions: [],
    complaints: [],
    last: undefined,
    clear() {
      for (const list of [notes.effects, notes.questions, notes.complaints]) list.length = 0;
    },
    copy: () => ({
      effects: [...notes.effects],
      questions: [...notes.questions],
      complaints: [...notes.complaints],
    }),
  };
  return notes;
}

type Given = Pick<Services, 'log' | 'apiUrl' | 'background' | 'backend'>;

async function createParts(seen: Notes, given: Given): Promise<Omit<Services, 'identity' | 'leavers' | 'scheduling'>> {
  const { log, apiUrl, backend } = given;
  const config = aConfig({
    ...{ SLACK_SIGNING_SECRET: SECRET, SLACK_BOT_TOKEN: 'xoxb-T0ACME', SLACK_API_URL: apiUrl, OPS_PORT: '0' },
    ...{ ADMIN_API_BASE_URL: 'https://admin.example', ADMIN_SCOPE: 'admin', ADMIN_USERS: 'U0KIM' },
    ADMIN_AGENT_ID_PROPERTY: 'botId',
  });
  const http = createHttpClient();
  const call = createCall(seen);
  const findInstallation = async (workspace: string, enterprise = '') => {
    const found = INSTALLED[workspace] ?? INSTALLED[enterprise];
    if (!found) throw new UnknownWorkspaceError(workspace);
    return found;
  };
  const people = createPeople(call, findInstallation);
  const channels = createChannels(call);
  const groups = createGroups(call);
  const slack = { call, findInstallation, log, now: () => NOW };
  const { channelSettings } = connectRules({ backend, now: slack.now });
  return {
    ...slack,
    channelSettings: {
      ...channelSettings,
      async of(place) {
        if (place.channel === 'C0DARK') throw new StoreUnavailableError('away');
        return { ...(await channelSettings.of(place)), reply: REPLY_MODES[place.channel] ?? 'threads' };
      },
    },
    ...given,
    telemetry: await connectTelemetry(config, backend.store),
    running: createRunningTurns(),
    waitClock: createWaitClock(),
    installations: {
      async uninstall({ workspace, isUninstalled, isLastTry }) {
        const end = isUninstalled ? 'uninstalled' : isUninstalled === false ? 'revoked' : 'checked';
        seen.effects.push(`${end} ${workspace}${end !== 'checked' && isLastTry ? ' for the last time' : ''}`);
        return 'uninstalled';
      },
    } as Installations,
    usage: connectUsage({ ...slack, config, backend }),
    config,
    http,
    callWithToken: call as never,
    people,
    channels,
    groups,
    audience: createChannelAudience({ ...slack, channels }),
    messenger: createMessenger({ ...slack, channels }),
    sessions: createAgentSessions({ ...slack, people, channels, groups }),
  };
}

/** What is current at each call. */
function follow<T extends object>(current: () => T): T {
  return new Proxy(current(), {
    get(_, name) {
      const read = () => Reflect.get(current() as object, name);
      if (typeof read() === 'function') return (...given: unknown[]) => read()(...given);
      return typeof read() === 'object' ? follow(read) : read();
    },
  });
}

function createStore(seen: Notes): Backend['store'] {
  const store = createMemoryStore(() => NOW);
  return {
    ...store,
    turns: {
      ...store.turns,
      async accept(...args) {
        const [turn] = args;
        const result = await store.turns.accept(...args);
        seen.effects.push(result === 'new' ? 'question' : 'known question');
        if (result !== 'new') return result;
        seen.questions.push(turn.question);
        seen.last = turn;
        return result;
      },
      async revise(id, content) {
        const isRevised = await store.turns.revise(id, content);
        if (isRevised) seen.effects.push('revised question');
        return isRevised;
      },
      async end(id, stage) {
        const hasEnded = await store.turns.end(id, stage);
        if (hasEnded) seen.effects.push(stage);
        return hasEnded;
      },
    },
  };
}

function createBackend(seen: Notes, store: Backend['store']): Backend {
  const announcements = createLocalAnnouncements();
  return {
    store,
    announcements: {
      ...announcements,
      announce(topic: Topic, message: string) {
        if (topic !== 'turn-ended') seen.effects.push(`${topic} ${message}`);
        announcements.announce(topic, message);
      },
    },
    // Nothing runs: what was written down stays as it is.
    dispatcher: { wake: async () => undefined } as unknown as Backend['dispatcher'],
    buckets: createMemoryBuckets(() => performance.now()),
    withLock: undefined,
    sweepEveryMs: 60_000,
    keepsWakeUps: false,
    lookEveryMs: 60_000,
    gone: new Promise(() => undefined),
    close: () => store.close(),
  };
}

/** Slack takes everything; what is shown to somebody is noted, what is only looked up is not. */
function createCall(seen: Notes): CallSlack {
  return (async (method: string, _token: string, args: Json) => {
    if (!/^(?:users|conversations|auth|usergroups)\./.test(method)) seen.effects.push(method);
    if (method === 'users.info') {
      return {
        ok: true,
        user: { id: args.user, team_id: 'T0ACME', name: 'ana', real_name: 'Ana', tz: 'Europe/Berlin' },
      };
    }
    if (method === 'conversations.open') return { ok: true, channel: { id: 'D0ANA' } };
    if (method.startsWith('views.')) return { ok: true, view: { id: 'V0OPEN' } };
    return { ok: true, ts: '1795000000.000900', channel: args.channel, channels: [], messages: [], members: [] };
  }) as unknown as CallSlack;
}

function toForm(body: Json): string {
  const isCommand = 'command' in body;
  return new URLSearchParams(
    isCommand ? (body as Record<string, string>) : { payload: JSON.stringify(body) },
  ).toString();
}

function sign(body: string, isForm: boolean): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex');
  return {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${digest}`,
  };
}

/** The app's own, and a way to wait until all that went on after the acknowledgement is done. */
function watchBackground(log: Services['log']) {
  const inner = createBackgroundWork(log);
  const running = new Set<Promise<void>>();
  const background: BackgroundWork = {
    ...inner,
    start: (work) =>
      inner.start(() => {
        const run: Promise<void> = work().finally(() => running.delete(run));
        running.add(run);
        return run;
      }),
  };
  const idle = async () => {
    // What does not belong to it, such as the end of a session, takes a turn or two of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    while (running.size > 0) await Promise.allSettled(running);
  };
  return { background, idle };
}

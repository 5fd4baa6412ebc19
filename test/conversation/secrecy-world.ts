// A small world, moved by a seed: people ask in threads about messages of private channels, and everything goes wrong. The
// service is as bad as can be: it repeats all that it was ever told in a conversation, however that ended.
import { useFakeTimers } from 'sinon';
import type { AskCall } from '../../src/assistant/assistant-client.ts';
import {
  AssistantForbiddenError,
  AssistantOutcomeUnknownError,
  AssistantRefusedError,
  AssistantThrottledError,
  AssistantUnauthorizedError,
  ConversationBusyError,
  ConversationGoneError,
} from '../../src/assistant/assistant-errors.ts';
import { FenceLostError, type RunPorts } from '../../src/conversation/run.ts';
import { runTurn } from '../../src/conversation/run-turn.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { createQuote } from '../../src/slack/quotes/quoting.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { createRandom } from '../faults/random.ts';
import { only } from '../slack/only.ts';
import { anAnswer, startHarness } from './run-harness.ts';

const PEOPLE = ['UANA', 'UBEN', 'UKIM'];
const GUEST = 'UGUEST';

/** Each private channel has one message, with a word that nobody else may read. */
const PRIVATE = ['C0RED', 'C0BLUE'];
const PUBLIC = 'C0NEWS';
const MEMBERS: Record<string, readonly string[]> = {
  C0RED: ['UANA', 'UBEN'],
  C0BLUE: ['UANA', 'UKIM'],
  [PUBLIC]: PEOPLE,
  C0HALL: PEOPLE,
  C0YARD: PEOPLE,
};

/** Where people ask: in two threads of channels that all of them read, one of a private channel, and in direct messages. */
const PLACES = ['C0HALL', 'C0HALL', 'C0YARD', 'C0RED', 'direct'];

const TS = '1700000000.000100';
const secretOf = (channel: string) => `secret of ${channel}`;
const linkTo = (channel: string) => `https://acme.slack.com/archives/${channel}/p${TS.replace('.', '')}`;

const toDirect = (user: string) => `D0${user}`;

/** What was seen over all seeds, so that a world in which nothing happens is noticed. */
export type Seen = { inPublic: number; secretsInPrivate: number; kills: number; faults: number; unknown: number };

/** Plays one seed. Resolves with what somebody read and should not have; empty: nothing. */
export async function playSeed(seed: number, seen: Seen): Promise<string[]> {
  const random = createRandom(seed);
  const harness = startHarness();
  const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const leaks: string[] = [];
  const said: { channel: string; ts: string; user: string; text: string }[] = [];
  /** What a conversation was told, and whose it is. */
  const told = new Map<string, { owner: string; secrets: Set<string> }>();
  /** The channels that the guest reads. */
  const open = new Set<string>();
  let count = 0;

  const readersOf = (channel: string): readonly string[] => {
    if (channel.startsWith('D')) return [channel.slice(2)];
    return [...(MEMBERS[channel] ?? []), ...(open.has(channel) ? [GUEST] : [])];
  };

  function read(channel: string, text: string): void {
    const secrets = PRIVATE.filter((one) => text.includes(secretOf(one)));
    for (const secret of secrets) {
      const strangers = readersOf(channel).filter((user) => !MEMBERS[secret]?.includes(user));
      if (strangers.length > 0) leaks.push(`seed ${seed}: ${strangers} read the ${secretOf(secret)} in ${channel}`);
    }
    if (open.has(channel) && /^(?:answer,|and more)/.test(text)) leaks.push(`seed ${seed}: a guest read ${text}`);
    if (!channel.startsWith('D')) seen.inPublic += 1;
    else if (secrets.length > 0) seen.secretsInPrivate += 1;
  }

  /** Slack, as far as it is asked what goes along. */
  const slack: CallSlack = async (method, _token, args): Promise<never> => {
    const { channel, ts } = args as { channel: string; ts?: string };
    if (method === 'conversations.members') return { members: [...(MEMBERS[channel] ?? []), 'UBOT'] } as never;
    if (ts === TS) return { messages: [{ ts, user: 'UANA', text: secretOf(channel) }] } as never;
    const shown = harness.shown.map((one) => ({ ...one, user: 'UBOT', bot_id: 'B1', text: one.words, blocks: [] }));
    return { messages: [...said, ...shown].filter((one) => one.channel === channel) } as never;
  };

  const service: RunPorts['assistant'] = {
    async createConversation({ person }) {
      const id = `conversation ${told.size + 1}`;
      told.set(id, { owner: person, secrets: new Set() });
      return { id };
    },
    async ask(call) {
      const conversation = told.get(call.conversationId);
      if (!conversation) throw new Error('no such conversation');
      if (conversation.owner !== call.person && random.chance(0.5)) {
        throw new AssistantForbiddenError('other', undefined, {});
      }
      for (const one of PRIVATE) if (call.text.includes(secretOf(one))) conversation.secrets.add(secretOf(one));
      const all = [`answer, ${[...conversation.secrets]}`, 'and more'].join('|');
      await meanwhile();
      if (random.chance(0.45)) throw fail(all, call);
      return { ...anAnswer(all), partial: random.chance(0.2), disengaged: random.chance(0.05) };
    },
  };

  function fail(all: string, { reused }: AskCall): Error {
    seen.faults += 1;
    return random.pick([
      new AssistantOutcomeUnknownError('service_error'),
      new AssistantOutcomeUnknownError('reset'),
      new AssistantForbiddenError('licence', all, {}),
      new AssistantThrottledError(1_000, {}),
      new AssistantRefusedError('question_too_long', {}),
      new AssistantUnauthorizedError({}),
      new ConversationBusyError({}),
      reused ? new ConversationGoneError({}) : new AssistantOutcomeUnknownError('ended'),
    ]);
  }

  function moveGuest(): void {
    const channel = random.pick(['C0HALL', 'C0YARD']);
    if (!open.delete(channel)) open.add(channel);
  }

  /** What people do while a question is being asked. */
  async function meanwhile(): Promise<void> {
    if (random.chance(0.1)) moveGuest();
    const lanes = await openLanes();
    if (!random.chance(0.25) || lanes.length === 0) return;
    const turn = await harness.store.turns.head(random.pick(lanes));
    if (turn) await harness.store.turns.end(turn.id, random.pick(['stopped', 'cancelled']));
  }

  /** A process: every call may be its last, before or after it has done something; then it hangs for ever, or for a while. */
  function startProcess() {
    let die = () => {};
    const death = new Promise<void>((resolve) => {
      die = resolve;
    });
    let thaw = () => {};
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    let isAlive = true;
    const risk = random.chance(0.4) ? 0.03 : 0;

    async function mayDie(): Promise<void> {
      if (isAlive && random.chance(risk)) {
        seen.kills += 1;
        isAlive = false;
        die();
      }
      if (!isAlive) await thawed;
    }
    const risky =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        await mayDie();
        const result = await call(...args);
        await mayDie();
        return result;
      };

    const { reply, store } = harness;
    const ports: RunPorts = {
      ...harness.ports,
      turns: { ...store.turns, save: risky(store.turns.save), accept: risky(store.turns.accept) },
      threads: { ...store.threads, conversation: risky(store.threads.conversation) },
      assistant: { createConversation: risky(service.createConversation), ask: risky(service.ask) },
      reply: {
        ...reply,
        compose: async (turn) => composeAll(turn),
        create: risky(async (message, key) => {
          if (!isAlive) throw new FenceLostError(key.turnId);
          read(message.channel, String(message.content));
          return reply.create(message, key);
        }),
        edit: risky(async (message, ts, key) => {
          read(message.channel, String(message.content));
          return reply.edit(message, ts, key);
        }),
      },
      isHeld: () => isAlive,
      rules: async () => ({ isRefused: false, isPrivate: random.chance(0.1), isWebOff: false }),
      access: async () => ({ accessToken: 'token', isPrivate: random.chance(0.1) }),
      async audience({ channel }) {
        const isGuestThere = readersOf(channel).includes(GUEST);
        // Slack does not always say in time who reads a channel, and does not say less of those with guests.
        if (random.chance(isGuestThere ? 0.5 : 0.1)) {
          seen.unknown += 1;
          return 'unknown';
        }
        return isGuestThere ? 'guests' : 'members';
      },
      privateChannel: async ({ asker }) => toDirect(asker.user),
      readQuestion: async ({ messageTs }) => {
        const text = said.find(({ ts }) => ts === messageTs)?.text ?? '';
        return { text, webSearch: true, links: [], unusable: [], isByAsker: true, isFollowed: false };
      },
      quote: createQuote({
        call: risky(slack),
        findInstallation: async () => ({ workspace: 'T1', team: 'T1', botToken: 't', botId: 'B1', botUserId: 'UBOT' }),
        people: only({ known: () => undefined, profile: async () => Promise.reject(new Error('nobody knows')) }),
        channels: only({
          directMessage: async (_workspace, user) => toDirect(user),
          look: async (_workspace, channel) => ({
            isShared: false,
            isMember: true,
            isPublic: !PRIVATE.includes(channel),
          }),
        }),
        groups: only({ handles: async () => new Map() }),
        http: { send: async () => Promise.reject(new Error('nothing is downloaded')) },
        apiUrl: 'https://slack.example/api',
        turns: store.turns,
        passesOn: async () => true,
        log: harness.ports.log,
      }),
    };
    return { ports, death, thaw, isAlive: () => isAlive };
  }

  let running = startProcess();
  const dead: { thaw(): void; run: Promise<unknown> }[] = [];

  /** Fake time passes only where nothing else happens: the app waits for what it may have posted. */
  async function settle(work: Promise<unknown>): Promise<void> {
    let isSettled = false;
    const end = () => {
      isSettled = true;
    };
    work.then(end, end);
    for (let round = 1; !isSettled; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (round % 100 === 0) timers.tick(3_000);
    }
  }

  async function runHead(lane: string): Promise<void> {
    const taken = await harness.store.turns.takeHead(lane, Number.MAX_SAFE_INTEGER);
    if (!taken) return;
    const { ports, death } = running;
    const run = runTurn(taken.turn, ports, new AbortController().signal);
    await settle(Promise.race([run, death]));
    harness.pass(5_000);
    if (running.isAlive()) return void (await run);
    dead.push({ thaw: running.thaw, run });
    running = startProcess();
  }

  async function ask(): Promise<void> {
    const user = random.pick(PEOPLE);
    const place = random.pick(PLACES);
    const channel = place === 'direct' ? toDirect(user) : place;
    const audience = place === 'direct' ? ('person' as const) : ('channel' as const);
    if (audience === 'channel' && !MEMBERS[channel]?.includes(user)) return;
    const linked = random.chance(0.45) ? [random.pick([...PRIVATE, PUBLIC])] : [];
    const ts = `200.${String(++count).padStart(6, '0')}`;
    const text = ['and?', ...linked.map(linkTo)].join(' ');
    said.push({ channel, ts, user, text });
    const question = { asker: { team: 'T1', user }, channel, audience, threadTs: '100.1', startsThread: false };
    const isAskedAgain = random.chance(0.15);
    await harness.accept({ ...question, messageTs: ts, text: isAskedAgain ? '' : text, isAskedAgain }, `turn ${count}`);
    if (!random.chance(0.1)) return;
    const other = { text: 'something else', webSearch: true, links: [], unusable: [] };
    await harness.store.turns.revise(`turn ${count}`, other);
  }

  const openLanes = () => harness.store.turns.dueLanes(Number.MAX_SAFE_INTEGER);

  async function drain(): Promise<void> {
    for (const lane of await openLanes()) await runHead(lane);
  }

  try {
    for (let step = 0; step < 14; step++) {
      if (random.chance(0.6)) await ask();
      if (random.chance(0.1)) moveGuest();
      if (random.chance(0.8)) await drain();
      // What stood still goes on, after others have taken over.
      if (random.chance(0.2)) await thaw();
    }
    for (let round = 0; round < 30 && (await openLanes()).length > 0; round++) await drain();
    await thaw();
  } finally {
    timers.restore();
  }
  return leaks;

  async function thaw(): Promise<void> {
    for (const one of dead.splice(0)) {
      one.thaw();
      await settle(one.run);
    }
  }
}

/** All that a reply says, also what the service says as it refuses. */
function composeAll({ question, outcome }: Turn) {
  const { channel, threadTs } = question;
  if (outcome?.kind === 'notice') return [{ channel, threadTs, content: `${outcome.code} ${outcome.detail ?? ''}` }];
  if (outcome?.kind !== 'answer') return [];
  const place = outcome.privateChannel ?? channel;
  return outcome.text.split('|').map((content) => ({ channel: place, threadTs, content }));
}

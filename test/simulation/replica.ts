// One process of the app: the real conversation, delivery, identity and reply code, connected as wiring/ does it, to a
// simulated world.
import type { App } from '@slack/bolt';
import { AssistantStoppedError } from '../../src/assistant/assistant-errors.ts';
import { createExpiring } from '../../src/backend/expiring.ts';
import { acceptTurn } from '../../src/conversation/accept-turn.ts';
import type { Question } from '../../src/conversation/question.ts';
import type { RunPorts } from '../../src/conversation/run.ts';
import { runTurn } from '../../src/conversation/run-turn.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { createWaitClock } from '../../src/conversation/waits.ts';
import { FAILED_RUN_MS } from '../../src/delivery/dispatcher.ts';
import { createInProcessDispatcher } from '../../src/delivery/in-process-dispatcher.ts';
import { createRunningTurns, drainLane } from '../../src/delivery/lane.ts';
import { createShares } from '../../src/delivery/shares.ts';
import { createSweeper } from '../../src/delivery/sweeper.ts';
import { createAccessTokens } from '../../src/identity/access-token.ts';
import { createLinks } from '../../src/identity/account-link.ts';
import { createAgentSessions } from '../../src/slack/agent-sessions.ts';
import { createAdmission, createChannels } from '../../src/slack/channels.ts';
import { registerChangedMessages } from '../../src/slack/listeners/changed-messages.ts';
import { registerMessage } from '../../src/slack/listeners/message.ts';
import type { ListenerPorts } from '../../src/slack/listeners/ports.ts';
import { createMessenger } from '../../src/slack/messenger.ts';
import { createPeople } from '../../src/slack/people.ts';
import { createSignInPrompts } from '../../src/slack/sign-in-prompts.ts';
import { createSlackReply } from '../../src/slack/slack-reply.ts';
import { createGroups } from '../../src/slack/user-groups.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { RUN_LANE } from '../../src/wiring/later.ts';
import { type Administration, createAdministration } from './administration.ts';
import { IN_DOUBT, providerDown, REFUSALS } from './service-machine.ts';
import { createSharedDispatcher } from './shared-dispatcher.ts';
import { BOT, INSTALLATION, TEAM } from './slack-machine.ts';
import { VAULT } from './stand-ins.ts';
import type { Owner } from './virtual-time.ts';
import type { World } from './world.ts';

export type Replica = {
  owner: Owner;
  /** An event of Slack's. Resolves once it is acknowledged; rejects where Slack has to send it again. */
  deliver(event: object, retryNum: number): Promise<void>;
  /** Somebody presses *Stop*. */
  stopTurn(id: string): Promise<unknown>;
  /** After a sign-in. */
  unpark(user: string): Promise<void>;
  administration: Administration;
  sweep(): Promise<unknown>;
  wake(lane: string): void;
  abort(turnId: string): void;
};

const REMIND_EVERY_MS = 30_000;
const LOOK_EVERY_MS = 2_500;
const LOOK_ALONE_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 15_000;

/** Starts it as `owner`, whose timers and calls end with it. */
export function startReplica(owner: Owner, world: World): Replica {
  return world.time.as(owner, () => build(owner, world));
}

function build(owner: Owner, world: World): Replica {
  const { network, store, time, random, log } = world;
  const now = time.wall;
  const waitClock = createWaitClock(now, time.now);
  const turns = overNetwork(store.turns, network.store);
  const threads = overNetwork(store.threads, network.store);
  const kernel = overNetwork(world.kernel, network.store);
  const once = createExpiring(kernel);
  const links = createLinks(kernel);
  const call = ((method, _token, args) =>
    network.slack(method, () => world.slack.apply(method, args as Record<string, unknown>))) as CallSlack;
  const findInstallation = async () => INSTALLATION;
  const people = createPeople(call, findInstallation);
  const channels = createChannels(call);
  const groups = createGroups(call);
  const messenger = createMessenger({ call, findInstallation, channels });
  const sessions = createAgentSessions({ call, people, channels, groups, log });
  const prompts = createSignInPrompts({ once, turns, now });
  const reply = createSlackReply({
    call,
    findInstallation,
    people,
    channels,
    groups,
    messenger,
    sessions,
    prompts,
    now,
    log,
  });
  const running = createRunningTurns();

  const tokens = createAccessTokens({
    links,
    vault: VAULT,
    refresh: async (_purpose, refreshToken) => {
      if (random.chance(world.weather().providerDown)) throw providerDown();
      return network.call(() => world.service.refresh(refreshToken, owner), random.between(20, 200));
    },
    withLock: world.isShared ? world.withLock : undefined,
    random: random.next,
    log,
    now,
  });

  const dispatcher = world.isShared
    ? createSharedDispatcher(overNetwork(store.leases, network.store), world)
    : createInProcessDispatcher(log, now);
  const wake = (lane: string, at?: number) => void dispatcher.wake(lane, at);
  const shares = createShares(wake);

  const ports: Omit<RunPorts, 'isHeld'> = {
    turns,
    threads,
    reply,
    assistant: {
      createConversation: async (request) => {
        if (random.chance(world.weather().serviceRefuses)) throw random.pick(REFUSALS)();
        return network.call(() => world.service.create(request), random.between(20, 200));
      },
      async ask(request) {
        const tookMs = random.between(100, 4_000);
        const answer = await network.call(() => {
          if (random.chance(world.weather().serviceRefuses)) throw random.pick(REFUSALS)();
          const begun = world.service.begin(request, () => owner.isDead);
          // The service goes on, whatever becomes of who asked.
          time.at(time.now() + tookMs, begun.end);
          return begun.answer;
        }, 1);
        if (request.signal?.aborted) throw new AssistantStoppedError({ cause: request.signal.reason });
        request.onBegin?.();
        const isGrowing = request.onProgress && random.chance(0.5);
        for (let share = 1; isGrowing && share < 4; share += 1) {
          await time.sleep(tookMs / 4);
          request.onProgress?.(() => answer.slice(0, (answer.length * share) / 4));
        }
        await time.sleep(isGrowing ? tookMs / 4 : tookMs);
        if (request.signal?.aborted) throw new AssistantStoppedError({ cause: request.signal.reason });
        if (random.chance(world.weather().serviceInDoubt)) throw random.pick(IN_DOUBT)();
        await network.mayDie();
        return { text: answer, sources: [], turnCount: 1, disengaged: false, partial: false, sensitivity: undefined };
      },
    },
    admit: createAdmission(people, channels),
    rules: async () => ({ isRefused: false, isPrivate: false, isWebOff: false }),
    checkCaps: async () => undefined,
    async access({ asker }) {
      const { accessToken } = await tokens.accessFor({ ...asker, purpose: 'assistant' });
      return { accessToken, isPrivate: false };
    },
    renewToken: (person, rejected) => tokens.renew({ ...person, purpose: 'assistant' }, rejected),
    assistantPausedMs: () => 0,
    audience: async () => 'members',
    privateChannel: async ({ asker }) => `D${asker.user}`,
    timeZone: async () => 'Europe/Berlin',
    askerName: () => undefined,
    language: async () => 'en',
    quote: async ({ text, unusable }) => ({
      secrecy: SECRECY.none,
      compose: async () => ({ text, own: text, links: [], unusable, details: {} }),
    }),
    readQuestion: async () => undefined,
    readShared: async () => [],
    fileRules: { allowedHosts: [] },
    tell: () => undefined,
    count: () => undefined,
    wake: (lane) => wake(lane),
    now,
    waitClock,
    log,
  };
  const lanePorts = {
    ...{ turns, running, shares, waitClock },
    suspects: createShares(wake, 1),
    run: (turn: Turn, signal: AbortSignal, isHeld: () => boolean) => runTurn(turn, { ...ports, isHeld }, signal),
    holder: dispatcher.holder,
    isDraining: () => false,
  };
  const administration = createAdministration(world, kernel, dispatcher);
  void dispatcher.start(async (lane, isHeld, taken) => {
    if (lane === RUN_LANE) return administration.run(isHeld);
    const waitMs = await drainLane(lane, isHeld, lanePorts, taken);
    return waitMs === undefined ? undefined : now() + waitMs;
  });
  wake(RUN_LANE);
  setInterval(() => dispatcher.remind(RUN_LANE), REMIND_EVERY_MS);

  /** As in connect-lanes.ts: what waits in a process alone has to name its time again after a start. */
  async function look(at: number): Promise<boolean> {
    const due = await turns.dueLanes(at, dispatcher.holder()).catch(() => undefined);
    for (const lane of due ?? []) if (!shares.isWaiting(lane)) dispatcher.remind(lane);
    return due !== undefined;
  }
  setInterval(() => void look(waitClock()), world.isShared ? LOOK_EVERY_MS : LOOK_ALONE_EVERY_MS);
  const lookFirst = async () => {
    while (!(await look(world.isShared ? waitClock() : Number.MAX_SAFE_INTEGER))) await time.sleep(FAILED_RUN_MS);
  };
  void lookFirst();

  const sweepOnce = createSweeper({
    turns,
    async isLinked(person) {
      const link = await links.get({ ...person, purpose: 'assistant' });
      return Boolean(link?.sealedTokens);
    },
    wake: (lane) => wake(lane),
    everyMs: SWEEP_EVERY_MS,
    lookForLeavers: () => undefined,
    forgetOld: async () => 0,
    now,
    log,
  });
  const sweep = () => sweepOnce().catch(() => undefined);
  setInterval(() => void sweep(), SWEEP_EVERY_MS);

  async function endTurn(id: string, stage: 'stopped' | 'cancelled'): Promise<boolean> {
    const hasEnded = await turns.end(id, stage);
    world.announceEnd(id);
    const turn = hasEnded ? await turns.get(id) : undefined;
    if (turn) wake(turn.lane);
    return hasEnded;
  }

  const handlers: ((event: { event: object; body: object; context: object }) => Promise<void>)[] = [];
  const app = {
    event: (_type: string, handler: (typeof handlers)[number]) => handlers.push(handler),
  } as unknown as App;
  const listening = {
    accept: (id: string, question: Question) =>
      acceptTurn(id, question, { turns, reserve: dispatcher.reserve, wake, now }),
    takeFile: async () => false,
    endTurn,
    ...{ turns, threads, links, once, people, call, now, findInstallation, log },
    clearSession: sessions.clear,
    channelSettings: async () => ({ reply: 'threads' as const }),
    inBackground: (work: () => Promise<void>) => void work().catch((err: unknown) => log.error({ err })),
    clicks: { say: async () => true },
  } as unknown as ListenerPorts;
  registerMessage(app, listening);
  registerChangedMessages(app, listening);
  // `message` and `app_mention` have the same listener.
  const unique = [...new Set(handlers)];

  return {
    owner,
    administration,
    async deliver(event, retryNum) {
      const body = { team_id: TEAM, event };
      for (const handler of unique) await handler({ event, body, context: { retryNum, botUserId: BOT } });
    },
    stopTurn: (id) => endTurn(id, 'stopped'),
    async unpark(user) {
      for (const lane of await turns.unpark({ team: TEAM, user })) wake(lane);
    },
    sweep,
    wake: (lane) => wake(lane),
    abort: running.abort,
  };
}

/** Each operation of the store, as a call over the network. */
function overNetwork<Port extends object>(
  port: Port,
  send: <T>(operation: () => T) => Promise<T>,
): {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
} {
  const calls = Object.entries(port).map(([name, operation]) => [
    name,
    (...args: unknown[]) => send(() => operation(...args)),
  ]);
  return Object.fromEntries(calls);
}

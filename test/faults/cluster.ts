import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { createPlainVerifier } from '@assistant-bridge/sandbox/loopback/token-holder.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import { retry } from '../../src/retry.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { readItem, toAnswerText } from './item.ts';
import { createJournal, type Journal } from './journal.ts';
import { createRandom, type Random } from './random.ts';
import { createReplica, type Replica } from './replica.ts';
import { addSignedInPeople, toUserId } from './signed-in-people.ts';
import { watchReplies } from './watch-replies.ts';

export type StoreName = 'redis' | 'sqlite';

export type ClusterOptions = {
  store: StoreName;
  seed: number;
  /** SQLite is for one process. */
  replicas?: number;
  leaseSeconds?: number;
  /** Whether Slack reaches the replicas over Socket Mode, instead of through the balancer. */
  isSocketMode?: boolean;
  environment?: Record<string, string>;
  /** Where the store keeps its files; a folder of its own unless told otherwise. */
  storeFolder?: string;
  /** Where to keep what the replicas log. */
  logFolder?: string | undefined;
  world?: WorldOptions;
  /** How long the assistant takes for an answer, in ms; 20 to 200 unless told otherwise. */
  answerMs?: (random: Random) => number;
  /** People also ask in direct messages, where the service is slow enough for answers to be streamed. */
  isStreamed?: boolean;
  /** What it answers. Begins as toAnswerText unless the answer is not to be found. */
  answerText?: (item: number) => string;
};

/** The local world, with any number of replicas of the real app behind a balancer, and people who are signed in. */
export type Cluster = {
  world: World;
  store: StoreName;
  leaseMs: number;
  redis: RedisServer | undefined;
  replicas: readonly Replica[];
  balancer: Balancer;
  journal: Journal;
  random: Random;
  people: readonly string[];
  /** How many of the threads are in direct messages, from 0 to 1. */
  directShare: number;
  close(): Promise<void>;
};

export const CHANNEL = 'C0GENERAL';

/** They take longer, and a person's share of the app is limited. */
const DIRECT_SHARE = 0.15;

/**
 * The pause between the events of a slow stream, and of others. An answer has fifteen of them: long enough to be streamed,
 * and not longer than a process lives where the only one is killed again and again.
 */
const SLOW_STEP_MS = 60;
const STEP_MS = 2;

const SIGNED_IN = 'You are signed in.';

/** The beginning of the app's own word about a sign-in. It may come after the answer. */
const RECEIPT = 'You are signed in to the assistant';

/** What the last page of a sign-in says where it went well. */
const CONNECTED = 'Your accounts are connected';

const SIGN_IN_TIMEOUT_MS = 30_000;

const SIGN_IN_TRIES = 3;

/** Who signs in as people do, before the first message. */
const PEOPLE = ['U0ANA', 'U0BEN', 'U0KIM'] as const;

/** Who has signed in before: enough people for nobody to need more than the eight turns that one may have under way. */
export const SEEDED = Array.from({ length: 21 }, (_, index) => `person${index}`);
const verifySeeded = createPlainVerifier(ASSISTANT_SCOPE);

/** Slack's own schedule (at once, 1 min, 5 min) in seconds instead of minutes, and a few more tries. */
const RETRIES_MS = [100, 300, 700, 1_500, 3_000, 3_000, 5_000, 5_000];

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    store,
    seed,
    answerMs = usualAnswerMs,
    answerText = toAnswerText,
    leaseSeconds = 2,
    isSocketMode = false,
    replicas: count = store === 'redis' ? 2 : 1,
  } = options;
  const random = createRandom(seed);
  const redis =
    store === 'redis' ? await startRedis(options.storeFolder ? { dir: options.storeFolder } : {}) : undefined;
  /** Nobody asks about an item before everybody is signed in. */
  let toStepMs: (item?: number) => number = () => STEP_MS;
  const world: World = await startWorld({
    port: await claimPort(),
    transport: isSocketMode ? 'socket' : 'http',
    ...options.world,
    slack: { ledger: 'off', retry: RETRIES_MS, echoOwnMessages: false, ...options.world?.slack },
    assistant: {
      answer: async ({ text }) => {
        const item = readItem(text);
        if (item === undefined) return SIGNED_IN;
        await sleep(answerMs(random));
        return answerText(item);
      },
      stepMs: (text) => toStepMs(readItem(text)),
      verifyToken: async (token) => (await verifySeeded(token)) ?? world.identityProvider.verifyToken(token),
      ...options.world?.assistant,
    },
  });
  const environment = {
    ...world.environment,
    ...(options.storeFolder && { SQLITE_PATH: join(options.storeFolder, 'bridge.db') }),
    ...(redis && { REDIS_URL: redis.url }),
    LEASE_SECONDS: String(leaseSeconds),
    SLACK_BUDGETS: 'off',
    OPS_PORT: '0',
    ASSISTANT_STREAMING: options.isStreamed ? 'auto' : 'off',
    ...options.environment,
  };
  await addSignedInPeople({ slack: world.slack, environment }, SEEDED);
  for (const name of SEEDED) world.slack.workspace.join(CHANNEL, toUserId(name));
  const replicas = await createReplicas(count, environment, options.logFolder);
  const balancer = await startBalancer(Number(world.environment.PORT), replicas, random);
  const close = async () => {
    for (const replica of replicas) replica.thaw();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await balancer.close();
    await world.close();
    await redis?.close();
  };
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    for (const user of PEOPLE) await signInPerson(world, user);
  } catch (error) {
    await close();
    throw error;
  }
  const journal = createJournal(world.slack.teamId);
  toStepMs = (item = 0) => (journal.get(item)?.channel === CHANNEL ? STEP_MS : SLOW_STEP_MS);
  const directShare = options.isStreamed ? DIRECT_SHARE : 0;
  const parts = { world, store, redis, replicas, balancer, journal, random, directShare };
  watch(parts);
  return { ...parts, leaseMs: leaseSeconds * 1000, people: [...PEOPLE, ...SEEDED.map(toUserId)], close };
}

function usualAnswerMs(random: Random): number {
  return random.between(20, 200);
}

async function createReplicas(
  count: number,
  environment: Record<string, string>,
  logFolder: string | undefined,
): Promise<Replica[]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const ports = await Promise.all(numbers.map(() => claimPort()));
  return numbers.map((number, index) =>
    createReplica(`replica ${number}`, { ...environment, PORT: String(ports[index]) }, logFolder),
  );
}

async function signInPerson({ slack, ...world }: World, user: SandboxUser): Promise<void> {
  const person = slack.as(user);
  const untilTold = (words: string, what: string) => {
    const isTold = () =>
      slack.workspace.messages.all().some(({ channel, text }) => channel === person.dm && text.includes(words));
    return slack.until(isTold, { what, timeoutMs: SIGN_IN_TIMEOUT_MS });
  };
  await person.say(person.dm, 'sign me in');
  await untilTold('sign in', `a sign-in prompt for ${user}`);
  // Where several clusters start at once, a click may come too late for Slack, or an answer of the identity provider for
  // the app: whoever is told to try again does.
  await retry(
    async () => {
      const { page } = await signIn({ slack, ...world }, user, 'thread');
      if (page.heading !== CONNECTED) throw new Error(`${user} is not signed in: ${page.heading}`);
    },
    (_, failures) => (failures < SIGN_IN_TRIES ? 0 : undefined),
  );
  await untilTold(SIGNED_IN, `${user}'s held answer`);
  await untilTold(RECEIPT, `${user}'s receipt`);
}

function watch({ world, balancer, journal }: Pick<Cluster, 'world' | 'balancer' | 'journal'>): void {
  world.assistant.onChat((chat) => {
    const item = readItem(chat.text);
    if (item !== undefined) journal.asked(item, chat);
  });
  balancer.onPassed(({ item, status, isHeard, replica = '' }) => {
    if (item !== undefined && status === 200 && isHeard) journal.acknowledged(item, replica);
  });
  world.slack.socketMode.onAcknowledged((payload) => {
    const item = readItem(JSON.stringify(payload));
    if (item !== undefined) journal.acknowledged(item, 'a connection');
  });
  watchReplies(world.slack, journal);
}

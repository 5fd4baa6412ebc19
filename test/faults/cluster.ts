import { setTimeout as sleep } from 'node:timers/promises';
import { claimPort } from '../sandbox/claim-port.ts';
import { type RedisServer, startRedis } from '../sandbox/redis-server.ts';
import { type SandboxUser, signIn } from '../sandbox/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../sandbox/world.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { readItem, toAnswerText } from './item.ts';
import { createJournal, type Journal } from './journal.ts';
import { createRandom, type Random } from './random.ts';
import { createReplica, type Replica } from './replica.ts';
import { watchReplies } from './watch-replies.ts';

export type StoreName = 'redis' | 'sqlite';

export type ClusterOptions = {
  store: StoreName;
  seed: number;
  /** SQLite is for one process. */
  replicas?: number;
  leaseSeconds?: number;
  environment?: Record<string, string>;
  /** Where to keep what the replicas log. */
  logFolder?: string | undefined;
  world?: WorldOptions;
  /** How long the assistant takes for an answer, in ms; 20 to 200 unless told otherwise. */
  answerMs?: (random: Random) => number;
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
  people: readonly SandboxUser[];
  close(): Promise<void>;
};

export const CHANNEL = 'C0GENERAL';

const SIGNED_IN = 'You are signed in.';

const SIGN_IN_TIMEOUT_MS = 30_000;

const PEOPLE = ['U0ANA', 'U0BEN', 'U0KIM'] as const;

/** Slack's own schedule (at once, 1 min, 5 min) in seconds instead of minutes, and a few more tries. */
const RETRIES_MS = [100, 300, 700, 1_500, 3_000, 3_000, 5_000, 5_000];

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    store,
    seed,
    answerMs = usualAnswerMs,
    answerText = toAnswerText,
    leaseSeconds = 2,
    replicas: count = store === 'redis' ? 2 : 1,
  } = options;
  const random = createRandom(seed);
  const redis = store === 'redis' ? await startRedis() : undefined;
  const world = await startWorld({
    port: await claimPort(),
    ...options.world,
    slack: { ledger: 'off', retry: RETRIES_MS, echoOwnMessages: false, ...options.world?.slack },
    assistant: {
      answer: async ({ text }) => {
        const item = readItem(text);
        if (item === undefined) return SIGNED_IN;
        await sleep(answerMs(random));
        return answerText(item);
      },
      ...options.world?.assistant,
    },
  });
  const environment = {
    ...world.environment,
    ...(redis && { REDIS_URL: redis.url }),
    LEASE_SECONDS: String(leaseSeconds),
    SLACK_BUDGETS: 'off',
    OPS_PORT: '0',
    ASSISTANT_STREAMING: 'off',
    ...options.environment,
  };
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
  const parts = { world, store, redis, replicas, balancer, journal, random };
  watch(parts);
  return { ...parts, leaseMs: leaseSeconds * 1000, people: PEOPLE, close };
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
  await signIn({ slack, ...world }, user, 'thread');
  await untilTold(SIGNED_IN, `${user}'s held answer`);
}

function watch({ world, balancer, journal }: Pick<Cluster, 'world' | 'balancer' | 'journal'>): void {
  world.assistant.onChat((chat) => {
    const item = readItem(chat.text);
    if (item !== undefined) journal.asked(item, chat);
  });
  balancer.onPassed(({ item, status, isHeard, replica = '' }) => {
    if (item !== undefined && status === 200 && isHeard) journal.acknowledged(item, replica);
  });
  watchReplies(world.slack, journal);
}

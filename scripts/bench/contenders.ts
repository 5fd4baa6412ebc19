import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { claimPort } from '../../test/sandbox/claim-port.ts';
import { PLAIN_TOKEN, signInAsker, signInAskers } from './bench-world.ts';
import { type Contender, withLastLines } from './contender.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { type MeasuredRedis, startMeasuredRedis } from './measured-redis.ts';
import type { Bench } from './part.ts';

export type BridgeOptions = {
  name: string;
  /** On SQLite: the database, where it is filled already. */
  sqlitePath?: string;
  /** So many on Redis. Without it the app is one process, on SQLite. */
  replicas?: number;
  /** On Redis: one that is filled already, and stays when the replicas stop. */
  redis?: MeasuredRedis;
  streaming?: 'auto' | 'off';
};

/** The real app, with its asker signed in. */
export async function startBridge(bench: Bench, options: BridgeOptions): Promise<Contender> {
  const { running, world } = bench;
  const contender = await running.start(() =>
    options.replicas ? startOnRedis(bench, options, options.replicas) : startOnSqlite(bench, options),
  );
  await withLastLines(contender, signInAsker(world, contender));
  return contender;
}

async function startOnSqlite(bench: Bench, options: BridgeOptions): Promise<Contender> {
  const { name, sqlitePath: SQLITE_PATH = join(bench.world.folder, `${randomUUID()}.db`) } = options;
  const environment = { ...toSwitches(options), SQLITE_PATH };
  await signInAskers(bench.world, { path: SQLITE_PATH });
  return toContender({ kind: 'bridge', name }, [await startReplica(bench, { name, number: 0, environment })]);
}

async function startOnRedis(bench: Bench, options: BridgeOptions, count: number): Promise<Contender> {
  const { name } = options;
  const redis = options.redis ?? (await startMeasuredRedis(bench.cores?.redis));
  const environment = { ...toSwitches(options), REDIS_URL: redis.url };
  const closeOwn = async () => {
    if (!options.redis) await redis.stop();
  };
  try {
    await signInAskers(bench.world, { redisUrl: redis.url });
    const numbers = Array.from({ length: count }, (_, index) => index);
    const replicas = await Promise.all(numbers.map((number) => startReplica(bench, { name, number, environment })));
    const contender = toContender({ kind: 'bridge', name, redis }, replicas);
    return { ...contender, stop: () => contender.stop().then(closeOwn) };
  } catch (error) {
    await closeOwn();
    throw error;
  }
}

/** The stand-in of Slack has no rate limits to keep to. */
function toSwitches({ streaming = 'off' }: BridgeOptions): Record<string, string> {
  return { ASSISTANT_STREAMING: streaming, SLACK_BUDGETS: 'off', OPS_PORT: '0' };
}

type ReplicaOptions = { name: string; number: number; environment: Record<string, string> };

async function startReplica(bench: Bench, { name, number, environment }: ReplicaOptions): Promise<Started> {
  const { world, cores, options } = bench;
  const port = await claimPort();
  const publicUrl = `http://127.0.0.1:${port}`;
  world.identityProvider.registerRedirectUri(`${publicUrl}/link/account/callback`);
  const process = await startMeasured({
    name: `${name}, replica ${number + 1}`,
    script: new URL('../../src/main.ts', import.meta.url),
    environment: { ...world.environment, PORT: String(port), PUBLIC_URL: publicUrl, ...environment },
    core: cores?.measured[number % cores.measured.length],
    profileFolder: options.profileFolder,
  });
  return { process, eventsUrl: `${publicUrl}/slack/events` };
}

/** A bot as people usually write it; with several processes each keeps threads of its own. */
export function startPlainBot(bench: Bench, processes: number): Promise<Contender> {
  const name = processes === 1 ? 'plain Bolt 5 bot' : `plain Bolt 5 bot, ${processes} processes`;
  return bench.running.start(() => startBots(bench, { kind: 'plain bot', name, script: './plain-bot.ts', processes }));
}

/** The same with nothing but Node and its HTTP client. */
export function startBareBot(bench: Bench): Promise<Contender> {
  const bot: BotOptions = { kind: 'bare bot', name: 'bare Node bot', script: './bare-bot.ts', processes: 1 };
  return bench.running.start(() => startBots(bench, bot));
}

type BotOptions = Pick<Contender, 'kind' | 'name'> & { script: string; processes: number };

async function startBots(bench: Bench, { kind, name, script, processes }: BotOptions): Promise<Contender> {
  const { world, cores, options } = bench;
  const bots = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const port = await claimPort();
      const process = await startMeasured({
        name: `${name}, process ${number + 1}`,
        script: new URL(script, import.meta.url),
        environment: { ...world.environment, PORT: String(port), ASSISTANT_TOKEN: PLAIN_TOKEN },
        core: cores?.measured[number % cores.measured.length],
        profileFolder: options.profileFolder,
      });
      return { process, eventsUrl: `http://127.0.0.1:${port}/slack/events` };
    }),
  );
  return toContender({ kind, name }, bots);
}

type Started = { process: MeasuredProcess; eventsUrl: string };

function toContender(known: Pick<Contender, 'kind' | 'name' | 'redis'>, started: Started[]): Contender {
  return {
    ...known,
    eventsUrls: started.map(({ eventsUrl }) => eventsUrl),
    processes: started.map(({ process }) => process),
    stop: async () => void (await Promise.all(started.map(({ process }) => process.stop()))),
  };
}
